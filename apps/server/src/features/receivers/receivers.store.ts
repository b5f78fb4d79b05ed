import type { OrganisationTables, Tx } from '@holdfast/database';
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';

export type ReceiverRow = Selectable<OrganisationTables['receivers']>;

/** A receiver with what its journal holds: counted in the commits that stored it. */
export interface CountedReceiver extends ReceiverRow {
  readonly received: number;
  readonly received_bytes: number;
  readonly pending: number;
  readonly unassigned: number;
}

export function findReceiver(tx: Tx, tenantId: string, receiverId: string): Promise<ReceiverRow | undefined> {
  return tx.selectFrom('receivers').selectAll().where('tenant_id', '=', tenantId).where('receiver_id', '=', receiverId).executeTakeFirst();
}

/** Every receiver of an organisation, those that are paused too. */
export function allReceivers(tx: Tx): Promise<ReceiverRow[]> {
  return tx.selectFrom('receivers').selectAll().orderBy('receiver_id').execute();
}

export async function countedReceivers(tx: Tx, tenantId: string, receiverId?: string): Promise<readonly CountedReceiver[]> {
  const { rows } = await sql<CountedReceiver>`
    select receiver.*, coalesce(source.items, 0)::bigint as received, coalesce(source.bytes, 0)::bigint as received_bytes,
      (select count(distinct report_key) from receiver_pending waits where waits.receiver_id = receiver.receiver_id)::bigint as pending,
      (select count(*) from receiver_unassigned mail where mail.receiver_id = receiver.receiver_id)::bigint as unassigned
    from receivers receiver left join catalog_sources source on source.organisation_id = receiver.organisation_id
      and source.realm = receiver.realm and source.resource_id = receiver.resource_id and source.location_id = receiver.location_id
    where receiver.tenant_id = ${tenantId} ${receiverId === undefined ? sql`` : sql`and receiver.receiver_id = ${receiverId}`}
    order by receiver.created_at, receiver.receiver_id`.execute(tx);
  return rows;
}

export async function addReceiver(tx: Tx, row: Insertable<OrganisationTables['receivers']>): Promise<void> {
  await tx.insertInto('receivers').values(row).execute();
}

export async function changeReceiver(tx: Tx, receiverId: string, change: Updateable<OrganisationTables['receivers']>): Promise<void> {
  await tx.updateTable('receivers').set(change).where('receiver_id', '=', receiverId).execute();
}

export async function removeReceiver(tx: Tx, receiverId: string): Promise<void> {
  await tx.deleteFrom('receivers').where('receiver_id', '=', receiverId).execute();
}
