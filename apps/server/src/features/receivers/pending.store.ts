import type { Tx } from '@holdfast/database';
import { sql } from 'kysely';
import type { ReceiverRow } from './receivers.store.ts';

/** Reports that are placed in one archive in one run. */
export const PLACED_AT_ONCE = 500;

/** What waits for the archive of somebody: reports with the addresses that made them an owner. */
export interface Waiting {
  readonly graphId: string;
  readonly name: string;
  readonly address: string;
  readonly reports: ReadonlyMap<string, readonly string[]>;
}

/** Everybody for whose archive something waits. */
export async function ownersWaiting(tx: Tx, receiverId: string): Promise<readonly string[]> {
  const rows = await tx.selectFrom('receiver_pending').select('graph_id').distinct().where('receiver_id', '=', receiverId).execute();
  return rows.map(({ graph_id }) => graph_id);
}

export async function waitingFor(tx: Tx, row: Pick<ReceiverRow, 'receiver_id' | 'tenant_id'>, graphId: string): Promise<Waiting> {
  const reports = await tx
    .selectFrom('receiver_pending')
    .select(['report_key', 'addresses'])
    .where('receiver_id', '=', row.receiver_id)
    .where('graph_id', '=', graphId)
    .orderBy('report_key')
    .limit(PLACED_AT_ONCE)
    .execute();
  const { rows } = await sql<{ name: string; address: string }>`
    select name, mailbox_address as address from receiver_addresses where tenant_id = ${row.tenant_id} and graph_id = ${graphId}
    order by is_manual, seen_at desc limit 1`.execute(tx);
  const { name = graphId, address = '' } = rows[0] ?? {};
  return { graphId, name, address, reports: new Map(reports.map(({ report_key, addresses }) => [report_key, addresses])) };
}

export async function forgetPending(
  tx: Tx,
  { receiverId, graphId }: { readonly receiverId: string; readonly graphId: string },
  reportKeys: readonly string[],
): Promise<void> {
  await sql`delete from receiver_pending where receiver_id = ${receiverId} and graph_id = ${graphId}
    and report_key = any(${[...reportKeys]}::text[])`.execute(tx);
}

/** Messages that stay erased in the archives of their owners. */
export async function countErasedBefore(tx: Tx, receiverId: string, messages: number): Promise<void> {
  await tx
    .updateTable('receivers')
    .set((column) => ({ erased_before: column('erased_before', '+', messages) }))
    .where('receiver_id', '=', receiverId)
    .execute();
}
