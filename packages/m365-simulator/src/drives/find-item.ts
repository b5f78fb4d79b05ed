import { Failure, badRequest, notFound } from '../http/failure.ts';
import type { Context } from '../http/route.ts';
import { type LibraryPlace, type SitePlace, placesOf } from '../places/places.ts';
import { requireNotArchived } from '../places/archived-site.ts';
import type { Tenant } from '../state/tenant.ts';
import type { ItemRecord } from './drive-record.ts';
import { type OpenDrive, openDrive } from './open-drive.ts';

/** The site a library is in. */
export function siteOf(tenant: Tenant, library: LibraryPlace): SitePlace {
  const site = placesOf(tenant).site(library.siteId);
  if (!site) throw notFound('sites');
  return site;
}

/** The drive that the path names first, or 404. */
export function requireDrive(context: Context, driveId = context.params[0] ?? ''): OpenDrive {
  const library = placesOf(context.tenant).drive(driveId);
  if (library) {
    requireNotArchived(context.tenant, library.siteId);
    return openDrive(context.tenant, library);
  }
  if (driveId.startsWith('b!')) throw notFound('drives', 'The resource could not be found.');
  throw badRequest('drives', 'The provided drive id appears to be malformed, or does not represent a valid drive.');
}

/** The item called `id` (or `root`), or 404. */
export function requireItem(drive: OpenDrive, id: string): ItemRecord {
  const item = drive.get(id === 'root' ? drive.rootId : id);
  if (item) return item;
  throw notFound('drives', 'Item not found');
}

/** Follows names from `start`; undefined when one of them is not there. */
export function itemAtPath(drive: OpenDrive, start: ItemRecord, path: string): ItemRecord | undefined {
  let item: ItemRecord | undefined = start;
  for (const name of path.split('/').filter((part) => part !== '')) {
    item = item && drive.childNamed(item.id, name);
  }
  return item;
}

/** The item at a path below `start`, or 404. */
export function requireAtPath(drive: OpenDrive, start: ItemRecord, path: string): ItemRecord {
  const item = itemAtPath(drive, start, path);
  if (item) return item;
  throw notFound('drives', 'The resource could not be found.');
}

/** Names from the root down to the item, joined with `/`; empty for the root. */
export function pathOf(drive: Pick<OpenDrive, 'peek'>, item: ItemRecord): string {
  const names: string[] = [];
  for (let at: ItemRecord | undefined = item; at?.parentId !== undefined; at = drive.peek(at.parentId)) names.unshift(at.name);
  return names.join('/');
}

/** Refuses to touch a file that somebody holds open, or that is archived. */
export function requireUnlocked(context: Context, item: ItemRecord): void {
  if (item.isLocked !== true && item.archiveStatus === undefined && !context.hasEffect('lock')) return;
  throw new Failure(423, 'notAllowed', 'The resource is locked.', { inner: 'resourceLocked' });
}
