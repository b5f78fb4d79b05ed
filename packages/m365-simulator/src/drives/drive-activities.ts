import type { Random } from '@holdfast/foundation/random';
import { pick } from '../values/seeded.ts';
import { listField, textField } from '../http/body-fields.ts';
import { badRequest, notFound } from '../http/failure.ts';
import type { JsonObject } from '../values/json.ts';
import { type LibraryPlace, placesOf } from '../places/places.ts';
import type { Tenant } from '../state/tenant.ts';
import type { Activity } from '../http/workload.ts';
import type { Actor } from '../state/actor.ts';
import type { Grant, ItemRecord } from './drive-record.ts';
import { type FileContent, receivedContent } from './file-content.ts';
import { itemAtPath } from './find-item.ts';
import { madeContent } from './generated-items.ts';
import { type OpenDrive, openDrive } from './open-drive.ts';

function driveOf(tenant: Tenant, input: JsonObject): OpenDrive {
  const places = placesOf(tenant);
  const user = tenant.directory.user(textField(input, 'user') ?? '');
  const library = places.drive(textField(input, 'drive') ?? '') ?? places.driveOfUser(user?.id ?? '');
  if (!library) throw badRequest('drives', 'The change names neither a drive nor a user with one.');
  return openDrive(tenant, library);
}

/** The item that `id` or `path` of the input names. */
function itemOf(drive: OpenDrive, input: JsonObject): ItemRecord {
  const id = textField(input, 'id');
  const root = drive.get(drive.rootId);
  const item = id === undefined ? root && itemAtPath(drive, root, textField(input, 'path') ?? '') : drive.get(id);
  if (!item) throw notFound('drives', 'The change names an item that is not there.');
  return item;
}

/** Who does it: a person, by default the owner of the drive or the first account. */
function actorOf(drive: OpenDrive, input: JsonObject): Actor {
  const named = drive.tenant.directory.user(textField(input, 'by') ?? '');
  const { owner } = drive.library;
  const fallback = owner && 'userId' in owner ? owner.userId : drive.tenant.directory.users()[0]?.id;
  return { userId: named?.id ?? fallback ?? drive.tenant.tenantId };
}

function contentOf(drive: OpenDrive, name: string, input: JsonObject): FileContent {
  const base64 = textField(input, 'contentBytes');
  if (base64 !== undefined) return receivedContent(drive.tenant.received, Buffer.from(base64, 'base64'));
  const text = textField(input, 'content');
  if (text !== undefined) return receivedContent(drive.tenant.received, Buffer.from(text));
  const sizeBytes = typeof input['sizeBytes'] === 'number' ? input['sizeBytes'] : 20_000;
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  return madeContent(`${drive.library.driveId}/${drive.state.log.ids.length}/${name}`, extension, sizeBytes);
}

function create(drive: OpenDrive, input: JsonObject, kind: 'file' | 'folder'): JsonObject {
  const { parent: _parent, ...rest } = input;
  const parent = itemOf(drive, { id: textField(rest, 'parentId') ?? drive.rootId });
  const name = textField(input, 'name') ?? '';
  if (name === '' || drive.childNamed(parent.id, name)) throw badRequest('drives', 'The name is missing or taken.');
  const nowMs = drive.tenant.clock.nowMs();
  const actor = actorOf(drive, input);
  const times = { createdMs: nowMs, modifiedMs: nowMs, fileCreatedMs: nowMs, fileModifiedMs: nowMs };
  const versions = kind === 'file' ? [{ id: '1.0', content: contentOf(drive, name, input), modifiedMs: nowMs, modifiedBy: actor }] : [];
  const record: ItemRecord = {
    id: drive.newId(),
    parentId: parent.id,
    name,
    kind,
    ...times,
    createdBy: actor,
    modifiedBy: actor,
    revision: 1,
    contentRevision: 1,
    versions,
    grants: [],
    inherits: true,
  };
  drive.put(record);
  return { id: record.id };
}

function change(drive: OpenDrive, item: ItemRecord, input: JsonObject, what: Partial<ItemRecord>): JsonObject {
  const nowMs = drive.tenant.clock.nowMs();
  const { isSharingChange: _sharing, ...kept } = item;
  drive.put({ ...kept, modifiedMs: nowMs, modifiedBy: actorOf(drive, input), revision: item.revision + 1, ...what });
  return { id: item.id };
}

function edit(drive: OpenDrive, input: JsonObject): JsonObject {
  const item = itemOf(drive, input);
  const modifiedMs = drive.tenant.clock.nowMs();
  const number = Number.parseInt(item.versions.at(-1)?.id ?? '0', 10) + 1;
  const version = { id: `${number}.0`, content: contentOf(drive, item.name, input), modifiedMs, modifiedBy: actorOf(drive, input) };
  return change(drive, item, input, {
    versions: [...item.versions, version],
    contentRevision: item.contentRevision + 1,
    fileModifiedMs: modifiedMs,
  });
}

/** An earlier version goes for good; the content of the file stays as it is. */
function deleteVersion(drive: OpenDrive, input: JsonObject): JsonObject {
  const item = itemOf(drive, input);
  const versions = item.versions.filter(({ id }, place) => id !== textField(input, 'version') || place === item.versions.length - 1);
  if (versions.length === item.versions.length) throw notFound('drives', 'The change names a version that is not there.');
  drive.put({ ...item, versions });
  return { id: item.id };
}

function rename(drive: OpenDrive, input: JsonObject): JsonObject {
  const item = itemOf(drive, input);
  const name = textField(input, 'name') ?? item.name;
  const parentId = textField(input, 'parentId') ?? item.parentId;
  const parent = itemOf(drive, { id: parentId ?? drive.rootId });
  if (drive.childNamed(parent.id, name)) throw badRequest('drives', 'The name is taken.');
  return change(drive, item, input, { name, parentId: parent.id });
}

function share(drive: OpenDrive, input: JsonObject): JsonObject {
  const item = itemOf(drive, input);
  const names = listField(input, 'people').filter((value) => typeof value === 'string');
  const people = names.map((name): Grant['people'][number] => {
    const person = drive.tenant.directory.user(name);
    return person ? { userId: person.id } : { email: name };
  });
  const role = textField(input, 'role') ?? 'read';
  const id = `user-grant-${drive.state.log.ids.length}`;
  const scope = textField(input, 'link');
  const isLink = scope === 'organization' || scope === 'anonymous' || scope === 'users';
  const link: Grant['link'] | undefined = isLink
    ? { type: role === 'read' ? 'view' : 'edit', scope, token: id, hasPassword: false }
    : undefined;
  const grant: Grant = { id, role, people, ...(link ? { link } : {}) };
  return change(drive, item, input, { grants: [...item.grants, grant], isSharingChange: true });
}

/** Into Microsoft 365 Archive, or out of it; the content does not change by that. */
function archive(drive: OpenDrive, input: JsonObject): JsonObject {
  const { archiveStatus: _status, ...item } = itemOf(drive, input);
  const status = textField(input, 'status') ?? 'fullyArchived';
  const isHeld = status === 'fullyArchived' || status === 'reactivating';
  drive.put({ ...item, ...(isHeld ? { archiveStatus: status } : {}), revision: item.revision + 1 });
  return { id: item.id };
}

function activity(name: string, run: (drive: OpenDrive, input: JsonObject) => JsonObject): Activity {
  return { name, run: (tenant, input) => run(driveOf(tenant, input), input) };
}

function remove(isPurged: boolean): (drive: OpenDrive, input: JsonObject) => JsonObject {
  return (drive, input) => {
    const { id } = itemOf(drive, input);
    drive.remove(id, isPurged);
    return { id };
  };
}

/** What people do with files: `{"do":"drives.edit","user":"…","path":"Reports/Plan.docx"}`. */
export const driveActivities: readonly Activity[] = [
  activity('drives.createFile', (drive, input) => create(drive, input, 'file')),
  activity('drives.createFolder', (drive, input) => create(drive, input, 'folder')),
  activity('drives.edit', edit),
  activity('drives.deleteVersion', deleteVersion),
  activity('drives.move', rename),
  activity('drives.share', share),
  activity('drives.unshare', (drive, input) => change(drive, itemOf(drive, input), input, { grants: [], isSharingChange: true })),
  activity('drives.delete', remove(false)),
  activity('drives.purge', remove(true)),
  activity('drives.archive', archive),
  activity('drives.lock', (drive, input) => change(drive, itemOf(drive, input), input, { isLocked: input['locked'] !== false })),
];

function someFile(drive: OpenDrive, random: Random): ItemRecord | undefined {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const item = drive.feed.at(random.below(drive.feed.size));
    if (item?.kind === 'file' && item.isLocked !== true) return item;
  }
  return undefined;
}

function playLibrary(tenant: Tenant, library: LibraryPlace, random: Random): string | undefined {
  const drive = openDrive(tenant, library);
  const kind = pick(random, ['edit', 'edit', 'edit', 'create', 'create', 'rename', 'move', 'delete', 'share'] as const);
  if (kind === 'create') {
    create(drive, { name: `Notes ${drive.state.log.ids.length + 1}.docx` }, 'file');
    return 'drives.createFile';
  }
  const item = someFile(drive, random);
  if (!item) return undefined;
  if (kind === 'edit') edit(drive, { id: item.id });
  else if (kind === 'rename') rename(drive, { id: item.id, name: `Rev ${drive.state.log.ids.length} ${item.name}` });
  else if (kind === 'move')
    rename(drive, { id: item.id, parentId: drive.rootId, name: `Moved ${drive.state.log.ids.length} ${item.name}` });
  else if (kind === 'delete') drive.remove(item.id, false);
  else share(drive, { id: item.id, people: [tenant.directory.users()[0]?.id ?? ''] });
  return `drives.${kind === 'rename' ? 'move' : kind}`;
}

/** A day of work with files: each drive sees a few changes. */
export function playDriveDay(tenant: Tenant, random: Random): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const library of placesOf(tenant).libraries) {
    for (let round = random.below(4); round > 0; round -= 1) {
      const done = playLibrary(tenant, library, random);
      if (done !== undefined) counts[done] = (counts[done] ?? 0) + 1;
    }
  }
  return counts;
}
