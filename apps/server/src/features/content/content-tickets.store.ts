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

/** An item as whoever wants to read it names it. */
export interface WantedItem {
  readonly tenantId: string;
  readonly locationId: string;
  readonly sourceId: string;
  readonly nodeId: string;
  /** A restore point; the newest when it is left out. */
  readonly sequence?: number | undefined;
}

export interface ContentTicketsStore {
  within: Database['within'];
  /** The item behind a source at a restore point; undefined when there is none. */
  find(tx: Tx, wanted: WantedItem): Promise<(TicketedItem & { readonly resourceName: string }) | undefined>;
  /** Adds a ticket, and forgets those that have ended. */
  add(
    tx: Tx,
    ticket: {
      readonly item: TicketedItem;
      readonly hash: Buffer;
      readonly sessionId: string;
      readonly at: Date;
      readonly expiresAt: Date;
    },
  ): Promise<void>;
  /** The item of a ticket that holds, in the session it was given to. Its first use sets how long it holds from now on. */
  use(
    scope: Scope,
    ticket: {
      readonly hash: Buffer;
      readonly sessionId: string;
      readonly tenantId: string;
      readonly at: Date;
      readonly usedUntil: Date;
    },
  ): Promise<TicketedItem | undefined>;
}

interface FoundRow {
  readonly resource_id: string;
  readonly name: string;
  readonly sequence: number;
}

async function find(tx: Tx, wanted: WantedItem): Promise<(TicketedItem & { readonly resourceName: string }) | undefined> {
  const { tenantId, locationId, sourceId, nodeId: itemKey, sequence: asked = null } = wanted;
  const { rows } = await sql<FoundRow>`
    select resource.resource_id, resource.name, point.sequence
    from catalog_sources source
    join resources resource using (organisation_id, realm, resource_id)
    join lateral (
      select max(sequence) as sequence from catalog_points
      where organisation_id = source.organisation_id and realm = source.realm and source_id = source.source_id
        and (${asked}::bigint is null or sequence = ${asked})) point on point.sequence is not null
    where source.source_id = ${sourceId} and source.location_id = ${locationId} and resource.tenant_id = ${tenantId}
      and exists (select from catalog_items item
        where item.organisation_id = source.organisation_id and item.realm = source.realm and item.source_id = source.source_id
          and item.item_key = ${itemKey} and item.from_point <= point.sequence and item.to_point > point.sequence)`.execute(tx);
  const [row] = rows;
  return row && { tenantId, locationId, itemKey, resourceId: row.resource_id, resourceName: row.name, sequence: row.sequence };
}

export function createContentTicketsStore(database: Database): ContentTicketsStore {
  return Object.freeze<ContentTicketsStore>({
    within: <T>(scope: Scope, work: (tx: Tx) => Promise<T>) => database.within(scope, work),
    find,
    async add(tx, { item, hash, sessionId, at, expiresAt }) {
      await tx.deleteFrom('content_tickets').where('expires_at', '<', at).execute();
      await tx
        .insertInto('content_tickets')
        .values({
          ticket_hash: hash,
          tenant_id: item.tenantId,
          location_id: item.locationId,
          resource_id: item.resourceId,
          sequence: item.sequence,
          item_key: item.itemKey,
          session_id: sessionId,
          expires_at: expiresAt,
        })
        .execute();
    },
    use(scope, { hash, sessionId, tenantId, at, usedUntil }) {
      return database.within(scope, async (tx) => {
        const row = await tx
          .updateTable('content_tickets')
          .set({
            used_at: sql<Date>`coalesce(used_at, ${at})`,
            expires_at: sql<Date>`case when used_at is null then ${usedUntil}::timestamptz else expires_at end`,
          })
          .where('ticket_hash', '=', hash)
          .where('session_id', '=', sessionId)
          .where('tenant_id', '=', tenantId)
          .where('expires_at', '>', at)
          .returning(['tenant_id', 'location_id', 'resource_id', 'sequence', 'item_key'])
          .executeTakeFirst();
        if (!row) return undefined;
        const { tenant_id, location_id: locationId, resource_id: resourceId, sequence, item_key: itemKey } = row;
        return { tenantId: tenant_id, locationId, resourceId, sequence, itemKey };
      });
    },
  });
}
