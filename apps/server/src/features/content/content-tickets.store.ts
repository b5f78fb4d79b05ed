import type { Database, Scope, Tx } from '@holdfast/database';
import { sql } from 'kysely';

/** What a ticket opens. */
export interface TicketedItem {
  readonly tenantId: string;
  readonly locationId: string;
  readonly resourceId: string;
  readonly sequence: number;
  readonly itemKey: string;
}

export interface ContentTicketsStore {
  within: Database['within'];
  /** The resource and point behind a source; undefined when there is none. Without a sequence the newest. */
  pointOf(
    tx: Tx,
    place: { readonly tenantId: string; readonly locationId: string; readonly sourceId: string; readonly sequence?: number | undefined },
  ): Promise<{ readonly resourceId: string; readonly sequence: number } | undefined>;
  add(tx: Tx, ticket: TicketedItem & { readonly hash: Buffer; readonly accountId: string; readonly expiresAt: Date }): Promise<void>;
  /** The item of a ticket that holds, for the account it was given to. `once` for the preview: the second time there is none. */
  take(
    scope: Scope,
    ticket: { readonly hash: Buffer; readonly accountId: string; readonly tenantId: string; readonly at: Date; readonly once: boolean },
  ): Promise<TicketedItem | undefined>;
}

export function createContentTicketsStore(database: Database): ContentTicketsStore {
  return Object.freeze<ContentTicketsStore>({
    within: <T>(scope: Scope, work: (tx: Tx) => Promise<T>) => database.within(scope, work),
    async pointOf(tx, { tenantId, locationId, sourceId, sequence }) {
      const { rows } = await sql<{ resource_id: string; sequence: number }>`
        select source.resource_id, point.sequence
        from catalog_sources source
        join resources resource using (organisation_id, realm, resource_id)
        join catalog_points point using (organisation_id, realm, source_id)
        where source.source_id = ${sourceId} and source.location_id = ${locationId} and resource.tenant_id = ${tenantId}
          and (${sequence ?? null}::bigint is null or point.sequence = ${sequence ?? null})
        order by point.sequence desc limit 1`.execute(tx);
      const [row] = rows;
      return row && { resourceId: row.resource_id, sequence: row.sequence };
    },
    async add(tx, ticket) {
      await tx
        .deleteFrom('content_tickets')
        .where('expires_at', '<', sql<Date>`now() - interval '1 hour'`)
        .execute();
      await tx
        .insertInto('content_tickets')
        .values({
          ticket_hash: ticket.hash,
          tenant_id: ticket.tenantId,
          location_id: ticket.locationId,
          resource_id: ticket.resourceId,
          sequence: ticket.sequence,
          item_key: ticket.itemKey,
          account_id: ticket.accountId,
          expires_at: ticket.expiresAt,
        })
        .execute();
    },
    take(scope, { hash, accountId, tenantId, at, once }) {
      return database.within(scope, async (tx) => {
        const row = await tx
          .updateTable('content_tickets')
          .set({ previewed_at: once ? at : sql`previewed_at` })
          .where('ticket_hash', '=', hash)
          .where('account_id', '=', accountId)
          .where('tenant_id', '=', tenantId)
          .where('expires_at', '>', at)
          .$if(once, (query) => query.where('previewed_at', 'is', null))
          .returning(['tenant_id', 'location_id', 'resource_id', 'sequence', 'item_key'])
          .executeTakeFirst();
        if (!row) return undefined;
        return {
          tenantId: row.tenant_id,
          locationId: row.location_id,
          resourceId: row.resource_id,
          sequence: row.sequence,
          itemKey: row.item_key,
        };
      });
    },
  });
}
