import { typesWhere } from '@holdfast/contract/jobs';
import type { Tenant } from '@holdfast/contract/tenants';
import type { Tx } from '@holdfast/database';
import { sql } from 'kysely';
import type { TenantRow } from './tenants.store.ts';

/** What runs and synchronisations have seen of Microsoft 365. */
export interface SeenByWork {
  /** A run waits for Microsoft 365 now: why, and since when. */
  readonly waiting: { readonly code: string; readonly since: string } | null;
  /** The newest end of a run or a task that Microsoft 365 must have answered. */
  readonly answeredAt: Date | null;
}

interface SeenRow {
  readonly tenant_id: string;
  readonly waiting: SeenByWork['waiting'];
  readonly answered_at: Date | null;
}

/** Kinds whose every run asks Microsoft 365; a restore may be a download. */
const askingTypes = typesWhere(({ protects, putsBack, proves }) => protects === true || (putsBack === true && proves === true));

/** By tenant. Runs that only read a vault prove nothing about Microsoft 365. */
export async function seenByWork(tx: Tx): Promise<ReadonlyMap<string, SeenByWork>> {
  const { rows } = await sql<SeenRow>`
    select tenant_id,
      (select waiting from runs run where run.tenant_id = tenant.tenant_id and run.status = 'running' and run.stage = 'waitingForMicrosoft'
        order by waiting->>'since' limit 1) as waiting,
      greatest(
        (select max(ended_at) from runs run where run.tenant_id = tenant.tenant_id and run.type = any(${[...askingTypes]})
          and run.status in ('successful', 'defective')),
        (select max(ended_at) from tenant_tasks task where task.tenant_id = tenant.tenant_id and task.status = 'finished'
          and task.kind in ('provision', 'synchronise'))) as answered_at
    from tenants tenant`.execute(tx);
  return new Map(rows.map((row) => [row.tenant_id, { waiting: row.waiting, answeredAt: row.answered_at }]));
}

/** The newest of what runs, tasks and tests of the connection have seen. */
export function microsoftSeen(row: Pick<TenantRow, 'last_checked_at' | 'last_error'>, seen: SeenByWork | undefined): Tenant['microsoft'] {
  if (seen?.waiting) return { state: 'unreachable', code: seen.waiting.code, at: seen.waiting.since };
  const { last_checked_at: checked, last_error: code } = row;
  const at = newestOf(checked, seen?.answeredAt ?? null);
  if (at === null) return { state: 'unknown', code: null, at: null };
  // Work that ended well after the test refutes what the test found.
  const isCurrent = code !== null && at === checked;
  const state = !isCurrent ? 'reachable' : code === 'tenants.unreachable' ? 'unreachable' : 'refused';
  return { state, code: isCurrent ? code : null, at: at.toISOString() };
}

function newestOf(checked: Date | null, answered: Date | null): Date | null {
  if (checked === null || answered === null) return checked ?? answered;
  return answered > checked ? answered : checked;
}
