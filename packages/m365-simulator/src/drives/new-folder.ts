import { badRequest } from '../http/failure.ts';
import type { JsonObject } from '../values/json.ts';
import type { Context } from '../http/route.ts';
import type { ItemRecord } from './drive-record.ts';
import type { OpenDrive } from './open-drive.ts';
import { readFileTimes, requireName } from './write-file.ts';

/** Creates a folder. The name must be free. */
export function newFolder(context: Context, drive: OpenDrive, place: { parentId: string; name: string }, body: JsonObject): ItemRecord {
  const nowMs = context.tenant.clock.nowMs();
  const actor = { appId: context.caller.appId };
  const times = readFileTimes(body);
  const folder: ItemRecord = {
    id: drive.newId(),
    ...place,
    kind: 'folder',
    createdMs: nowMs,
    modifiedMs: nowMs,
    createdBy: actor,
    modifiedBy: actor,
    fileCreatedMs: times.fileCreatedMs ?? nowMs,
    fileModifiedMs: times.fileModifiedMs ?? nowMs,
    revision: 1,
    contentRevision: 1,
    versions: [],
    grants: [],
    inherits: true,
  };
  drive.put(folder);
  return folder;
}

/** The folder that a path leads to, with those made that are missing, and the last name of the path. */
export function makeFolders(
  context: Context,
  drive: OpenDrive,
  start: ItemRecord,
  path: string,
): { readonly parent: ItemRecord; readonly name: string } {
  const names = path.split('/').filter((part) => part !== '');
  const name = names.pop() ?? '';
  let parent = start;
  for (const folder of names) {
    const known = drive.childNamed(parent.id, folder);
    if (known && known.kind !== 'folder') throw badRequest('drives', 'The path leads through something that is not a folder.');
    if (!known) requireName(drive, parent, folder);
    parent = known ?? newFolder(context, drive, { parentId: parent.id, name: folder }, {});
  }
  return { parent, name };
}
