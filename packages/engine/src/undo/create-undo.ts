import type { Clock } from '@holdfast/foundation/clock';
import { mapConcurrent } from '@holdfast/foundation/concurrency';
import { crashPoint } from '@holdfast/foundation/crash-point';
import { AppError, isAppError } from '@holdfast/foundation/errors';
import type { Logger } from '@holdfast/foundation/logger';
import { graphOutcome, isGraphError, type GraphClient } from '@holdfast/m365';
import type { Vault } from '@holdfast/vault';
import { createMeter, type Meter } from '../pipeline/meter.ts';
import type { ItemVersion } from '../ports/item.ts';
import { silentProgress, type Progress } from '../ports/progress.ts';
import { createRestore } from '../restore/create-restore.ts';
import type { RestoreOutcome } from '../restore/request.ts';
import { contentOf } from '../restore/restorer.ts';
import { hashOf, keptBefore, replacedKey } from './kept-before.ts';
import type { UndoItem, UndoLine, UndoOutcome, UndoReport, UndoRequest, UndoResult } from './request.ts';
import { createReversible, type Present, type Reversible } from './reversible.ts';

export interface UndoEngineOptions {
  readonly graph: GraphClient;
  readonly progress: Progress;
  readonly report: UndoReport;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface Undo {
  /** Takes away what a restore has written, and puts back what it replaced. What people have changed since stays as it is. */
  run(request: UndoRequest, signal: AbortSignal): Promise<UndoResult>;
}

type Ended = Pick<UndoLine, 'outcome' | 'code'> & { readonly differences?: readonly string[] };

/** How many things are taken away at a time. */
const AT_A_TIME = 3;
/** How many replaced items are put back by one restore. */
const BATCH = 500;

interface Undoing {
  readonly options: UndoEngineOptions;
  readonly request: UndoRequest;
  readonly graph: GraphClient;
  readonly signal: AbortSignal;
  readonly kinds: ReturnType<typeof createReversible>;
  readonly counts: Record<UndoOutcome, number>;
  readonly meter: Meter;
  /** Items whose restored copy goes when what they replaced is back. */
  pending: UndoItem[];
}

/** A thing that is as the restore left it. */
interface Untouched {
  readonly reversible: Reversible;
  readonly found: Present;
}

async function tell({ options, counts, meter }: Undoing, { key, kind, path }: UndoItem, ended: Ended): Promise<void> {
  counts[ended.outcome] += 1;
  if (ended.outcome === 'failed') meter.error();
  meter.done(0);
  await options.report.tell([{ key, kind, path, differences: [], ...ended }]);
}

/** Failures of one thing are lines of the report; what concerns all of them ends the undo. */
async function attempt<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result | Ended> {
  try {
    signal.throwIfAborted();
    return await work();
  } catch (error) {
    if (signal.aborted) throw error;
    if (isGraphError(error, 'graph.precondition-failed')) return { outcome: 'skipped', code: 'undo.changed' };
    const outcome = graphOutcome(error);
    const isOfOne =
      (outcome !== undefined && outcome !== 'tenant' && outcome !== 'resource') || isAppError(error, 'vault.damaged', 'vault.blob-missing');
    if (!isOfOne) throw error;
    return { outcome: 'failed', code: isAppError(error) ? error.code : 'internal' };
  }
}

function isBegun({ request }: Undoing, { key }: UndoItem): boolean {
  return request.earlier?.begun.has(key) ?? false;
}

/** Looks whether a thing is still as the restore left it; otherwise says why it stays. */
async function look(undoing: Undoing, item: UndoItem): Promise<Untouched | Ended> {
  const reversible = undoing.kinds[item.kind];
  if (!reversible) return { outcome: 'notPossible', code: 'undo.stays' };
  if (item.mark === '') return { outcome: 'skipped', code: 'undo.state-unknown' };
  const found = await reversible.find(item);
  if (!found) {
    if (!isBegun(undoing, item)) return { outcome: 'skipped', code: 'undo.gone' };
    // An earlier worker of this undo took it away. What it replaced was back before that.
    return { outcome: item.replaced ? 'putBack' : 'removed' };
  }
  if (found.mark !== item.mark) return { outcome: 'skipped', code: 'undo.changed' };
  for await (const _ of reversible.contents?.(item) ?? []) return { outcome: 'skipped', code: 'undo.not-empty' };
  return { reversible, found };
}

async function remove({ options }: Undoing, item: UndoItem, { reversible }: Untouched): Promise<void> {
  await options.report.begin(item.key, []);
  await crashPoint('undo.before-remove');
  await reversible.remove(item);
  await crashPoint('undo.removed');
}

async function kept({ request: { home, before } }: Undoing, item: UndoItem): Promise<ItemVersion | undefined> {
  if (!before) return undefined;
  return (await keptBefore(before.catalog, { resourceId: home.id, sequence: before.sequence }, [item])).get(item.key);
}

/** Names grants that a backup does not know: the restore gave them, and they stay. */
async function grantsLeft(
  graph: GraphClient,
  { targetId: itemId, place: driveId }: UndoItem,
  { properties }: ItemVersion,
): Promise<readonly string[]> {
  const { permissions } = properties;
  const known = new Set(Array.isArray(permissions) ? permissions.map((one) => (one as { readonly id?: string }).id) : []);
  for await (const { id, roles, inheritedFrom } of graph.drives.permissions({ driveId, itemId })) {
    if (!inheritedFrom && roles?.includes('owner') !== true && !known.has(id)) return ['grantsStay'];
  }
  return [];
}

/** A file keeps its place and its history: what it held before becomes its newest version. */
async function putBackFile(undoing: Undoing, item: UndoItem, { vault, version }: { vault: Vault; version: ItemVersion }): Promise<Ended> {
  const { options, graph, signal } = undoing;
  const { targetId: itemId, place: driveId } = item;
  const content = contentOf(version, 'file');
  if (!content) return { outcome: 'notPossible', code: 'undo.not-kept' };
  await options.report.begin(item.key, []);
  await crashPoint('undo.before-remove');
  const { createdAt: createdDateTime, modifiedAt: lastModifiedDateTime } = version;
  const times = createdDateTime && lastModifiedDateTime ? { fileSystemInfo: { createdDateTime, lastModifiedDateTime } } : {};
  const { sizeBytes } = content.ref;
  const open = (offset: number) => vault.reader().read(content.ref, { range: { offset, length: sizeBytes - offset }, signal });
  await graph.drives.upload({ driveId }, { target: { itemId }, conflict: 'replace', ...times }, { sizeBytes, open });
  await crashPoint('undo.removed');
  return { outcome: 'putBack', differences: await grantsLeft(graph, item, version) };
}

/** Whether an earlier worker of this undo put this file back and did not report it. */
async function isBackAlready(undoing: Undoing, item: UndoItem): Promise<boolean> {
  if (item.kind !== 'file' || !isBegun(undoing, item)) return false;
  const before = await kept(undoing, item);
  const found = await undoing.kinds.file?.find(item);
  return found?.hash !== undefined && before !== undefined && found.hash === hashOf(before);
}

/** Takes one thing away, or says what else becomes of it. Nothing is said of an item that waits for what it replaced. */
async function reverse(undoing: Undoing, item: UndoItem): Promise<Ended | undefined> {
  const looked = await look(undoing, item);
  if ('outcome' in looked) {
    if (looked.code === 'undo.changed' && (await isBackAlready(undoing, item))) return { outcome: 'putBack' };
    return looked;
  }
  if (!item.replaced) {
    await remove(undoing, item, looked);
    return { outcome: 'removed' };
  }
  const version = await kept(undoing, item);
  const { before } = undoing.request;
  if (!before || !version) return { outcome: 'notPossible', code: 'undo.not-kept' };
  if (item.kind === 'file') return putBackFile(undoing, item, { vault: before.vault, version });
  undoing.pending.push(item);
  return undefined;
}

/** Whether a line of a restore says that its item is there now. */
function isBack(outcome: RestoreOutcome): boolean {
  return outcome === 'restored' || outcome === 'renamed' || outcome === 'replaced';
}

/** What a backup calls what an item replaced. */
function keyOf(item: UndoItem): string {
  return item.replaced ? replacedKey(item, item.replaced) : item.key;
}

/** Items whose predecessors are still where they were: their owners brought them back, or nobody let the restore delete them. */
async function stillThere({ kinds }: Undoing, items: readonly UndoItem[]): Promise<ReadonlySet<string>> {
  const there = new Set<string>();
  for (const item of items) {
    const { replaced } = item;
    if (replaced && (await kinds[item.kind]?.find({ ...item, targetId: replaced.id }))) there.add(keyOf(item));
  }
  return there;
}

/** Restores what was replaced, beside the copies that replaced it: there is no moment without either. Answers what is back. */
async function restoreReplaced(undoing: Undoing, items: readonly UndoItem[]): Promise<ReadonlyMap<string, Ended>> {
  const { options, request, graph, signal } = undoing;
  const { clock, logger } = options;
  const { before } = request;
  const back = new Map<string, Ended>();
  const keys = items.map(keyOf);
  const there = new Set([...(await request.wasPutBack(keys)), ...(await stillThere(undoing, items))]);
  for (const key of there) back.set(key, { outcome: 'putBack' });
  const selection = keys.filter((key) => !there.has(key));
  if (selection.length === 0 || !before) return back;
  const { report, earlier } = request.back;
  const restore = createRestore({
    vault: before.vault,
    graph,
    catalog: before.catalog,
    progress: silentProgress,
    // Nobody undoes an undo: what it puts back is not noted.
    report: {
      begin: (key, there) => report.begin(key, there),
      uploading: (key, upload) => report.uploading(key, upload),
      async tell(lines) {
        for (const { key, outcome, code } of lines) {
          back.set(key, isBack(outcome) ? { outcome: 'putBack' } : { outcome: 'failed', ...(code === undefined ? {} : { code }) });
        }
        await report.tell(lines);
      },
    },
    clock,
    logger,
  });
  for (const [key, { outcome }] of (await earlier?.told(selection)) ?? []) if (isBack(outcome)) back.set(key, { outcome: 'putBack' });
  const { runId, home } = request;
  const target = { resource: home };
  const of = { runId, source: home, sequence: before.sequence, selection, target, collisions: 'keepBoth' } as const;
  const result = await restore.run({ ...of, ...(earlier ? { earlier } : {}) }, signal);
  signal.throwIfAborted();
  if (result.status === 'failed') throw new AppError(result.code ?? 'internal');
  return back;
}

/** Puts back what was replaced, and then takes the copies away that replaced it. */
async function settlePending(undoing: Undoing): Promise<void> {
  const { pending, signal } = undoing;
  undoing.pending = [];
  if (pending.length === 0) return;
  const back = await restoreReplaced(undoing, pending);
  await crashPoint('undo.put-back');
  for (const item of pending) {
    const there: Ended = back.get(keyOf(item)) ?? { outcome: 'failed', code: 'undo.not-kept' };
    if (there.outcome !== 'putBack') {
      await tell(undoing, item, there);
      continue;
    }
    const ended = await attempt(signal, async (): Promise<Ended> => {
      const looked = await look(undoing, item);
      if ('outcome' in looked) return looked;
      await remove(undoing, item, looked);
      return { outcome: 'putBack' };
    });
    await tell(undoing, item, ended);
  }
}

/** What is still to be done, a page at a time. */
async function* untold(items: AsyncIterable<UndoItem>, { request }: Undoing): AsyncGenerator<UndoItem> {
  const { earlier } = request;
  if (!earlier) return yield* items;
  let page: UndoItem[] = [];
  const open = async (): Promise<readonly UndoItem[]> => {
    const told = await earlier.told(page.map(({ key }) => key));
    return page.filter(({ key }) => !told.has(key));
  };
  for await (const item of items) {
    page.push(item);
    if (page.length < BATCH) continue;
    yield* await open();
    page = [];
  }
  yield* await open();
}

async function undoAll(undoing: Undoing): Promise<void> {
  const { request, signal } = undoing;
  const work = async (item: UndoItem) => [item, await attempt(signal, () => reverse(undoing, item))] as const;
  for await (const [item, ended] of mapConcurrent(untold(request.items, undoing), AT_A_TIME, work)) {
    if (ended) await tell(undoing, item, ended);
    if (undoing.pending.length >= BATCH) await settlePending(undoing);
  }
  await settlePending(undoing);
  // Items are gone by now, and the containers come from the inside out.
  for await (const item of untold(request.containers, undoing)) {
    const ended = await attempt(signal, () => reverse(undoing, item));
    if (ended) await tell(undoing, item, ended);
  }
}

/** Takes back what a restore has done to one resource. */
export function createUndo(options: UndoEngineOptions): Undo {
  return Object.freeze<Undo>({
    async run(request, signal) {
      const counts = { removed: 0, putBack: 0, skipped: 0, failed: 0, notPossible: 0, ...request.earlier?.counts };
      const done = Object.values(counts).reduce((sum, count) => sum + count, 0);
      const meter = createMeter(options.progress, options.clock, done);
      const graph = options.graph.with({ priority: 'restore', signal });
      const undoing: Undoing = {
        options,
        request,
        graph,
        signal,
        kinds: createReversible(graph, request.home),
        counts,
        meter,
        pending: [],
      };
      meter.expect(request.total);
      meter.stage('restoring');
      try {
        await undoAll(undoing);
      } catch (error) {
        if (!signal.aborted && !isAppError(error)) throw error;
        const code = signal.aborted ? 'engine.cancelled' : isAppError(error) ? error.code : 'internal';
        options.logger.warn({ runId: request.runId, code, err: error }, 'an undo ended early');
        return { status: signal.aborted ? 'cancelled' : 'failed', counts, code };
      }
      meter.stage('finished');
      return { status: counts.failed > 0 ? 'defective' : 'successful', counts };
    },
  });
}
