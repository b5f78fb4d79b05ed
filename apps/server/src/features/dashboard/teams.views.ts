import type { TeamActivity, teamActivityQuery, UnusedFor } from '@holdfast/contract/dashboard';
import type { Page } from '@holdfast/contract/paging';
import { FOREVER, type Database, type Scope } from '@holdfast/database';
import { sql, type RawBuilder } from 'kysely';
import type { z } from 'zod';
import { likePattern, pageFrom, sortOf, windowOf } from '../../http/paging.ts';
import { heldOnce } from './held-once.views.ts';
import { unusedSince } from './unused.ts';

/** Teams in numbers: structure, content, and how many had no post lately. */
export interface TeamsContent {
  readonly teams: number;
  readonly channels: number;
  readonly messages: number;
  readonly files: number;
  readonly chats: number;
  readonly unused: Readonly<Record<UnusedFor, number>>;
}

export type TeamActivityQuery = z.output<typeof teamActivityQuery>;

export interface TeamsViews {
  content(scope: Scope, tenantId: string, now: Date): Promise<TeamsContent>;
  /** Each team with the time of its last post; those alone that were unused for so long, when asked. */
  activity(scope: Scope, tenantId: string, query: TeamActivityQuery, now: Date): Promise<Page<TeamActivity>>;
}

interface KindRow {
  readonly kind: string;
  readonly count: number;
}

interface ActivityRow {
  readonly resource_id: string;
  readonly source_id: string;
  readonly location_id: string;
  readonly name: string;
  readonly address: string;
  readonly last_at: Date | null;
}

/** Each team once, with the time of its last post; null where nothing was ever posted. */
function teamsWithLastPost(tenantId: string): RawBuilder<unknown> {
  return sql`(
    select held.*, (select max(item.modified_at) from catalog_items item
      where item.organisation_id = held.organisation_id and item.realm = held.realm and item.source_id = held.source_id
        and item.kind in ('post', 'reply') and item.to_point = ${FOREVER}::bigint) as last_at
    from ${heldOnce(tenantId, 'team')} held) team`;
}

async function readKinds(tx: Parameters<Parameters<Database['within']>[1]>[0], tenantId: string): Promise<readonly KindRow[]> {
  // Counted source by source: while statistics are young, as after the first backup, a join may go through all items once for each.
  const { rows } = await sql<KindRow>`
    with held as materialized (select * from ${heldOnce(tenantId, 'team')} team union all select * from ${heldOnce(tenantId, 'chat')} chat)
    select counted.kind, sum(counted.count)::bigint as count
    from held cross join lateral (
      select item.kind, count(*) as count from catalog_items item
      where item.organisation_id = held.organisation_id and item.realm = held.realm and item.source_id = held.source_id
        and item.to_point = ${FOREVER}::bigint
      group by 1) counted
    group by 1`.execute(tx);
  return rows;
}

const columns = { name: 'lower(name)', lastActivityAt: 'last_at' } as const;

function createActivity(database: Database): TeamsViews['activity'] {
  return (scope, tenantId, query, now) => {
    const window = windowOf(query);
    const { column, isDescending } = sortOf<keyof typeof columns>(query.sort, { column: 'name', isDescending: false });
    const parts = [sql`true`];
    if (query.unused !== undefined) parts.push(sql`(last_at is null or last_at < ${unusedSince(query.unused, now)})`);
    if (query.search !== undefined)
      parts.push(sql`(name ilike ${likePattern(query.search)} or address ilike ${likePattern(query.search)})`);
    return database.within(scope, async (tx) => {
      const { rows } = await sql<ActivityRow & { total: number }>`
        select team.*, count(*) over ()::bigint as total from ${teamsWithLastPost(tenantId)} where ${sql.join(parts, sql` and `)}
        order by ${sql.raw(`${columns[column]} ${isDescending ? 'desc nulls last' : 'asc nulls first'}`)}, resource_id
        limit ${window.limit} offset ${window.offset}`.execute(tx);
      const items = rows.map((row) => ({
        resourceId: row.resource_id,
        sourceId: row.source_id,
        locationId: row.location_id,
        name: row.name,
        address: row.address,
        lastActivityAt: row.last_at?.toISOString() ?? null,
      }));
      return pageFrom(items, rows[0]?.total ?? 0, window);
    });
  };
}

export function createTeamsViews(database: Database): TeamsViews {
  return Object.freeze<TeamsViews>({
    activity: createActivity(database),
    content(scope, tenantId, now) {
      return database.within(scope, async (tx) => {
        const kinds = await readKinds(tx, tenantId);
        const { rows: lasts } = await sql<{ last_at: Date | null }>`select last_at from ${teamsWithLastPost(tenantId)}`.execute(tx);
        const of = (...names: readonly string[]): number =>
          kinds.filter((row) => names.includes(row.kind)).reduce((sum, row) => sum + row.count, 0);
        const unusedFor = (filter: UnusedFor): number =>
          lasts.filter((row) => row.last_at === null || row.last_at < unusedSince(filter, now)).length;
        return {
          teams: lasts.length,
          channels: of('channel'),
          messages: of('post', 'reply', 'chatMessage'),
          files: of('file'),
          chats: of('chat'),
          unused: { days30: unusedFor('days30'), weeks8: unusedFor('weeks8'), months6: unusedFor('months6') },
        };
      });
    },
  });
}
