import type { Database, Scope } from '@holdfast/database';
import { sql } from 'kysely';

/** What is held of Teams: structure and content in numbers, and teams in which nothing happened lately. */
export interface TeamsContent {
  readonly teams: number;
  readonly channels: number;
  readonly messages: number;
  readonly files: number;
  readonly chats: number;
  readonly unused: { readonly days30: number; readonly weeks8: number; readonly months6: number };
}

export interface TeamsViews {
  content(scope: Scope, tenantId: string, now: Date): Promise<TeamsContent>;
}

/** Where versions end that nothing has replaced: see the migration of the catalog. */
const FOREVER = Number.MAX_SAFE_INTEGER;
const DAY_MS = 24 * 3_600_000;

interface KindRow {
  readonly kind: string;
  readonly count: number;
}

interface LastPostRow {
  readonly last_at: Date | null;
}

export function createTeamsViews(database: Database): TeamsViews {
  return Object.freeze<TeamsViews>({
    content(scope, tenantId, now) {
      return database.within(scope, async (tx) => {
        const kinds = await sql<KindRow>`
          select item.kind, count(*)::bigint as count from catalog_items item
          join catalog_sources source using (organisation_id, realm, source_id)
          join resources resource using (organisation_id, realm, resource_id)
          where resource.tenant_id = ${tenantId} and resource.workload = 'teams' and item.to_point = ${FOREVER}::bigint group by 1`.execute(
          tx,
        );
        const lasts = await sql<LastPostRow>`
          select (select max(item.modified_at) from catalog_items item
              where item.organisation_id = source.organisation_id and item.realm = source.realm and item.source_id = source.source_id
                and item.kind in ('post', 'reply') and item.to_point = ${FOREVER}::bigint) as last_at
          from catalog_sources source join resources resource using (organisation_id, realm, resource_id)
          where resource.tenant_id = ${tenantId} and resource.kind = 'team'`.execute(tx);
        const of = (...names: readonly string[]): number =>
          kinds.rows.filter((row) => names.includes(row.kind)).reduce((sum, row) => sum + row.count, 0);
        const quietFor = (days: number): number =>
          lasts.rows.filter((row) => row.last_at === null || now.getTime() - row.last_at.getTime() > days * DAY_MS).length;
        return {
          teams: lasts.rows.length,
          channels: of('channel'),
          messages: of('post', 'reply', 'chatMessage'),
          files: of('file'),
          chats: of('chat'),
          unused: { days30: quietFor(30), weeks8: quietFor(56), months6: quietFor(182) },
        };
      });
    },
  });
}
