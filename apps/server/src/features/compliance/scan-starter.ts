import type { Database, Scope, Tx } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import type { Logger } from '@holdfast/foundation/logger';
import { repeat } from '@holdfast/foundation/repeating';
import { organisationPhrases, unplannedRun, type NewRun, type RunsStore } from '../../runs/index.ts';
import { dueTenants, openScan } from './due-scans.store.ts';

/** Queues scans that no job has planned: those that somebody asks for, and those that are due after backups. */
export interface ScanStarter {
  /** Queues a scan in the transaction, or answers the one that waits or runs. */
  request(tx: Tx, scope: Scope, tenantId: string, startedBy: string): Promise<{ readonly runId: string; readonly isNew: boolean }>;
  /** Looks every few seconds for tenants that are due, until stopped. */
  start(): () => Promise<void>;
}

export interface ScanStarterOptions {
  readonly database: Database;
  readonly runs: Pick<RunsStore, 'enqueue'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly scopes: () => Promise<readonly Scope[]>;
}

const EVERY_MS = 5_000;

async function scanOf(tx: Tx, tenantId: string, why: Pick<NewRun, 'trigger' | 'startedBy'>): Promise<NewRun> {
  const name = (await organisationPhrases(tx)).jobs.typeScan;
  return unplannedRun(tenantId, { type: 'scan', name, schedule: { mode: 'disabled' } }, why);
}

export function createScanStarter({ database, runs, clock, logger, scopes }: ScanStarterOptions): ScanStarter {
  async function turn(signal?: AbortSignal): Promise<boolean> {
    for (const scope of await scopes()) {
      if (signal?.aborted === true) break;
      await database.within(scope, async (tx) => {
        for (const tenantId of await dueTenants(tx, now(clock)))
          await runs.enqueue(tx, scope, await scanOf(tx, tenantId, { trigger: 'schedule', startedBy: null }));
      });
    }
    return false;
  }
  return Object.freeze<ScanStarter>({
    async request(tx, scope, tenantId, startedBy) {
      const queued = await runs.enqueue(tx, scope, await scanOf(tx, tenantId, { trigger: 'manual', startedBy }));
      if (queued) return { runId: queued.runId, isNew: true };
      const open = await openScan(tx, tenantId);
      if (open === undefined) throw new Error('A scan was neither queued nor open.');
      return { runId: open, isNew: false };
    },
    start: () =>
      repeat({ clock, everyMs: EVERY_MS, turn, onError: (error) => logger.warn({ err: error }, 'due scans could not be looked for') }),
  });
}
