import type { Tx } from '@holdfast/database';

/** Those of these people of whom something was ever protected or archived. Whoever has left is among them. */
export async function knownMailboxes(tx: Tx, tenantId: string, graphIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (graphIds.length === 0) return new Set();
  const rows = await tx
    .selectFrom('resources')
    .select('graph_id')
    .where('tenant_id', '=', tenantId)
    .where('kind', 'in', ['mailbox', 'archive'])
    .where('graph_id', 'in', [...graphIds])
    .execute();
  return new Set(rows.map(({ graph_id }) => graph_id));
}
