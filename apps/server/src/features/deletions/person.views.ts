import type { Tx } from '@holdfast/database';
import { sql } from 'kysely';

/** Somebody, and everything that is kept as theirs: mailbox, its archive, and OneDrive. */
export interface Person {
  readonly personId: string;
  readonly name: string;
  readonly address: string;
  readonly resourceIds: readonly string[];
}

/**
 * The person whose mailbox or OneDrive this is. The archive is that of the same mailbox; a OneDrive and a mailbox belong
 * together by their address. A second mailbox of this address is that of somebody else, who had it before or has it now.
 */
export async function personOf(tx: Tx, tenantId: string, resourceId: string): Promise<Person | undefined> {
  const { rows } = await sql<{ resource_id: string; name: string; address: string; is_asked: boolean }>`
    with asked as (select * from resources where tenant_id = ${tenantId} and resource_id = ${resourceId} and kind in ('mailbox', 'drive')),
    parts as (
      select same.* from asked join resources same on same.tenant_id = asked.tenant_id and (same.resource_id = asked.resource_id
        or (asked.address <> '' and lower(same.address) = lower(asked.address) and same.kind in ('mailbox', 'drive') and same.kind <> asked.kind)))
    select resource_id, name, address, resource_id = ${resourceId} as is_asked from parts
    union
    select archive.resource_id, archive.name, archive.address, false from parts
    join resources archive on archive.tenant_id = parts.tenant_id and archive.graph_id = parts.graph_id and archive.kind = 'archive'`.execute(
    tx,
  );
  const asked = rows.find((row) => row.is_asked);
  if (!asked) return undefined;
  const { name, address } = asked;
  return { personId: resourceId, name: name || address, address, resourceIds: rows.map((row) => row.resource_id) };
}
