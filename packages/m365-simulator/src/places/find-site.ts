import { badRequest, notFound } from '../http/failure.ts';
import { isGuid } from '../http/guid.ts';
import type { Context } from '../http/route.ts';
import { requireNotArchived } from './archived-site.ts';
import { type SitePlace, placesOf } from './places.ts';

/** The site that the path names: by id, by host, or by `host:/path`. */
export function requireSite(context: Context, name = context.params[0] ?? ''): SitePlace {
  const site = placesOf(context.tenant).site(name);
  if (site) {
    requireNotArchived(context.tenant, site.id);
    return site;
  }
  const [host = ''] = name.split(/[,:]/u);
  const isHere = isGuid(name) || host.toLowerCase() === `${context.tenant.directory.label}.sharepoint.com`.toLowerCase();
  if (isHere) throw notFound('sites', 'Requested site could not be found');
  throw badRequest('sites', 'Invalid hostname for this tenancy');
}
