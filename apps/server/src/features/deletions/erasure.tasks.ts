import type { Database, Scope, Tx } from '@holdfast/database';
import { eraseItems, type ErasingCatalog, type Lease, type RunResult } from '@holdfast/engine';
import { now, type Clock } from '@holdfast/foundation/clock';
import { crashPoint } from '@holdfast/foundation/crash-point';
import { AppError } from '@holdfast/foundation/errors';
import type { Logger } from '@holdfast/foundation/logger';
import { databaseNow } from '../../platform/database-now.views.ts';
import type { RunContext, RunHandler, RunOf, RunOutcome } from '../../runs/handler.ts';
import type { RunAccountsStore } from '../../runs/index.ts';
import { waitingCalls } from '../../runs/waiting-calls.ts';
import { resourceOf, type EraseDecision, type ResourcesStore, type Vaults } from '../../storage/index.ts';
import type { AuditInbox } from '../audit/index.ts';
import { attestedTime, onceFree, type TenantGraph } from '../backup/index.ts';
import type { DueMessages } from '../retention/index.ts';
import { createDeletionsStore, type DeletionRow, type DeletionsStore } from './deletions.store.ts';
import { deletionDetails } from './deletions.views.ts';
import type { Keeper, ListedPlace, ListedState } from './deletion-list.ts';
import { keepersOfItems, type DeletionKeepers, type ItemsToGo } from './keepers.ts';
import { erasedBy, listedAfter, newestVersions, noteStates, placesOf } from './listed-messages.store.ts';
import { remainingCopies } from './remains.views.ts';

export interface ErasureHandlerOptions {
  readonly database: Database;
  readonly graph: TenantGraph;
  readonly vaults: Vaults;
  readonly resources: Pick<ResourcesStore, 'get'>;
  readonly accounts: Pick<RunAccountsStore, 'begin' | 'start' | 'end'>;
  readonly archiveKeepers: DeletionKeepers;
  readonly dueMessages: Pick<DueMessages, 'among'>;
  readonly audit: AuditInbox;
  /** The catalog of a location, for whoever erases what `decide` lets go. */
  erasingCatalogOf(scope: Scope, locationId: string, decide: EraseDecision): ErasingCatalog;
  leaseOf(scope: Scope, locationId: string): Lease;
  readonly clock: Clock;
  readonly logger: Logger;
}

type ErasureContext = RunContext<RunOf<'erasure'>>;

interface Erasing {
  readonly options: ErasureHandlerOptions;
  readonly store: DeletionsStore;
  readonly context: ErasureContext;
  readonly row: DeletionRow;
  /** The earliest of the clocks: no period ends because one of them is ahead. */
  readonly nowMs: number;
}

/** Items that go in one transaction, with one segment of the journal. */
const BATCH = 500;
const DAY_MS = 86_400_000;
/** What was marked is swept a day later; what the storage locks is looked at again in a week. */
const SWEEP_AGAIN_MS = DAY_MS + 3_600_000;
const LOCKED_AGAIN_MS = 7 * DAY_MS;
const NOTHING = { seen: 0, added: 0, changed: 0, removed: 0, unchanged: 0, gone: 0, failed: 0, excluded: 0 };

/** What keeps items now: holds, minimums, and of a list of a policy that it does not delete them any longer. */
async function keptNow(
  tx: Tx,
  { options, row }: Pick<Erasing, 'options' | 'row'>,
  items: ItemsToGo,
): Promise<ReadonlyMap<string, readonly Keeper[]>> {
  const kept = new Map(await keepersOfItems(options.archiveKeepers, tx, items));
  if (row.policy_id === null) return kept;
  const { place, keys: messageIds, ...when } = items;
  const due = await options.dueMessages.among(tx, row.policy_id, { resourceId: place.resourceId, messageIds, ...when });
  const notDue: Keeper = { kind: 'notDue', name: row.query, until: null };
  for (const key of messageIds) if (!due.has(key) && !kept.has(key)) kept.set(key, [notDue]);
  return kept;
}

/** What becomes of each item of a batch, decided in the transaction in which it goes. */
function createDecision({ options, row, nowMs }: Erasing, place: ListedPlace): EraseDecision {
  return async (tx, { sourceId }, keys) => {
    const { deletion_id: deletionId } = row;
    const present = await newestVersions(tx, [sourceId], keys);
    const before = await erasedBy(tx, deletionId, place, keys);
    const there = keys.filter((key) => present.has(key));
    const kept = await keptNow(tx, { options, row }, { place, keys: there, latestMs: nowMs });
    const states = keys.map((key): ListedState => {
      if (!present.has(key)) return { key, state: before.has(key) ? 'erased' : 'gone', keepers: [] };
      return { key, state: kept.has(key) ? 'kept' : 'erased', keepers: kept.get(key) ?? [] };
    });
    await noteStates(tx, deletionId, place, states);
    return there.filter((key) => !kept.has(key));
  };
}

/** The items of one place by key; what an earlier attempt settled is not among them. */
async function* batchesOf({ store, context, row }: Erasing, place: ListedPlace): AsyncGenerator<readonly string[], void, undefined> {
  for (let after = ''; ;) {
    const from = after;
    const keys = await store.within(context.scope, (tx) => listedAfter(tx, row.deletion_id, place, { after: from, limit: BATCH }));
    const last = keys.at(-1);
    if (last === undefined) return;
    yield keys;
    after = last;
  }
}

/** Erases what is listed of one resource in one location. */
async function eraseIn(erasing: Erasing, place: ListedPlace): Promise<void> {
  const { options, context, row } = erasing;
  const { scope, run, signal } = context;
  const { resourceId, locationId } = place;
  const resource = await options.resources.get(scope, resourceId);
  if (!resource) return;
  const why = {
    deletionId: row.deletion_id,
    basis: row.basis,
    reason: row.reason,
    requester: row.requester,
    approver: row.approver ?? '',
  };
  const catalog = options.erasingCatalogOf(scope, locationId, createDecision(erasing, place));
  await options.vaults.use(scope, locationId, (vault) =>
    onceFree(options.clock, signal, () =>
      eraseItems(
        { ...options, vault, catalog, lease: options.leaseOf(scope, locationId) },
        { resource: resourceOf(resource), runId: run.runId, why, batches: batchesOf(erasing, place), signal },
      ),
    ),
  );
}

async function erasedIn(tx: Tx, deletionId: string, resourceId: string): Promise<{ readonly count: number; readonly bytes: number }> {
  const { count, bytes } = await tx
    .selectFrom('message_deletion_items')
    .select((row) => [row.fn.countAll<number>().as('count'), row.fn.sum<number | null>('size_bytes').as('bytes')])
    .where('deletion_id', '=', deletionId)
    .where('resource_id', '=', resourceId)
    .where('state', '=', 'erased')
    .executeTakeFirstOrThrow();
  return { count, bytes: bytes ?? 0 };
}

/** Erases resource by resource; each is an account of the run. */
async function eraseAll(erasing: Erasing): Promise<void> {
  const { options, store, context, row } = erasing;
  const { scope, run, progress, signal } = context;
  const places = await store.within(scope, (tx) => placesOf(tx, row.deletion_id));
  const resources = Map.groupBy(places, ({ resourceId }) => resourceId);
  await options.accounts.begin(scope, run.runId, [...resources.keys()]);
  progress.expect(resources.size);
  for (const [resourceId, own] of resources) {
    signal.throwIfAborted();
    await options.accounts.start(scope, run.runId, resourceId);
    for (const place of own) await eraseIn(erasing, place);
    const { count, bytes } = await store.within(scope, (tx) => erasedIn(tx, row.deletion_id, resourceId));
    const result: RunResult = {
      status: 'successful',
      // The certificate lists the account with what was deleted of it.
      counts: { ...NOTHING, seen: count, changed: count, removed: count },
      bytesRead: bytes,
      newBytes: 0,
      storedBytes: 0,
      sequence: null,
      segments: 0,
    };
    await options.accounts.end(scope, run.runId, resourceId, result);
    progress.ended(resourceId);
  }
}

/** Lets the vaults give up what nothing needs any longer; answers which still store something of what was erased, and whether it is locked. */
async function sweep({ options, store, context, row, nowMs }: Erasing): Promise<{ unswept: string[]; isLocked: boolean }> {
  const { scope, signal } = context;
  const places = await store.within(scope, (tx) => placesOf(tx, row.deletion_id));
  const unswept: string[] = [];
  let isLocked = false;
  for (const locationId of new Set(places.map((place) => place.locationId))) {
    const { erasedBlobs, lostResources, lockedPacks } = await options.vaults.use(scope, locationId, (vault) =>
      vault.maintenance.prune({ policy: { keepsPoint: () => true }, nowMs, signal }),
    );
    if (erasedBlobs > 0 || lostResources > 0) unswept.push(locationId);
    isLocked ||= lockedPacks.length > 0;
  }
  return { unswept, isLocked };
}

/** Writes down what has become of it: what is gone, what is kept, and where copies remain. */
async function report({ options, store, context, row }: Erasing, { unswept, isLocked }: { unswept: string[]; isLocked: boolean }) {
  const { run, scope } = context;
  return store.within(scope, async (tx) => {
    const { deletion_id: deletionId, tenant_id: tenantId } = row;
    const at = now(options.clock);
    const copies = await remainingCopies(tx, deletionId, unswept);
    const again = new Date(at.getTime() + (isLocked ? LOCKED_AGAIN_MS : SWEEP_AGAIN_MS));
    await store.change(tx, deletionId, {
      state: 'finished',
      ended_at: row.ended_at ?? at,
      remains: JSON.stringify({ countedAt: at.toISOString(), copies }),
      ...(unswept.length > 0 ? { sweep_at: again } : { sweep_at: null, swept_at: row.swept_at ?? at }),
    });
    const details = await deletionDetails(tx, { tenantId, deletionId });
    if (!details) throw new AppError('not-found');
    const figures = { erased: details.erased.messages, kept: details.kept.messages, gone: details.gone };
    if (row.state === 'running') {
      await options.audit.record(tx, {
        event: 'deletions.finished',
        actor: { kind: 'worker', name: 'worker' },
        subject: { kind: 'messageDeletion', id: deletionId, name: row.query },
        reason: row.reason,
        details: { ...figures, runId: run.runId, requester: row.requester, approver: row.approver },
      });
    }
    return { ...figures, bytes: details.erased.bytes, unswept: unswept.length };
  });
}

/** By the earliest of the clocks: that of the process, of the database, and of Microsoft 365. Without the last nothing is deleted. */
async function earliestTime({ clock, database, graph }: ErasureHandlerOptions, context: ErasureContext): Promise<number> {
  const { scope, run } = context;
  const attestedMs = await graph.use(scope, run.tenantId, (client) => attestedTime(client.with(waitingCalls(context))));
  return Math.min(clock.nowMs(), await database.within(scope, databaseNow), attestedMs);
}

/** The deletion of a run, and by what time it is judged: not before its quarantine is over by that. */
async function opened(options: ErasureHandlerOptions, store: DeletionsStore, context: ErasureContext): Promise<Erasing> {
  const { scope, run } = context;
  const row = await store.within(scope, (tx) => store.read(tx, run.body.deletionId, { tenantId: run.tenantId }));
  if (!row || !['running', 'finished'].includes(row.state)) throw new AppError('not-found');
  const nowMs = await earliestTime(options, context);
  if (row.due_at === null || row.due_at.getTime() > nowMs) throw new AppError('deletions.quarantined');
  return { options, store, context, row, nowMs };
}

/** The handler of erasures: walks the list of a deletion by key, and lets the vaults give up what nothing needs any longer. */
export function createErasureHandler(options: ErasureHandlerOptions): RunHandler<RunOf<'erasure'>> {
  const store = createDeletionsStore(options.database);
  return async (context): Promise<RunOutcome> => {
    const { progress } = context;
    progress.stage('preparing');
    const erasing = await opened(options, store, context);
    if (erasing.row.state === 'running') {
      progress.stage('working');
      await eraseAll(erasing);
      await crashPoint('deletions.before-sweep');
    }
    progress.stage('committing');
    const swept = await sweep(erasing);
    await crashPoint('deletions.before-report');
    const result = await report(erasing, swept);
    const { erased: removed, kept: unchanged, gone } = result;
    const counts = { added: 0, changed: 0, removed, unchanged, gone, excluded: 0, newBytes: 0, storedBytes: 0 };
    return { status: 'successful', code: null, counts, result };
  };
}
