import type { Page } from '@holdfast/contract/paging';
import type { CoverageReason } from '@holdfast/contract/reporting';
import type { Workload } from '@holdfast/contract/values';
import type { Database, Scope } from '@holdfast/database';
import { sql, type RawBuilder } from 'kysely';
import { likePattern, pageFrom, windowOf } from '../../paging.ts';

export interface ProtectionQuery {
  readonly cursor?: string | undefined;
  readonly limit: number;
  readonly workload?: Workload | undefined;
  readonly search?: string | undefined;
}

/** Resources of a workload by how well they are protected. */
export interface ProtectionCounts {
  readonly workload: Workload;
  readonly protected: number;
  readonly partly: number;
  readonly unprotected: number;
  readonly excluded: number;
}

/** What is protected, what is not, and why. Resources that are gone from Microsoft 365 don't count. */
export interface ProtectionViews {
  notProtected(scope: Scope, tenantId: string, query: ProtectionQuery): Promise<Page<CoverageReason>>;
  counts(scope: Scope, tenantId: string): Promise<ProtectionCounts[]>;
}

/** Each resource with its state: excluded for good, without any restore point, with gaps, or whole. */
function withState(tenantId: string): RawBuilder<unknown> {
  return sql`(
    select resource.*, case
        when resource.last_status = 'excluded' then 'excluded'
        when held.points = 0 then 'unprotected'
        when resource.last_status in ('defective', 'failed') then 'partly'
        else 'protected' end as state
    from resources resource
    cross join lateral (
      select coalesce(sum(source.points), 0) as points from catalog_sources source
      where source.organisation_id = resource.organisation_id and source.realm = resource.realm and source.resource_id = resource.resource_id) held
    where resource.tenant_id = ${tenantId} and resource.deleted_at is null) shown`;
}

interface ReasonRow {
  readonly resource_id: string;
  readonly graph_id: string;
  readonly name: string;
  readonly address: string;
  readonly workload: Workload;
  readonly state: CoverageReason['state'];
  readonly last_code: string | null;
  readonly last_run_at: Date | null;
}

/** Where the last run left no code, the state itself is the reason. */
const REASONS = { partly: 'coverage.items-missing', unprotected: 'coverage.no-restore-point', excluded: 'coverage.excluded' } as const;

function reasonOf(row: ReasonRow): CoverageReason {
  return {
    resourceId: row.resource_id,
    graphId: row.graph_id,
    name: row.name,
    address: row.address,
    workload: row.workload,
    state: row.state,
    reason: row.last_code ?? REASONS[row.state],
    since: row.last_run_at?.toISOString() ?? null,
  };
}

function conditions(query: ProtectionQuery): RawBuilder<unknown> {
  const parts = [sql`state <> 'protected'`];
  if (query.workload !== undefined) parts.push(sql`workload = ${query.workload}`);
  if (query.search !== undefined) parts.push(sql`(name ilike ${likePattern(query.search)} or address ilike ${likePattern(query.search)})`);
  return sql.join(parts, sql` and `);
}

export function createProtectionViews(database: Database): ProtectionViews {
  return Object.freeze<ProtectionViews>({
    notProtected(scope, tenantId, query) {
      const window = windowOf(query);
      const where = conditions(query);
      return database.within(scope, async (tx) => {
        const { rows } = await sql<ReasonRow>`
          select * from ${withState(tenantId)} where ${where}
          order by case state when 'unprotected' then 0 when 'partly' then 1 else 2 end, lower(name), resource_id
          limit ${window.limit} offset ${window.offset}`.execute(tx);
        const counted = await sql<{ total: number }>`select count(*)::bigint as total from ${withState(tenantId)} where ${where}`.execute(
          tx,
        );
        return pageFrom(rows.map(reasonOf), counted.rows[0]?.total ?? 0, window);
      });
    },
    counts(scope, tenantId) {
      return database.within(scope, async (tx) => {
        const { rows } = await sql<ProtectionCounts>`
          select workload, count(*) filter (where state = 'protected') as protected, count(*) filter (where state = 'partly') as partly,
            count(*) filter (where state = 'unprotected') as unprotected, count(*) filter (where state = 'excluded') as excluded
          from ${withState(tenantId)} group by workload`.execute(tx);
        return rows;
      });
    },
  });
}
