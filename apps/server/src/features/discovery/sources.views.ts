import type { RestorePoint, Source } from '@holdfast/contract/discovery';
import type { Page } from '@holdfast/contract/paging';
import type { Workload } from '@holdfast/contract/values';
import type { Database, Scope } from '@holdfast/database';
import { sql } from 'kysely';
import { likePattern, pageFrom, sortOf, windowOf } from '../../http/paging.ts';
import { isAnythingHeld } from '../holds/index.ts';
import { pointOf, sourceOf, type PointRow, type SourceRow } from './nodes.views.ts';

export interface SourcesQuery {
  readonly cursor?: string | undefined;
  readonly limit: number;
  readonly sort?: string | undefined;
  readonly search?: string | undefined;
  readonly workload?: Workload | undefined;
  readonly deleted?: boolean | undefined;
}

/** What a location holds restore points of, and which points there are. */
export interface SourcesViews {
  /** Whether this is a location of the tenant. */
  hasLocation(scope: Scope, place: { readonly tenantId: string; readonly locationId: string }): Promise<boolean>;
  list(scope: Scope, place: { readonly tenantId: string; readonly locationId: string }, query: SourcesQuery): Promise<Page<Source>>;
  /** The source, if it is one of this tenant in this location. */
  get(scope: Scope, place: SourcePlace): Promise<Source | undefined>;
  points(
    scope: Scope,
    sourceId: string,
    range: { readonly from?: string | undefined; readonly to?: string | undefined },
  ): Promise<RestorePoint[]>;
  /** The newest restore point at or before a time; the newest of all without one. */
  pointAt(scope: Scope, sourceId: string, time?: string): Promise<RestorePoint | undefined>;
  point(scope: Scope, sourceId: string, sequence: number): Promise<RestorePoint | undefined>;
}

/** Where a source is looked for. */
export interface SourcePlace {
  readonly tenantId: string;
  readonly locationId: string;
  readonly sourceId: string;
}

const columns = {
  name: 'lower(resource.name)',
  newestPointAt: 'source.newest_point_at',
  bytes: 'source.bytes',
  items: 'source.items',
} as const;
const shown = sql`source.source_id, source.resource_id, resource.graph_id, resource.name, resource.address, resource.kind, resource.workload, source.points,
  source.oldest_point_at, source.newest_point_at, source.items, source.bytes, resource.deleted_at,
  ${isAnythingHeld(sql`resource.tenant_id`, (id) => sql`${id} = source.resource_id`)} as is_held`;
const joined = sql`catalog_sources source join resources resource using (organisation_id, realm, resource_id)`;

function createList(database: Database): SourcesViews['list'] {
  return (scope, { tenantId, locationId }, query) => {
    const window = windowOf(query);
    const { column, isDescending } = sortOf<keyof typeof columns>(query.sort, { column: 'name', isDescending: false });
    const parts = [
      sql`resource.tenant_id = ${tenantId} and resource.kind not in ('archive', 'journal') and source.location_id = ${locationId} and source.points > 0`,
    ];
    if (query.workload !== undefined) parts.push(sql`resource.workload = ${query.workload}`);
    if (query.deleted !== undefined) parts.push(query.deleted ? sql`resource.deleted_at is not null` : sql`resource.deleted_at is null`);
    if (query.search !== undefined)
      parts.push(sql`(resource.name ilike ${likePattern(query.search)} or resource.address ilike ${likePattern(query.search)})`);
    const where = sql.join(parts, sql` and `);
    return database.within(scope, async (tx) => {
      const { rows } = await sql<SourceRow>`
        select ${shown} from ${joined} where ${where}
        order by ${sql.raw(`${columns[column]} ${isDescending ? 'desc' : 'asc'} nulls last`)}, source.source_id
        limit ${window.limit} offset ${window.offset}`.execute(tx);
      const counted = await sql<{ total: number }>`select count(*)::bigint as total from ${joined} where ${where}`.execute(tx);
      return pageFrom(rows.map(sourceOf), counted.rows[0]?.total ?? 0, window);
    });
  };
}

export function createSourcesViews(database: Database): SourcesViews {
  return Object.freeze<SourcesViews>({
    list: createList(database),
    hasLocation(scope, { tenantId, locationId }) {
      return database.within(scope, async (tx) => {
        const { rows } = await sql`
          select from locations where location_id = ${locationId} and tenant_id = ${tenantId}`.execute(tx);
        return rows.length > 0;
      });
    },
    get(scope, { tenantId, locationId, sourceId }) {
      return database.within(scope, async (tx) => {
        const { rows } = await sql<SourceRow>`
          select ${shown} from ${joined}
          where source.source_id = ${sourceId} and source.location_id = ${locationId} and resource.tenant_id = ${tenantId}
            and resource.kind not in ('archive', 'journal')`.execute(tx);
        return rows[0] && sourceOf(rows[0]);
      });
    },
    points(scope, sourceId, { from, to }) {
      return database.within(scope, async (tx) => {
        let query = tx.selectFrom('catalog_points').selectAll().where('source_id', '=', sourceId);
        if (from !== undefined) query = query.where('committed_at', '>=', new Date(from));
        if (to !== undefined) query = query.where('committed_at', '<', new Date(to));
        return (await query.orderBy('sequence', 'desc').limit(10_000).execute()).map(
          ({ sequence, committed_at, status, added, changed, removed }) =>
            pointOf({ sequence, committed_at, status, added, changed, removed }),
        );
      });
    },
    pointAt(scope, sourceId, time) {
      return database.within(scope, async (tx) => {
        const until = time === undefined ? sql`true` : sql`committed_at <= ${time}`;
        const { rows } = await sql<PointRow>`
          select sequence, committed_at, status, added, changed, removed from catalog_points
          where source_id = ${sourceId} and ${until} order by sequence desc limit 1`.execute(tx);
        return rows[0] && pointOf(rows[0]);
      });
    },
    point(scope, sourceId, sequence) {
      return database.within(scope, async (tx) => {
        const { rows } = await sql<PointRow>`
          select sequence, committed_at, status, added, changed, removed from catalog_points
          where source_id = ${sourceId} and sequence = ${sequence}`.execute(tx);
        return rows[0] && pointOf(rows[0]);
      });
    },
  });
}
