import { completeBody, type BodyOf, type JobBody } from '@holdfast/contract/jobs';
import { FOREVER, type Database, type Scope, type Tx } from '@holdfast/database';
import type { CapturePlace } from '@holdfast/engine';
import { sql } from 'kysely';

/** An archive job, as a deletion looks at it. */
export interface ArchiveJob {
  readonly name: string;
  readonly body: BodyOf<'archive'>;
}

/** A backup of a mailbox in one location. */
export interface StoredBackup {
  readonly id: string;
  readonly headSequence: number;
}

/** What tells how far archives have got. */
export interface AwaitedPointsStore {
  jobs(scope: Scope, tenantId: string): Promise<readonly ArchiveJob[]>;
  /** The mailboxes that have an archive in a location. */
  archivedIn(scope: Scope, tenantId: string, locationId: string): Promise<ReadonlySet<string>>;
  /** The cursor of the archive of a mailbox; null while there is none. */
  cursor(scope: Scope, of: { readonly tenantId: string; readonly locationId: string; readonly graphId: string }): Promise<string | null>;
  backup(scope: Scope, of: { readonly locationId: string; readonly resourceId: string }): Promise<StoredBackup | undefined>;
  /** Between which points the messages after a place were there that the newest point has no more; undefined without any. */
  range(
    scope: Scope,
    sourceId: string,
    after: CapturePlace | undefined,
  ): Promise<{ readonly fromSequence: number; readonly toSequence: number } | undefined>;
}

/** The archive jobs of a tenant, by name. */
export async function archiveJobs(tx: Tx, tenantId: string): Promise<readonly ArchiveJob[]> {
  const rows = await tx
    .selectFrom('jobs')
    .select(['name', 'body'])
    .where('tenant_id', '=', tenantId)
    .where('type', '=', 'archive')
    .orderBy('name')
    .execute();
  return rows.flatMap(({ name, body: kept }) => {
    const body = completeBody(kept as JobBody);
    return body.type === 'archive' ? [{ name, body }] : [];
  });
}

export function createAwaitedPointsStore(database: Database): AwaitedPointsStore {
  return Object.freeze<AwaitedPointsStore>({
    jobs: (scope, tenantId) => database.within(scope, (tx) => archiveJobs(tx, tenantId)),
    archivedIn: (scope, tenantId, locationId) =>
      database.within(scope, async (tx) => {
        const { rows } = await sql<{ graph_id: string }>`
          select resource.graph_id from catalog_sources source join resources resource using (organisation_id, realm, resource_id)
          where source.location_id = ${locationId} and resource.tenant_id = ${tenantId} and resource.kind = 'archive'`.execute(tx);
        return new Set(rows.map(({ graph_id }) => graph_id));
      }),
    cursor: (scope, { tenantId, locationId, graphId }) =>
      database.within(scope, async (tx) => {
        const { rows } = await sql<{ head_cursor: string }>`
          select source.head_cursor from catalog_sources source join resources resource using (organisation_id, realm, resource_id)
          where source.location_id = ${locationId} and resource.tenant_id = ${tenantId} and resource.kind = 'archive'
            and resource.graph_id = ${graphId}`.execute(tx);
        return rows[0]?.head_cursor ?? null;
      }),
    backup: (scope, { locationId, resourceId }) =>
      database.within(scope, async (tx) => {
        const row = await tx
          .selectFrom('catalog_sources')
          .select(['source_id', 'head_sequence'])
          .where('location_id', '=', locationId)
          .where('resource_id', '=', resourceId)
          .executeTakeFirst();
        return row && { id: row.source_id, headSequence: row.head_sequence };
      }),
    range: (scope, sourceId, after) =>
      database.within(scope, async (tx) => {
        const place = after ? sql`and (from_point, item_key) > (${after.sequence}::bigint, ${after.key})` : sql``;
        const { rows } = await sql<{ first: number | null; last: number | null }>`
          select min(from_point)::bigint as first, max(to_point)::bigint - 1 as last from catalog_items
          where organisation_id = holdfast.organisation() and realm = holdfast.realm() and source_id = ${sourceId} and kind = 'message'
            and to_point <> ${FOREVER} ${place}`.execute(tx);
        const { first = null, last = null } = rows[0] ?? {};
        return first === null || last === null ? undefined : { fromSequence: first, toSequence: last };
      }),
  });
}
