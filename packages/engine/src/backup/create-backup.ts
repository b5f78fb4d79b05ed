import { isAppError } from '@holdfast/foundation/errors';
import type { Clock } from '@holdfast/foundation/clock';
import type { Logger } from '@holdfast/foundation/logger';
import type { ResourceHead, Vault } from '@holdfast/vault';
import { catchUpCatalog } from '../pipeline/catch-up.ts';
import { createCommitter, type Committer } from '../pipeline/committer.ts';
import { decodeCursorState, type CursorState } from '../pipeline/cursor-state.ts';
import { adviceFor, isResourceExcluded } from '../pipeline/failure.ts';
import { createMissedSince, GONE_ITEM } from '../pipeline/gone.ts';
import { createKnownItems } from '../pipeline/known-items.ts';
import { createMeter } from '../pipeline/meter.ts';
import { makeUpFor } from '../pipeline/make-up.ts';
import { createReading, createSink } from '../pipeline/reading.ts';
import { runResource, type CheckpointRule } from '../pipeline/run-resource.ts';
import type { Workload } from '../pipeline/workload.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { HeldLease, Lease } from '../ports/lease.ts';
import type { Problems } from '../ports/problems.ts';
import type { Resource } from '../ports/item.ts';
import type { Progress } from '../ports/progress.ts';
import type { BackupRequest, RunCounts, RunResult, RunStatus } from '../ports/run.ts';

export interface BackupOptions {
  readonly vault: Vault;
  /** How a resource is enumerated: `graphWorkloads` reads it from Microsoft 365. */
  workloadOf(resource: Resource, signal: AbortSignal): Workload;
  readonly catalog: Catalog;
  readonly progress: Progress;
  readonly problems: Problems;
  readonly lease: Lease;
  readonly clock: Clock;
  readonly logger: Logger;
  /** When a run commits what it has; default about a page of 500 items, or 64 MiB. */
  readonly checkpoint?: CheckpointRule;
  /** Items on their way from the service to the vault at a time; the client's budgets hold the service's limits. Default 16. */
  readonly concurrency?: number;
}

export interface Backup {
  /**
   * Backs one resource up. Answers when what changed is durable and can be restored, or says why it
   * is not; throws only for faults of our own. May be repeated at any time: it goes on where the
   * last commit ended.
   */
  run(request: BackupRequest): Promise<RunResult>;
}

const DEFAULT_CHECKPOINT: CheckpointRule = { items: 500, bytes: 64 * 1024 * 1024 };
/** Four are being read, as the service permits of a mailbox; the others gather into batches for the vault's threads. */
const DEFAULT_CONCURRENCY = 16;
const CLOCK_TOLERANCE_MS = 15 * 60_000;
const NOTHING: RunCounts = { seen: 0, added: 0, changed: 0, removed: 0, unchanged: 0, gone: 0, failed: 0, excluded: 0 };

interface Session {
  readonly request: BackupRequest;
  readonly held: HeldLease;
  readonly signal: AbortSignal;
  readonly workload: Workload;
}

/** True when the newest segment does not describe this state yet. */
function needsCommit(committer: Committer, before: string, after: string): boolean {
  const { head, changes } = committer;
  if (!head) return true;
  return changes > 0 || !head.restorePoint || before !== after;
}

/** What of the state is worth a commit by itself: everything but where an unchanged scope goes on. */
function durableState(state: CursorState): string {
  const byKey = [...state.unread].sort(([a], [b]) => (a < b ? -1 : 1));
  const unread = byKey.map(([key, { code, gone = null }]) => [key, gone, code === GONE_ITEM]);
  return JSON.stringify([unread, [...state.excluded.keys()].sort(), state.scopes.size]);
}

interface Beginning {
  readonly head: ResourceHead | null;
  /** Commits that are lost and not made up for. */
  readonly lost: readonly number[];
}

async function perform(options: BackupOptions, session: Session, { head, lost }: Beginning): Promise<RunResult> {
  const { vault, catalog, clock, problems, logger } = options;
  const { request, held, signal, workload } = session;
  const { runId, resource, selections } = request;
  const state = decodeCursorState(head?.cursor ?? null);
  const before = durableState(state);
  const writer = await vault.openWriter({ resourceId: resource.id, signal });
  try {
    const meter = createMeter(options.progress, clock);
    const known = createKnownItems(catalog, resource.id);
    const at = { resourceId: resource.id, runId, catalog, signal };
    const committer = createCommitter({ ...at, resource, writer, journal: vault.journal(resource.id), lease: held, clock }, head);
    const missedSince = createMissedSince({ unread: state.unread, clock });
    const reading = createReading({ ...at, known, sink: createSink(writer, signal), unread: state.unread, missedSince });
    await makeUpFor(options, { lost, committer, state, resourceId: resource.id });
    meter.stage('enumerating');
    const steps = workload.enumerate({
      resource,
      selections,
      signal,
      clock,
      logger,
      known,
      meter,
      cursor: (scope) => state.scopes.get(scope),
      scopes: (prefix) => [...state.scopes.keys()].filter((scope) => scope.startsWith(prefix)),
      excluded: state.excluded,
      unread: state.unread,
    });
    const concurrency = options.concurrency ?? DEFAULT_CONCURRENCY;
    const checkpoint = options.checkpoint ?? DEFAULT_CHECKPOINT;
    const parts = { steps, state, committer, reading, known, problems, meter, missedSince };
    const counts = await runResource({ ...at, ...parts, concurrency, checkpoint });
    meter.stage('committing');
    if (needsCommit(committer, before, durableState(state))) await committer.commit(state, { point: true, summary: { ...counts } });
    await writer.close();
    meter.stage('finished');
    const status: RunStatus = counts.failed > 0 ? 'defective' : 'successful';
    const { segments, head: last } = committer;
    return {
      status,
      counts,
      bytesRead: meter.bytes,
      newBytes: writer.statistics.newBytes,
      storedBytes: writer.statistics.storedBytes,
      sequence: last?.sequence ?? null,
      segments,
    };
  } catch (error) {
    await writer.abort();
    throw error;
  }
}

/** A clock that went back, or was ahead when the last commit was made: its time is repeated until the clock has passed it. */
function warnOfClock({ clock, logger }: BackupOptions, head: ResourceHead | null): void {
  const behindMs = head ? Date.parse(head.at) - clock.nowMs() : 0;
  if (behindMs > CLOCK_TOLERANCE_MS)
    logger.warn({ lastCommitAt: head?.at, behindMs }, 'the clock is behind the last commit; points keep its time');
}

async function resourceFailed({ logger, problems }: BackupOptions, request: BackupRequest, error: unknown): Promise<RunResult> {
  const { resource, runId, signal } = request;
  const ended = { counts: NOTHING, bytesRead: 0, newBytes: 0, storedBytes: 0, sequence: null, segments: 0 };
  if (signal.aborted) return { ...ended, status: 'cancelled', code: 'engine.cancelled' };
  const code = isAppError(error) ? error.code : 'internal';
  const isExcluded = isResourceExcluded(error);
  logger.warn({ resourceId: resource.id, runId, code, err: error }, 'a resource could not be backed up');
  await problems.add({
    resourceId: resource.id,
    runId,
    itemKey: null,
    kind: null,
    path: resource.name,
    outcome: isExcluded ? 'excluded' : 'recorded',
    code,
    tried: [],
    advice: adviceFor(code),
  });
  return { ...ended, status: isExcluded ? 'excluded' : 'failed', code };
}

/** Takes resources of one tenant into one vault. */
export function createBackup(options: BackupOptions): Backup {
  const { vault, catalog, lease } = options;

  async function run(request: BackupRequest): Promise<RunResult> {
    const { resource, runId } = request;
    let held: HeldLease | undefined;
    try {
      held = await lease.acquire(resource.id, runId);
      const signal = AbortSignal.any([request.signal, held.signal]);
      const workload = options.workloadOf(resource, signal);
      const journal = vault.journal(resource.id);
      const lost = (await journal.tend()).map(({ sequence }) => sequence);
      const { head } = await catchUpCatalog(journal, catalog);
      warnOfClock(options, head);
      return await perform(options, { request, held, signal, workload }, { head, lost });
    } catch (error) {
      if (isAppError(error, 'lease.taken')) throw error;
      return await resourceFailed(options, request, error);
    } finally {
      await held?.release();
    }
  }

  return Object.freeze({ run });
}
