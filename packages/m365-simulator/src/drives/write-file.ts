import { objectField, timeField } from '../http/body-fields.ts';
import { Failure, badRequest, conflict } from '../http/failure.ts';
import type { JsonObject } from '../values/json.ts';
import type { Context } from '../http/route.ts';
import type { Actor } from '../state/actor.ts';
import type { ItemRecord } from './drive-record.ts';
import { type FileContent, contentPieces, receivedContent } from './file-content.ts';
import { pathOf } from './find-item.ts';
import { isOffice, rewriteOffice } from './office-file.ts';
import type { OpenDrive } from './open-drive.ts';

export type ConflictBehavior = 'fail' | 'replace' | 'rename';

const FORBIDDEN = /["*:<>?/\\|]/;
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d|\.lock|desktop\.ini|~\$.*|.*_vti_.*)$/iu;
/** Every library has a hidden folder of this name at its root. */
const OF_EVERY_LIBRARY = 'forms';
const LONGEST_NAME = 255;
const LONGEST_PATH = 400;
const QUOTA_BYTES = 1024 ** 4;

/** Refuses names that SharePoint does not take. */
export function requireName(drive: OpenDrive, parent: ItemRecord, name: string): void {
  const isOfLibrary = parent.parentId === undefined && name.toLowerCase() === OF_EVERY_LIBRARY;
  const isBad = name === '' || FORBIDDEN.test(name) || name !== name.trim() || RESERVED.test(name) || isOfLibrary;
  if (isBad) throw new Failure(400, 'invalidRequest', 'The provided name is not allowed.', { inner: 'invalidPath' });
  const length = pathOf(drive, parent).length + 1 + name.length;
  if (name.length > LONGEST_NAME || length > LONGEST_PATH)
    throw new Failure(400, 'invalidRequest', 'The path is too long.', { inner: 'pathIsTooLong' });
}

/** Reads `@microsoft.graph.conflictBehavior`. */
export function readConflict(body: JsonObject, otherwise: ConflictBehavior): ConflictBehavior {
  const stated = body['@microsoft.graph.conflictBehavior'] ?? body['@name.conflictBehavior'] ?? otherwise;
  if (stated === 'fail' || stated === 'replace' || stated === 'rename') return stated;
  throw badRequest('drives', 'The conflict behavior is not one of fail, replace and rename.');
}

/** `Plan.docx` becomes `Plan 1.docx`, and so on until the name is free. */
function freeName(drive: OpenDrive, parentId: string, name: string): string {
  const dot = name.lastIndexOf('.');
  const stem = dot > 0 ? name.slice(0, dot) : name;
  const extension = dot > 0 ? name.slice(dot) : '';
  for (let number = 1; ; number += 1) {
    const candidate = `${stem} ${number}${extension}`;
    if (!drive.childNamed(parentId, candidate)) return candidate;
  }
}

/** What a name in a folder comes to: a free name, or the item that stands there and is to be replaced. */
export function settleName(
  drive: OpenDrive,
  target: { readonly parent: ItemRecord; readonly name: string; readonly exceptId?: string },
  behavior: ConflictBehavior,
): { readonly name: string; readonly existing?: ItemRecord } {
  const { parent, name, exceptId } = target;
  requireName(drive, parent, name);
  const existing = drive.childNamed(parent.id, name);
  if (!existing || existing.id === exceptId) return { name };
  if (behavior === 'rename') return { name: freeName(drive, parent.id, name) };
  if (behavior === 'replace') return { name, existing };
  throw conflict('drives', 'An item with the same name already exists under the parent');
}

export function quotaOf(drive: OpenDrive): number {
  return drive.library.driveType === 'business' ? QUOTA_BYTES : 25 * QUOTA_BYTES;
}

/** Refuses what no longer fits. */
export function requireSpace(context: Context, drive: OpenDrive, sizeBytes: number): void {
  const isFull = drive.usedBytes() + sizeBytes > quotaOf(drive);
  if (isFull || context.hasEffect('quota')) throw new Failure(507, 'quotaLimitReached', 'The drive is full.');
}

/** SharePoint puts its own properties into Office files that come into a library. */
function asStored(
  context: Context,
  drive: OpenDrive,
  item: { readonly id: string; readonly name: string; readonly content: FileContent },
): FileContent {
  const isRewriting = context.tenant.switches.rewriteOffice || context.hasEffect('rewriteOffice');
  if (!isRewriting || drive.library.driveType === 'business' || !isOffice(item.name)) return item.content;
  const { received } = context.tenant;
  const whole = Buffer.concat([...contentPieces(received, item.content)]);
  return receivedContent(received, rewriteOffice(whole, drive.guid(item.id)));
}

export interface FileTimes {
  readonly fileCreatedMs?: number;
  readonly fileModifiedMs?: number;
}

/** Reads `fileSystemInfo`. */
export function readFileTimes(body: JsonObject): FileTimes {
  const info = objectField(body, 'fileSystemInfo');
  const created = timeField(info, 'createdDateTime');
  const modified = timeField(info, 'lastModifiedDateTime');
  return {
    ...(created === undefined ? {} : { fileCreatedMs: created }),
    ...(modified === undefined ? {} : { fileModifiedMs: modified }),
  };
}

export interface NewContent extends FileTimes {
  readonly content: FileContent;
  readonly actor: Actor;
}

/** A new file in `parent`. The name must be free. */
export function createFile(context: Context, drive: OpenDrive, place: { parentId: string; name: string }, given: NewContent): ItemRecord {
  requireSpace(context, drive, given.content.sizeBytes);
  const nowMs = context.tenant.clock.nowMs();
  const id = drive.newId();
  const content = asStored(context, drive, { id, name: place.name, content: given.content });
  const record: ItemRecord = {
    id,
    parentId: place.parentId,
    name: place.name,
    kind: 'file',
    createdMs: nowMs,
    modifiedMs: nowMs,
    createdBy: given.actor,
    modifiedBy: given.actor,
    fileCreatedMs: given.fileCreatedMs ?? nowMs,
    fileModifiedMs: given.fileModifiedMs ?? nowMs,
    revision: 1,
    contentRevision: 1,
    versions: [{ id: '1.0', content, modifiedMs: nowMs, modifiedBy: given.actor }],
    grants: [],
    inherits: true,
  };
  drive.put(record);
  return record;
}

/** A new version of a file. */
export function replaceContent(context: Context, drive: OpenDrive, item: ItemRecord, given: NewContent): ItemRecord {
  requireSpace(context, drive, given.content.sizeBytes);
  if (item.kind !== 'file') throw conflict('drives', 'A folder with the same name already exists.');
  const nowMs = context.tenant.clock.nowMs();
  const content = asStored(context, drive, { id: item.id, name: item.name, content: given.content });
  const number = Number.parseInt(item.versions.at(-1)?.id ?? '0', 10) + 1;
  const { staleHash: _stale, malware: _malware, isSharingChange: _sharing, ...kept } = item;
  const record: ItemRecord = {
    ...kept,
    modifiedMs: nowMs,
    modifiedBy: given.actor,
    fileCreatedMs: given.fileCreatedMs ?? item.fileCreatedMs,
    fileModifiedMs: given.fileModifiedMs ?? nowMs,
    revision: item.revision + 1,
    contentRevision: item.contentRevision + 1,
    versions: [...item.versions, { id: `${number}.0`, content, modifiedMs: nowMs, modifiedBy: given.actor }],
  };
  drive.put(record);
  return record;
}
