import type { Grant, ItemRecord } from './drive-record.ts';
import type { OpenDrive } from './open-drive.ts';

/** Rights that people were given on an item or on a folder above it, as far as those count; the owner's are not among them. */
export function sharingGrants(drive: OpenDrive, item: ItemRecord): Grant[] {
  const found: Grant[] = [];
  for (let at: ItemRecord | undefined = item; at; at = at.inherits && at.parentId !== undefined ? drive.get(at.parentId) : undefined) {
    found.push(...at.grants);
  }
  return found;
}
