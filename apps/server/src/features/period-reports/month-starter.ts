import type { Database, Scope } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import type { Logger } from '@holdfast/foundation/logger';
import { repeat } from '@holdfast/foundation/repeating';
import { phrasesOf } from '../../http/language.ts';
import { unplannedRun, type NewRun, type RunsStore } from '../../runs/index.ts';
import { isOwed, reportedTenants, type TenantDue } from './period-reports.store.ts';
import { settledMonth } from './period.ts';

export interface MonthStarterOptions {
  readonly database: Database;
  readonly runs: Pick<RunsStore, 'enqueue'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly scopes: () => Promise<readonly Scope[]>;
}

const EVERY_MS = 15_000;

function runOf({ tenant_id: tenantId, language }: TenantDue): NewRun {
  const name = phrasesOf(language).jobs.typeMonthlyReport;
  const body = { type: 'monthlyReport', name, schedule: { mode: 'disabled' } } as const;
  return unplannedRun(tenantId, body, { trigger: 'schedule', startedBy: null });
}

/** Looks for tenants whose month has ended without a report, or whose report is not mailed or stored, and queues a run for each. */
export async function queueMonths({ database, runs, clock, scopes }: Omit<MonthStarterOptions, 'logger'>): Promise<number> {
  let queued = 0;
  for (const scope of await scopes())
    queued += await database.within(scope, async (tx) => {
      let own = 0;
      for (const tenant of await reportedTenants(tx)) {
        const month = { tenantId: tenant.tenant_id, ...settledMonth(clock.nowMs(), tenant.time_zone) };
        if (!(await isOwed(tx, month, now(clock)))) continue;
        if (await runs.enqueue(tx, scope, runOf(tenant))) own += 1;
      }
      return own;
    });
  return queued;
}

/** Queues what is due, until it is stopped. */
export function startMonths(options: MonthStarterOptions): () => Promise<void> {
  const { clock, logger } = options;
  return repeat({
    clock,
    everyMs: EVERY_MS,
    turn: async () => void (await queueMonths(options)),
    onError: (error) => logger.warn({ err: error }, 'the reports of a month could not be queued'),
  });
}
