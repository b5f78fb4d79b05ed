import { driveTime } from '../drives/render-item.ts';
import type { JsonObject } from '../values/json.ts';
import { project } from '../http/query.ts';
import type { Context } from '../http/route.ts';
import type { SitePlace } from '../places/places.ts';

/** A site as Graph answers it. */
export function renderSite(context: Context, site: SitePlace, select = context.query.select): JsonObject {
  const time = driveTime(site.createdMs);
  return project(
    {
      id: site.id,
      name: site.path.split('/').at(-1) ?? '',
      displayName: site.displayName,
      description: '',
      webUrl: `https://${site.hostName}${site.path}`,
      createdDateTime: time,
      lastModifiedDateTime: time,
      isPersonalSite: site.kind === 'personal',
      siteCollection: { hostname: site.hostName, ...(site.kind === 'root' ? { root: {} } : {}) },
      ...(site.parentId === undefined ? { root: {} } : {}),
    },
    select,
  );
}
