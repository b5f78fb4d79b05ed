import type { UnassignedMail } from '@holdfast/contract/receivers';
import type { Tx } from '@holdfast/database';
import { sql } from 'kysely';

const MOST = 500;

interface CountedRow {
  readonly address: string | null;
  readonly broken: UnassignedMail['broken'];
  readonly messages: number;
  readonly bytes: number;
  readonly oldest: Date;
  readonly newest: Date;
}

/** Mail without an owner by each of its addresses, and broken reports by what is wrong with them. */
export async function unassignedMail(tx: Tx, receiverId: string): Promise<UnassignedMail[]> {
  const { rows } = await sql<CountedRow>`
    select one.address, mail.broken, count(*)::bigint as messages, sum(mail.size_bytes)::bigint as bytes,
      min(mail.arrived_at) as oldest, max(mail.arrived_at) as newest
    from receiver_unassigned mail left join lateral unnest(mail.addresses) as one (address) on mail.broken is null
    where mail.receiver_id = ${receiverId} group by 1, 2 order by messages desc, one.address limit ${MOST}`.execute(tx);
  return rows.map(({ oldest, newest, ...row }) => ({ ...row, oldestAt: oldest.toISOString(), newestAt: newest.toISOString() }));
}

/** The mails of an address without an owner, or the broken reports. */
export async function unassignedOf(tx: Tx, receiverId: string, address: string | null): Promise<readonly string[]> {
  const { rows } = await sql<{ report_key: string }>`
    select report_key from receiver_unassigned where receiver_id = ${receiverId}
      and ${address === null ? sql`broken is not null` : sql`broken is null and ${address} = any(addresses)`}
    order by report_key for update`.execute(tx);
  return rows.map(({ report_key }) => report_key);
}
