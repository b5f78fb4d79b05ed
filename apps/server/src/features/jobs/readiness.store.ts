import type { ErrorCode } from '@holdfast/contract/errors';
import { needsTenant, placeOf, type JobBody } from '@holdfast/contract/jobs';
import type { Tx } from '@holdfast/database';
import { sql } from 'kysely';
import { needsWorkload } from './jobs.policy.ts';

/** Whether the tenant is deprovisioned. Locks it: a deprovisioning waits until the end of the transaction, and finds its runs. */
export async function isDeprovisioned(tx: Tx, tenantId: string): Promise<boolean> {
  const row = await tx.selectFrom('tenants').select('deprovisioned_at').where('tenant_id', '=', tenantId).forShare().executeTakeFirst();
  return row !== undefined && row.deprovisioned_at !== null;
}

/** Why a job of this body must not run now: its tenant is out of use, or its workload is turned off. */
export async function whyNotReady(tx: Tx, tenantId: string, body: JobBody): Promise<ErrorCode | undefined> {
  if (needsTenant(body) && (await isDeprovisioned(tx, tenantId))) return 'tenants.deprovisioned';
  const { workload } = placeOf(body);
  if (!needsWorkload(body) || workload === null) return undefined;
  const { rows } = await sql<{ is_off: boolean }>`
    select coalesce(settings -> ${workload}::text ->> 'enabled', 'true') = 'false' as is_off
    from backup_configurations where tenant_id = ${tenantId}`.execute(tx);
  return rows[0]?.is_off === true ? 'configuration.workload-off' : undefined;
}
