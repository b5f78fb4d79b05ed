import type { Tx } from '@holdfast/database';
import { sql } from 'kysely';

/** A message of the mailbox to which a resource belongs: its archive or its backup. */
export interface MarkedMessage {
  readonly resourceId: string;
  readonly messageId: string;
}

/** Whether the owner of the mailbox has marked the message as private. */
export async function isMarkedPrivate(tx: Tx, { resourceId, messageId }: MarkedMessage): Promise<boolean> {
  const { rows } = await sql`
    select from private_messages hidden join resources whose on whose.tenant_id = hidden.tenant_id and whose.graph_id = hidden.graph_id
    where whose.resource_id = ${resourceId} and hidden.message_id = ${messageId}`.execute(tx);
  return rows.length > 0;
}

/** Sets the mark or takes it away. False when nothing changes by it. */
export async function markPrivate(
  tx: Tx,
  { resourceId, messageId }: MarkedMessage,
  { isPrivate, accountId, at }: { readonly isPrivate: boolean; readonly accountId: string; readonly at: Date },
): Promise<boolean> {
  const changed = isPrivate
    ? sql`insert into private_messages (tenant_id, graph_id, message_id, marked_by, marked_at)
        select tenant_id, graph_id, ${messageId}, ${accountId}, ${at} from resources where resource_id = ${resourceId}
        on conflict do nothing`
    : sql`delete from private_messages hidden using resources whose where whose.resource_id = ${resourceId}
        and hidden.tenant_id = whose.tenant_id and hidden.graph_id = whose.graph_id and hidden.message_id = ${messageId}`;
  return Number((await changed.execute(tx)).numAffectedRows ?? 0) > 0;
}
