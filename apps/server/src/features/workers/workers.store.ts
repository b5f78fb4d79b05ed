import type { Database, OrganisationTables, Scope, Tx } from '@holdfast/database';
import type { Selectable } from 'kysely';
import { sql } from 'kysely';

export type WorkerRow = Selectable<OrganisationTables['workers']>;

export function listWorkers(tx: Tx): Promise<WorkerRow[]> {
  return tx.selectFrom('workers').selectAll().orderBy('created_at').execute();
}

export function readWorker(tx: Tx, workerId: string): Promise<WorkerRow | undefined> {
  return tx.selectFrom('workers').selectAll().where('worker_id', '=', workerId).executeTakeFirst();
}

export function workerAt(tx: Tx, ip: string): Promise<WorkerRow | undefined> {
  return tx.selectFrom('workers').selectAll().where('ip', '=', ip).executeTakeFirst();
}

export interface NewWorker {
  readonly workerId: string;
  readonly name: string;
  readonly ip: string;
  readonly indexIp: string;
  readonly version: string;
  readonly heartbeatHash: Buffer | null;
  readonly isLocal: boolean;
  readonly at: Date;
}

/** Adds a worker; false when another one has the address. */
export async function addWorker(tx: Tx, worker: NewWorker): Promise<boolean> {
  const added = await tx
    .insertInto('workers')
    .values({
      worker_id: worker.workerId,
      name: worker.name,
      ip: worker.ip,
      index_ip: worker.indexIp,
      version: worker.version,
      heartbeat_hash: worker.heartbeatHash,
      is_local: worker.isLocal,
      created_at: worker.at,
      last_seen_at: worker.at,
    })
    .onConflict((conflict) => conflict.columns(['organisation_id', 'realm', 'ip']).doNothing())
    .executeTakeFirst();
  return (added.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export async function changeWorker(tx: Tx, workerId: string, change: { name: string; ip: string; index_ip: string }): Promise<void> {
  await tx.updateTable('workers').set(change).where('worker_id', '=', workerId).execute();
}

export async function removeWorker(tx: Tx, workerId: string): Promise<void> {
  await tx.deleteFrom('workers').where('worker_id', '=', workerId).execute();
}

/** The version that serves the API, if one has ever. */
export async function readServedVersion(database: Database): Promise<string | undefined> {
  const row = await database.installation((tx) => tx.selectFrom('served_versions').select('version').executeTakeFirst());
  return row?.version;
}

export async function noteServedVersion(database: Database, version: string, since: Date): Promise<void> {
  await database.installation((tx) =>
    tx
      .insertInto('served_versions')
      .values({ version, since })
      .onConflict((conflict) => conflict.column('only_one').doUpdateSet({ version, since }))
      .execute(),
  );
}

export interface Beat {
  readonly at: Date;
  readonly version: string;
  readonly load: number;
  readonly runningRuns: number;
}

/** A registered worker is alive; false when nobody has this token. */
export async function beatByToken(tx: Tx, heartbeatHash: Buffer, beat: Beat): Promise<boolean> {
  const seen = await tx
    .updateTable('workers')
    .set({ last_seen_at: beat.at, version: beat.version, load: beat.load, running_runs: beat.runningRuns })
    .where('heartbeat_hash', '=', heartbeatHash)
    .executeTakeFirst();
  return seen.numUpdatedRows > 0n;
}

/** The worker inside this process is alive. */
export async function beatLocal(tx: Tx, ip: string, beat: Beat): Promise<void> {
  await tx
    .updateTable('workers')
    .set({ last_seen_at: beat.at, version: beat.version, load: beat.load, running_runs: beat.runningRuns })
    .where('ip', '=', ip)
    .where('is_local', '=', true)
    .execute();
}

export interface NewJoinToken {
  readonly tokenId: string;
  readonly hash: Buffer;
  readonly at: Date;
  readonly expiresAt: Date;
  readonly createdBy: string;
}

export async function addJoinToken(tx: Tx, { tokenId, hash, at, expiresAt, createdBy }: NewJoinToken): Promise<void> {
  await tx
    .insertInto('worker_join_tokens')
    .values({ token_id: tokenId, token_hash: hash, created_at: at, expires_at: expiresAt, created_by: createdBy })
    .execute();
}

/** Those that are still good, newest first. */
export function openJoinTokens(tx: Tx, now: Date) {
  return tx
    .selectFrom('worker_join_tokens')
    .select(['token_id', 'created_by', 'created_at', 'expires_at'])
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .execute();
}

export async function hasJoinToken(tx: Tx, tokenId: string): Promise<boolean> {
  return (await tx.selectFrom('worker_join_tokens').select('token_id').where('token_id', '=', tokenId).executeTakeFirst()) !== undefined;
}

export async function removeJoinToken(tx: Tx, tokenId: string): Promise<void> {
  await tx.deleteFrom('worker_join_tokens').where('token_id', '=', tokenId).execute();
}

/** Uses a join token up. */
export async function takeJoinToken(tx: Tx, hash: Buffer, now: Date): Promise<boolean> {
  const taken = await tx.deleteFrom('worker_join_tokens').where('token_hash', '=', hash).where('expires_at', '>', now).executeTakeFirst();
  return taken.numDeletedRows > 0n;
}

/** Notes in the hour's row whether a worker was reachable. */
export async function noteCheck(tx: Tx, check: { workerId: string; hourAt: Date; isReachable: boolean; load: number }): Promise<void> {
  const { workerId, hourAt, isReachable, load } = check;
  await tx
    .insertInto('worker_checks')
    .values({ worker_id: workerId, hour_at: hourAt, reachable: isReachable ? 1 : 0, missed: isReachable ? 0 : 1, load })
    .onConflict((conflict) =>
      conflict.columns(['organisation_id', 'realm', 'worker_id', 'hour_at']).doUpdateSet({
        reachable: sql<number>`worker_checks.reachable + excluded.reachable`,
        missed: sql<number>`worker_checks.missed + excluded.missed`,
        load: sql<number>`greatest(worker_checks.load, excluded.load)`,
      }),
    )
    .execute();
}

export async function removeOldChecks(tx: Tx, before: Date): Promise<void> {
  await tx.deleteFrom('worker_checks').where('hour_at', '<', before).execute();
}

export function checksOf(tx: Tx, workerId: string, since: Date) {
  return tx
    .selectFrom('worker_checks')
    .select(['hour_at', 'reachable', 'missed', 'load'])
    .where('worker_id', '=', workerId)
    .where('hour_at', '>=', since)
    .orderBy('hour_at')
    .execute();
}

/** Where a tenant belongs, by ids alone. */
export function scopeOfTenant(database: Database, tenantId: string, realm: Scope['realm']): Promise<Scope | undefined> {
  return database.acrossOrganisations(async (tx) => {
    const row = await tx
      .selectFrom('tenants')
      .select('organisation_id')
      .where('tenant_id', '=', tenantId)
      .where('realm', '=', realm)
      .executeTakeFirst();
    return row && { organisationId: row.organisation_id as Scope['organisationId'], realm };
  });
}
