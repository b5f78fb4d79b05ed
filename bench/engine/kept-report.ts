import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate, openDatabase, organisationId, startEmbedded, type Database, type Scope } from '@holdfast/database';
import { silentLogger } from '@holdfast/foundation/logger';
import { createRunLinesStore, type RunLinesStore } from '../../apps/server/src/features/restore/index.ts';
import { aSealing } from '../../apps/server/src/testing/rows.ts';
import { ids } from './ground.ts';

/** A run with what it belongs to, as the tables want it. */
async function insertRun(database: Database, scope: Scope): Promise<string> {
  const [run_id, tenant_id, location_id] = [ids.uuid(), ids.uuid(), ids.uuid()];
  const created_at = new Date();
  await database.within(scope, async (tx) => {
    await tx.insertInto('organisations').values({ name: 'Contoso', abbr: 'contoso', created_at }).execute();
    const sealed = { sealed_secret: null, sealed_certificate: null, thumbprint: null, last_error: null };
    const credential = { client_id: ids.uuid(), microsoft_tenant_id: ids.uuid(), credential: 'secret' as const };
    await tx
      .insertInto('tenants')
      .values({ tenant_id, name: 'Contoso', status: 'provisioned', active: true, ...credential, ...sealed, created_at })
      .execute();
    const place = { name: 'Vault', kind: 'filesystem' as const, use: 'both' as const, target: '{}', sealed_keys: null, immutability: '{}' };
    await tx
      .insertInto('locations')
      .values({ location_id, tenant_id, ...place, created_at })
      .execute();
    const nothing = { job_id: null, started_by: null, total: null, ended_at: null, code: null, worker: null };
    const facts = { number: 1, job_name: 'Restore', workload: 'exchange' as const, body: '{}', status: 'running' as const };
    await tx
      .insertInto('runs')
      .values({ run_id, tenant_id, location_id, type: 'restore', trigger: 'manual', ...facts, ...nothing, queued_at: created_at })
      .execute();
  });
  return run_id;
}

/** The report of a restore as the product keeps it: each item is begun in PostgreSQL before it is written. */
export interface KeptReport {
  readonly report: ReturnType<RunLinesStore['reportOf']>;
  close(): Promise<void>;
}

export async function openKeptReport(): Promise<KeptReport> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-bench-report-'));
  const postgres = await startEmbedded({ dataFolder: join(folder, 'postgres'), logger: silentLogger, as: 'keeper' });
  await migrate(postgres.ownerUrl);
  const database = openDatabase({ url: postgres.applicationUrl, role: 'holdfast_application', poolSize: 4, logger: silentLogger });
  const scope: Scope = { organisationId: organisationId(ids.uuid()), realm: 'production' };
  const runId = await insertRun(database, scope);
  return {
    report: createRunLinesStore({ database, sealing: aSealing(database) }).reportOf(scope, runId),
    async close() {
      await database.close();
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
