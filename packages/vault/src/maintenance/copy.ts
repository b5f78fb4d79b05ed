import { forEachConcurrent } from '@holdfast/foundation/concurrency';
import { crashPoint } from '@holdfast/foundation/crash-point';
import { isAppError } from '@holdfast/foundation/errors';
import { DOCUMENTS_FOLDER } from '../documents/documents.ts';
import { vaultError } from '../shared/errors.ts';
import { HEADER_COPY_NAME, HEADER_NAME, parseHeader } from '../header/header.ts';
import { decodeCopy } from '../journal/copies.ts';
import { decodeSegment } from '../journal/segment.ts';
import { parseJournalName } from '../journal/segment-names.ts';
import { badFrames } from '../pack/pack-check.ts';
import { readPackIndex } from '../pack/pack-reader.ts';
import { packIdOf } from '../pack/pack.ts';
import type { MaintenanceContext } from './context.ts';
import type { CopyOptions, CopyReport } from './maintenance.ts';

/** In this order: what is named comes before what names it. The header comes last: a copy without one is unfinished. */
const FOLDERS = ['packs/', 'itemkeys/', 'retention/', 'copies/', 'journal/', 'evidence/', DOCUMENTS_FOLDER] as const;
/** What is deleted here is deleted there: a copy must not undo a shredding. */
const DELETED_FOLDERS = ['itemkeys/', DOCUMENTS_FOLDER] as const;
const OBJECTS_AT_ONCE = 4;

async function checkTarget(context: MaintenanceContext, target: CopyOptions['target']): Promise<void> {
  for (const name of [HEADER_NAME, HEADER_COPY_NAME]) {
    const data = await target.get(name).catch((error: unknown) => {
      if (isAppError(error, 'vault.object-missing')) return undefined;
      throw error;
    });
    if (data && parseHeader(name, data).header.vaultId !== context.keys.vaultId) {
      throw vaultError('vault.foreign', `Another vault lies at ${target.description}.`, { object: name });
    }
  }
}

/** Throws `vault.damaged` when the source's object is not what was written: damage is never copied. */
async function checkSource(context: MaintenanceContext, name: string, data: Buffer): Promise<void> {
  const packId = packIdOf(name);
  if (packId !== undefined) {
    const { frames } = await readPackIndex(context.store, context.keys, packId);
    if (badFrames(context.keys, packId, data, frames).length > 0)
      throw vaultError('vault.damaged', `${name} is damaged.`, { object: name });
  }
  const { kind } = parseJournalName(name) ?? {};
  if (kind === 'segment') decodeSegment(context.keys, name, data);
  if (kind === 'copy') decodeCopy(context.keys, name.replace(/^copies\//, 'journal/'), data);
}

interface Counts {
  copiedObjects: number;
  copiedBytes: number;
  presentObjects: number;
  deletedObjects: number;
  readonly damagedObjects: string[];
}

async function copyOne(context: MaintenanceContext, options: CopyOptions, name: string, counts: Counts): Promise<void> {
  options.signal?.throwIfAborted();
  const data = await context.store.get(name, undefined, options.signal).catch((error: unknown) => {
    if (isAppError(error, 'vault.object-missing')) return undefined;
    throw error;
  });
  if (!data) return;
  if (options.verify ?? true) {
    try {
      await checkSource(context, name, data);
    } catch (error) {
      if (!isAppError(error, 'vault.damaged')) throw error;
      counts.damagedObjects.push(name);
      return;
    }
  }
  await crashPoint('vault.copy.before-put');
  await options.target.put(name, [data]);
  await crashPoint('vault.copy.after-put');
  if ((options.verify ?? true) && !(await options.target.get(name)).equals(data)) {
    throw vaultError('vault.storage-unavailable', `${options.target.description} gave back ${name} differently from what was written.`, {
      object: name,
    });
  }
  counts.copiedObjects += 1;
  counts.copiedBytes += data.byteLength;
}

async function* lacking(
  context: MaintenanceContext,
  options: CopyOptions,
  folder: string,
  counts: Counts,
): AsyncGenerator<string, void, undefined> {
  const present = options.target.list(folder)[Symbol.asyncIterator]();
  let next = await present.next();
  for await (const { name, sizeBytes } of context.store.list(folder)) {
    while (!next.done && next.value.name < name) next = await present.next();
    if (!next.done && next.value.name === name && next.value.sizeBytes === sizeBytes) counts.presentObjects += 1;
    else yield name;
  }
}

async function removeDeleted(context: MaintenanceContext, options: CopyOptions, counts: Counts): Promise<void> {
  const gone: string[] = [];
  for (const folder of DELETED_FOLDERS) {
    for await (const { name } of options.target.list(folder)) if (!(await context.store.stat(name))) gone.push(name);
  }
  for (const name of gone) {
    await options.target.delete(name);
    counts.deletedObjects += 1;
  }
}

/**
 * Copies what the target lacks. Written-once objects that are there in full length stay untouched,
 * so a copy is incremental, may be killed and repeated, and never overwrites good with damaged.
 */
export async function copyVault(context: MaintenanceContext, options: CopyOptions): Promise<CopyReport> {
  await checkTarget(context, options.target);
  const counts: Counts = { copiedObjects: 0, copiedBytes: 0, presentObjects: 0, deletedObjects: 0, damagedObjects: [] };
  for (const folder of FOLDERS) {
    await forEachConcurrent(lacking(context, options, folder, counts), options.concurrency ?? OBJECTS_AT_ONCE, (name) =>
      copyOne(context, options, name, counts),
    );
  }
  await removeDeleted(context, options, counts);
  for (const name of [HEADER_COPY_NAME, HEADER_NAME]) await copyOne(context, options, name, counts);
  return counts;
}
