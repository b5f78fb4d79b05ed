import type { JsonObject } from '../values/json.ts';
import { project } from '../http/query.ts';
import type { Context } from '../http/route.ts';
import { type LibraryPlace, placesOf } from '../places/places.ts';
import { renderActor, driveTime } from './render-item.ts';
import { openDrive } from './open-drive.ts';
import { quotaOf } from './write-file.ts';

function ownerOf(context: Context, { owner }: LibraryPlace): JsonObject {
  if (owner && 'userId' in owner) return renderActor(context.tenant, owner);
  const group = owner && context.tenant.directory.group(owner.groupId);
  return group
    ? { group: { id: group.id, displayName: group.displayName, email: `${group.mailNickname}@${context.tenant.directory.domain}` } }
    : {};
}

/** The library of a site's own files is one of the system: no list has it unless it is asked for. */
export function isOfSystem({ urlName }: LibraryPlace): boolean {
  return urlName === 'SiteAssets';
}

/** A drive as Graph answers it, with its quota. */
export function renderDrive(context: Context, library: LibraryPlace): JsonObject {
  const { tenant } = context;
  const drive = openDrive(tenant, library);
  const site = placesOf(tenant).site(library.siteId);
  const total = quotaOf(drive);
  const used = drive.usedBytes();
  const isFull = context.hasEffect('quota') || used > total;
  const lastMs = drive.state.logMs.at(-1) ?? tenant.epochMs;
  return project(
    {
      id: library.driveId,
      driveType: library.driveType,
      name: library.displayName,
      description: '',
      webUrl: `https://${site?.hostName ?? ''}${site?.path ?? ''}/${encodeURIComponent(library.urlName)}`,
      createdDateTime: driveTime(library.createdMs),
      lastModifiedDateTime: driveTime(lastMs),
      createdBy: { user: { displayName: 'System Account' } },
      owner: ownerOf(context, library),
      ...(isOfSystem(library) ? { system: {} } : {}),
      quota: {
        deleted: drive.state.deletedBytes,
        remaining: isFull ? 0 : total - used,
        state: isFull ? 'exceeded' : 'normal',
        total,
        used,
      },
    },
    context.query.select,
    [],
  );
}
