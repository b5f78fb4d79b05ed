import type { Clock } from '@holdfast/foundation/clock';
import { mapConcurrent } from '@holdfast/foundation/concurrency';
import { crashPoint } from '@holdfast/foundation/crash-point';
import { AppError, isAppError } from '@holdfast/foundation/errors';
import type { Logger } from '@holdfast/foundation/logger';
import { graphOutcome, type GraphClient } from '@holdfast/m365';
import type { Vault } from '@holdfast/vault';
import { createMeter, type Meter } from '../pipeline/meter.ts';
import type { Catalog } from '../ports/catalog.ts';
import { asVersion } from '../ports/file-versions.ts';
import type { ItemVersion } from '../ports/item.ts';
import type { Progress } from '../ports/progress.ts';
import { attempt } from './attempt.ts';
import { createBeginnings } from './beginnings.ts';
import { archivedMailbox } from './mailbox/archived-mailbox.ts';
import { countLines } from './count-lines.ts';
import { dryGraph, wouldWrite } from './dry-graph.ts';
import { createPlan, type PlanRequest } from './plan.ts';
import { pointOf } from './point.ts';
import type { RestoreOutcome, RestorePlan, RestoreReport, RestoreRequest, RestoreResult, Told } from './request.ts';
import { createRestorer } from './restorers.ts';
import type { ItemOutcome, PlacedContainer, RestoreContext, Restorer } from './restorer.ts';
import { walk, type WalkedContainer } from './walk.ts';

export interface RestoreEngineOptions {
  readonly vault: Vault;
  readonly graph: GraphClient;
  readonly catalog: Catalog;
  readonly progress: Progress;
  readonly report: RestoreReport;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface Restore {
  /** Says what a restore would do. Writes nothing. */
  plan(request: PlanRequest, signal: AbortSignal): Promise<RestorePlan>;
  /** Puts the selection back, item by item; each has a line in the report. Sends no mail to anybody. */
  run(request: RestoreRequest, signal: AbortSignal): Promise<RestoreResult>;
}

export type RestoreErrorCode = 'restore.no-such-point' | 'restore.no-such-item' | 'restore.roles-missing';

type Counts = Record<RestoreOutcome, number>;

/** How many items are asked about at once when a run is taken up. */
const PAGE = 500;

/** Counts that begin with what is done. */
function countsOf({ earlier }: RestoreRequest): Counts {
  return { restored: 0, skipped: 0, renamed: 0, replaced: 0, failed: 0, notPossible: 0, ...earlier?.counts };
}

function totalOf(counts: Counts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** Application roles a restore of these workloads lacks. */
export async function missingRoles(graph: GraphClient, restorer: Restorer): Promise<readonly string[]> {
  const { roles } = await graph.diagnose();
  const workloads = await restorer.workloads();
  return roles
    .filter((role) => role.state === 'missing' && !role.optional && role.purpose === 'restore' && workloads.includes(role.workload))
    .map((role) => role.role);
}

/** Messages of an archive are put back as those of a mailbox are. */
function sourceOf({ catalog }: RestoreEngineOptions, request: RestoreRequest): Pick<RestoreContext, 'request' | 'catalog'> {
  if (request.source.kind !== 'archive') return { request, catalog };
  return { request: { ...request, source: { ...request.source, kind: 'mailbox' } }, catalog: archivedMailbox(catalog, request) };
}

async function contextOf(options: RestoreEngineOptions, request: RestoreRequest, signal: AbortSignal): Promise<RestoreContext> {
  const { vault, clock, logger } = options;
  const point = await pointOf(options.catalog, request.source, request.sequence);
  const { resource, folder } = request.target;
  return {
    ...sourceOf(options, request),
    graph: options.graph.with({ priority: 'restore', signal }),
    reader: vault.reader(),
    sequence: point.sequence,
    pointAt: point.committedAt,
    clock,
    logger,
    signal,
    beginnings: createBeginnings(options.report, request.earlier, resource),
    isOriginal: resource.id === request.source.id && folder === undefined,
  };
}

interface Restoring {
  readonly context: RestoreContext;
  readonly restorer: Restorer;
  readonly counts: Counts;
  readonly meter: Meter;
  readonly report: RestoreReport;
  readonly placed: Map<string, PlacedContainer>;
}

/** An item with its path and what became of it. */
type Done = readonly [item: ItemVersion, path: string, result: ItemOutcome];

/** Tells of what an earlier worker of this run has not told of. */
async function tell(restoring: Restoring, all: readonly Done[]): Promise<void> {
  const { counts, meter, report, context } = restoring;
  const told = await context.request.earlier?.told(all.map(([item]) => item.key));
  const fresh = told === undefined ? all : all.filter(([item]) => !told.has(item.key));
  const lines = fresh.map(([item, path, result]) => {
    counts[result.outcome] += 1;
    if (result.outcome === 'failed') meter.error();
    meter.done(result.bytes ?? 0);
    const { targetId, code, differences = [], outcome } = result;
    const target = targetId === undefined ? {} : { targetId };
    return { key: item.key, kind: item.kind, path, outcome, differences, ...target, ...(code === undefined ? {} : { code }) };
  });
  if (lines.length > 0) await report.tell(lines);
}

async function place(restoring: Restoring, walked: WalkedContainer): Promise<PlacedContainer | 'failed' | undefined> {
  const { restorer, placed, context } = restoring;
  const { item, parent, path } = walked;
  if (!item) return undefined;
  const above = parent && placed.get(parent.key);
  if (parent && !above) return 'failed';
  const result = await attempt(() => restorer.container(item, above), context.signal);
  if (result.targetId === undefined) {
    await tell(restoring, [[item, path, result]]);
    return 'failed';
  }
  // What a worker that died has made and told of was not there before this restore.
  const told = (await context.request.earlier?.told([item.key]))?.get(item.key);
  const here = { ...result, targetId: result.targetId, outcome: told?.outcome ?? result.outcome };
  placed.set(item.key, here);
  if (!restorer.leave) await tellOfContainer(restoring, walked, here);
  return here;
}

async function tellOfContainer(restoring: Restoring, { item, path, isSelected }: WalkedContainer, result: ItemOutcome): Promise<void> {
  if (item && item.kind !== 'area' && isSelected) await tell(restoring, [[item, path, result]]);
}

/** Gives a container what it gets after its items, and reports it: one that can't be finished ends nothing but itself. */
async function leave(restoring: Restoring, walked: WalkedContainer, here: PlacedContainer): Promise<void> {
  const { restorer, context } = restoring;
  const { item } = walked;
  if (!item || !restorer.leave) return;
  const result = await attempt(async () => {
    await restorer.leave?.(item, here);
    return here;
  }, context.signal);
  await tellOfContainer(restoring, walked, result);
}

/** The item as it is asked for: a file may be wanted in one of its earlier versions. */
function wantedOf({ request }: RestoreContext, item: ItemVersion): ItemVersion {
  return request.fileVersion === undefined || item.kind !== 'file' ? item : asVersion(item, request.fileVersion);
}

/** Items that are still to be done, a page at a time: also those that are done themselves, but not all that comes with them. */
async function* undone(items: AsyncIterable<ItemVersion>, { restorer, context }: Restoring): AsyncGenerator<ItemVersion> {
  const { earlier } = context.request;
  if (!earlier) return yield* items;
  let page: ItemVersion[] = [];
  const left = async (): Promise<readonly ItemVersion[]> => {
    const told: ReadonlyMap<string, Told> = await earlier.told(page.map((item) => item.key));
    const open: ItemVersion[] = [];
    for (const item of page) if (!told.has(item.key) || (await restorer.isPartial?.(item))) open.push(item);
    return open;
  };
  for await (const item of items) {
    page.push(item);
    if (page.length < PAGE) continue;
    yield* await left();
    page = [];
  }
  if (page.length > 0) yield* await left();
}

async function restoreContainer(restoring: Restoring, walked: WalkedContainer): Promise<void> {
  const { restorer, context } = restoring;
  const here = await place(restoring, walked);
  const work = async (item: ItemVersion): Promise<readonly [ItemVersion, ItemOutcome]> => {
    if (here === 'failed') return [item, { outcome: 'failed', code: 'restore.container-failed' }];
    await crashPoint('restore.before-item');
    const result = await attempt(async () => restorer.item(wantedOf(context, item), here), context.signal);
    await crashPoint('restore.after-item');
    return [item, result];
  };
  for await (const [item, result] of mapConcurrent(undone(walked.items(), restoring), restorer.atATime(walked.item), work)) {
    const path = walked.path === '' ? item.name : `${walked.path}/${item.name}`;
    const inside = (result.inside ?? []).map(([inner, one]): Done => [inner, `${path}/${inner.name}`, one]);
    // A post is told of together with its answers; those that failed are forgotten when the run is taken up.
    await tell(restoring, [[item, path, result], ...inside]);
  }
  if (here !== 'failed' && here) await leave(restoring, walked, here);
}

async function restoreAll(restoring: Restoring): Promise<RestoreResult> {
  const { context, restorer, counts, meter } = restoring;
  const { request, signal, catalog, sequence, logger } = context;
  const chosen = { catalog, resourceId: request.source.id, sequence, selection: request.selection };
  try {
    meter.expect(await countLines(chosen));
    meter.stage('restoring');
    for await (const walked of walk(chosen)) {
      await restoreContainer(restoring, walked);
    }
  } catch (error) {
    if (!signal.aborted && graphOutcome(error) === undefined && !isAppError(error)) throw error;
    const code = signal.aborted ? 'engine.cancelled' : isAppError(error) ? error.code : 'internal';
    logger.warn({ runId: request.runId, code, err: error }, 'a restore ended early');
    return { status: signal.aborted ? 'cancelled' : 'failed', counts, bytes: meter.bytes, code };
  } finally {
    await restorer.finish?.();
  }
  meter.stage('finished');
  return { status: counts.failed > 0 ? 'defective' : 'successful', counts, bytes: meter.bytes };
}

/** Restores from one vault into one tenant. */
export function createRestore(options: RestoreEngineOptions): Restore {
  return Object.freeze({
    async run(request: RestoreRequest, signal: AbortSignal) {
      const context = await contextOf(options, request, signal);
      const restorer = createRestorer(context);
      const missing = await missingRoles(context.graph, restorer);
      if (missing.length > 0) throw new AppError<RestoreErrorCode>('restore.roles-missing', { details: { roles: missing } });
      const counts = countsOf(request);
      const meter = createMeter(options.progress, options.clock, totalOf(counts));
      return restoreAll({ context, restorer, counts, meter, report: options.report, placed: new Map() });
    },
    async plan(request: PlanRequest, signal: AbortSignal) {
      const report = { begin: wouldWrite, uploading: wouldWrite, tell: wouldWrite };
      const dry = { ...options, graph: dryGraph(options.graph), report };
      const context = await contextOf(dry, { ...request, collisions: 'skip' }, signal);
      const restorer = createRestorer(context);
      return createPlan({ ...context, request }, restorer, await missingRoles(context.graph, restorer));
    },
  });
}
