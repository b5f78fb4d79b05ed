import type { Tx } from '@holdfast/database';
import { sql } from 'kysely';

/** An address of somebody. */
export interface KnownAddress {
  readonly address: string;
  readonly graphId: string;
  readonly name: string;
  readonly mailbox: string;
  readonly isExempt: boolean;
}

/** Addresses that the directory has now; what it said before of other addresses stays. */
export async function rememberAddresses(tx: Tx, tenantId: string, found: readonly KnownAddress[], at: Date): Promise<void> {
  const distinct = [...new Map(found.map((one) => [one.address, one])).values()];
  await sql`
    insert into receiver_addresses as known (tenant_id, address, graph_id, name, mailbox_address, is_exempt, is_manual, seen_at)
    select ${tenantId}, x.address, x.graph_id, x.name, x.mailbox, x.is_exempt, false, ${at}::timestamptz
    from unnest(${distinct.map((one) => one.address)}::text[], ${distinct.map((one) => one.graphId)}::text[],
      ${distinct.map((one) => one.name)}::text[], ${distinct.map((one) => one.mailbox)}::text[],
      ${distinct.map((one) => one.isExempt)}::boolean[]) as x (address, graph_id, name, mailbox, is_exempt)
    on conflict (organisation_id, realm, tenant_id, address) do update set graph_id = excluded.graph_id, name = excluded.name,
      mailbox_address = excluded.mailbox_address, is_exempt = excluded.is_exempt, is_manual = false, seen_at = excluded.seen_at`.execute(
    tx,
  );
}

/** Mailboxes that backups and archives know: whoever had left before the first look at the directory is among them. */
export async function rememberKept(tx: Tx, tenantId: string, at: Date): Promise<void> {
  await sql`
    insert into receiver_addresses (tenant_id, address, graph_id, name, mailbox_address, seen_at)
    select distinct on (lower(address)) tenant_id, lower(address), graph_id, name, address, ${at}::timestamptz from resources
    where tenant_id = ${tenantId} and kind in ('mailbox', 'archive') and address like '%@%'
    order by lower(address), deleted_at desc nulls first
    on conflict do nothing`.execute(tx);
}
