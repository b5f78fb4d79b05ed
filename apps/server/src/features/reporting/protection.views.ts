import { excludingCodes } from '@holdfast/contract/coverage';
import type { Page } from '@holdfast/contract/paging';
import type { CoverageReason } from '@holdfast/contract/reporting';
import type { Workload } from '@holdfast/contract/values';
import type { Database, Scope } from '@holdfast/database';
import { unreadableFeatures } from '@holdfast/engine';
import { sql, type RawBuilder } from 'kysely';
import { likePattern, pageFrom, sortOf, windowOf } from '../../http/paging.ts';
import { CHATS_OFF, optionsOff, readsChats, wholesOff, WORKLOAD_OFF } from './switched-off.views.ts';

export interface ProtectionQuery {
  readonly cursor?: string | undefined;
  readonly limit: number;
  readonly workload?: Workload | undefined;
  readonly state?: CoverageReason['state'] | undefined;
  readonly search?: string | undefined;
  readonly sort?: string | undefined;
  /** Only accounts, sites and teams, without the folders and features that are missing in them. */
  readonly wholeOnly?: boolean | undefined;
  /** Of these only what `counts` counts: no line for chats or a workload that is switched off. */
  readonly countedOnly?: boolean | undefined;
  /** Without what somebody excluded, what does not exist and what is protected in another place. */
  readonly withoutExcluded?: boolean | undefined;
}

/** Resources of a workload by how well they are protected. */
export interface ProtectionCounts {
  readonly workload: Workload;
  readonly protected: number;
  readonly partly: number;
  readonly unprotected: number;
  readonly excluded: number;
}

/** A mailbox, drive, site or team with how well it is protected. */
export interface ProtectedResource {
  readonly name: string;
  readonly address: string;
  readonly workload: Workload;
  readonly state: CoverageReason['state'];
  readonly reason: string | null;
  readonly newestPointAt: string | null;
}

/** What is protected, what is not, and why. Resources that are gone from Microsoft 365 don't count. */
export interface ProtectionViews {
  /** Everything that is not protected, or, by the state `protected`, the resources that are. */
  notProtected(scope: Scope, tenantId: string, query: ProtectionQuery): Promise<Page<CoverageReason>>;
  counts(scope: Scope, tenantId: string): Promise<ProtectionCounts[]>;
  /** Every resource with its state, by workload and name. */
  everyone(
    scope: Scope,
    tenantId: string,
    query: { readonly limit: number; readonly cursor?: string | undefined },
  ): Promise<Page<ProtectedResource>>;
}

/** The codes that count as excluded. */
const EXCLUDING = sql`${[...excludingCodes]}::text[]`;

/** Each resource with its state, under the name `shown`; those that are gone from Microsoft 365 only if they are asked for. */
export function stateOfResources(tenantId: string, { withDeleted = false } = {}): RawBuilder<unknown> {
  const still = withDeleted ? sql`true` : sql`resource.deleted_at is null`;
  return sql`(
    select resource.*, case
        when resource.last_status = 'excluded' and coalesce(resource.last_code = any(${EXCLUDING}), true) then 'excluded'
        when held.points = 0 then 'unprotected'
        when resource.last_status in ('defective', 'failed', 'excluded') then 'partly'
        else 'protected' end as state
    from resources resource
    cross join lateral (
      select coalesce(sum(source.points), 0) as points from catalog_sources source
      where source.organisation_id = resource.organisation_id and source.realm = resource.realm and source.resource_id = resource.resource_id) held
    where resource.tenant_id = ${tenantId} and resource.kind not in ('archive', 'journal') and ${still}) shown`;
}

/** Where the last run left no code, the state itself is the reason. */
const UNTOLD = sql`case state when 'partly' then 'coverage.items-missing' when 'unprotected' then 'coverage.no-restore-point' else 'coverage.excluded' end`;

/** People of whom there is nothing to protect, and those whom a job leaves out while no other one has a restore point of theirs. */
export function peopleWithout(tenantId: string): RawBuilder<unknown> {
  return sql`(
    select person.* from people_not_covered person
    where person.tenant_id = ${tenantId} and not (person.code = 'coverage.excluded-by-job' and exists (
      select from resources resource join catalog_sources source using (organisation_id, realm, resource_id)
      where resource.tenant_id = person.tenant_id and resource.workload = person.workload and source.points > 0
        and (resource.graph_id = person.graph_id or lower(resource.address) = lower(person.address))))) unprotected_people`;
}

/** The folder of a mailbox that holds copies of chats and posts. */
const COPY_OF_CHATS = 'coverage.copy-of-teams';

/** Protected resources, in the columns of the gaps. */
function protectedOnes(tenantId: string): RawBuilder<unknown> {
  return sql`(
    select resource_id, graph_id, name, address, workload, state, '' as reason, '' as path, null::timestamptz as since
    from ${stateOfResources(tenantId)} where state = 'protected') whole`;
}

/** Everything that is not protected: resources, people who have none, and what is missing in those that are protected. */
function gaps(tenantId: string, { wholeOnly, countedOnly }: Pick<ProtectionQuery, 'wholeOnly' | 'countedOnly'>): RawBuilder<unknown> {
  const counted = sql`
    select resource_id, graph_id, name, address, workload, state, case when held_back and state = 'unprotected' then 'coverage.newcomer' else coalesce(last_code, ${UNTOLD}) end as reason, '' as path, last_run_at as since
    from ${stateOfResources(tenantId)} where state <> 'protected'
    union all
    select null, graph_id, name, address, workload, state, code, '', since from ${peopleWithout(tenantId)}`;
  if (countedOnly === true) return sql`(${counted}) gap`;
  const whole = sql`${counted} union all ${wholesOff(tenantId)}`;
  if (wholeOnly === true) return sql`(${whole}) gap`;
  const isOfChats = sql`(missing.code = ${COPY_OF_CHATS} and not ${readsChats(tenantId)})`;
  const features = Object.entries(unreadableFeatures).flatMap(([kind, codes]) => codes.map((code) => sql`(${kind}::text, ${code}::text)`));
  return sql`(${whole}
    union all ${optionsOff(tenantId)}
    union all
    select resource.resource_id, resource.graph_id, resource.name, resource.address, resource.workload,
      case when missing.code = any(${EXCLUDING}) and not ${isOfChats} then 'excluded' else 'unprotected' end,
      case when ${isOfChats} then ${CHATS_OFF} else missing.code end, missing.path, point.committed_at
    from coverage_gaps missing join catalog_sources source using (organisation_id, realm, source_id)
    join resources resource using (organisation_id, realm, resource_id)
    left join catalog_points point on point.organisation_id = source.organisation_id and point.realm = source.realm
      and point.source_id = source.source_id and point.sequence = source.covered_sequence
    where resource.tenant_id = ${tenantId} and resource.deleted_at is null
    union all
    select distinct null::uuid, '', '', '', resource.workload,
      case when feature.code = any(${EXCLUDING}) then 'excluded' else 'unprotected' end, feature.code, '', null::timestamptz
    from (values ${sql.join(features)}) feature (kind, code) join resources resource on resource.kind = feature.kind
    where resource.tenant_id = ${tenantId} and resource.deleted_at is null
) gap`;
}

interface ResourceRow extends Omit<ProtectedResource, 'newestPointAt'> {
  readonly newest_point_at: Date | null;
  readonly total: number;
}

interface GapRow {
  readonly resource_id: string | null;
  readonly graph_id: string;
  readonly name: string;
  readonly address: string;
  readonly workload: Workload;
  readonly state: CoverageReason['state'];
  readonly reason: string;
  readonly path: string;
  readonly since: Date | null;
}

function reasonOf({ resource_id: resourceId, graph_id: graphId, since, ...same }: GapRow): CoverageReason {
  return { resourceId, graphId, ...same, since: since?.toISOString() ?? null };
}

function conditions(query: ProtectionQuery): RawBuilder<unknown> {
  const parts = [sql`true`];
  if (query.workload !== undefined) parts.push(sql`workload = ${query.workload}`);
  if (query.state !== undefined) parts.push(sql`state = ${query.state}`);
  if (query.withoutExcluded === true) parts.push(sql`state <> 'excluded'`);
  if (query.search !== undefined)
    parts.push(
      sql`(name ilike ${likePattern(query.search)} or address ilike ${likePattern(query.search)} or path ilike ${likePattern(query.search)})`,
    );
  return sql.join(parts, sql` and `);
}

/** What needs attention most comes first, unless another order is asked for. */
function orderOf(sort: string | undefined): RawBuilder<unknown> {
  if (sort === undefined)
    return sql`case when reason in (${WORKLOAD_OFF}, ${CHATS_OFF}) then 0 when state = 'unprotected' then 1 when state = 'partly' then 2 else 3 end, name = ''`;
  const { column, isDescending } = sortOf<string>(sort, { column: 'name', isDescending: false });
  const by = column === 'since' ? sql`since` : sql`lower(${sql.ref(column)})`;
  return sql`${by} ${sql.raw(isDescending ? 'desc nulls last' : 'asc nulls last')}`;
}

export function createProtectionViews(database: Database): ProtectionViews {
  return Object.freeze<ProtectionViews>({
    notProtected(scope, tenantId, query) {
      const window = windowOf(query);
      const where = conditions(query);
      return database.within(scope, async (tx) => {
        const rowsOf = query.state === 'protected' ? protectedOnes(tenantId) : gaps(tenantId, query);
        const from = sql`${rowsOf} where ${where}`;
        const { rows } = await sql<GapRow>`
          select * from ${from}
          order by ${orderOf(query.sort)}, lower(name), path, graph_id, reason
          limit ${window.limit} offset ${window.offset}`.execute(tx);
        const counted = await sql<{ total: number }>`select count(*)::bigint as total from ${from}`.execute(tx);
        return pageFrom(rows.map(reasonOf), counted.rows[0]?.total ?? 0, window);
      });
    },
    counts(scope, tenantId) {
      return database.within(scope, async (tx) => {
        const { rows } = await sql<ProtectionCounts>`
          select workload, count(*) filter (where state = 'protected') as protected, count(*) filter (where state = 'partly') as partly,
            count(*) filter (where state = 'unprotected') as unprotected, count(*) filter (where state = 'excluded') as excluded
          from (
            select workload, state from ${stateOfResources(tenantId)}
            union all select workload, state from ${peopleWithout(tenantId)}) counted group by workload`.execute(tx);
        return rows;
      });
    },
    everyone(scope, tenantId, query) {
      const window = windowOf(query);
      return database.within(scope, async (tx) => {
        const { rows } = await sql<ResourceRow>`
          select shown.name, shown.address, shown.workload, shown.state,
            case when shown.state <> 'protected' then coalesce(shown.last_code, ${UNTOLD}) end as reason,
            (select max(source.newest_point_at) from catalog_sources source where source.organisation_id = shown.organisation_id
              and source.realm = shown.realm and source.resource_id = shown.resource_id) as newest_point_at,
            count(*) over ()::bigint as total
          from ${stateOfResources(tenantId)} order by shown.workload, lower(shown.name), shown.resource_id
          limit ${window.limit} offset ${window.offset}`.execute(tx);
        const items = rows.map(({ newest_point_at: newest, total: _total, ...row }) => ({
          ...row,
          newestPointAt: newest?.toISOString() ?? null,
        }));
        return pageFrom(items, rows[0]?.total ?? 0, window);
      });
    },
  });
}
