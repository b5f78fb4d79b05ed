import { dashboardDays } from '@holdfast/contract/limits';
import type { Page } from '@holdfast/contract/paging';
import type { Protectable, ProtectableDetails, ProtectionDays } from '@holdfast/contract/people';
import type { Database, Scope, Tx } from '@holdfast/database';
import { sql, type RawBuilder } from 'kysely';
import { likePattern, pageFrom, sortOf, windowOf } from '../../http/paging.ts';
import type { RunsViews } from '../../runs/index.ts';
import type { JobsViews } from '../jobs/index.ts';
import { daysOf, readDates, readPointDays, readRunDays, worseOf } from './days.views.ts';
import { entriesOf, entryOf, resourcesBeside, type EntryRow } from './entries.views.ts';

export interface PeopleQuery {
  readonly cursor?: string | undefined;
  readonly limit: number;
  readonly sort?: string | undefined;
  readonly search?: string | undefined;
  readonly kind?: Protectable['kind'] | undefined;
  readonly state?: Protectable['state'] | undefined;
  readonly left?: boolean | undefined;
  readonly held?: boolean | undefined;
}

/** Everybody and everything that can be protected, each once. */
export interface PeopleViews {
  list(scope: Scope, tenantId: string, query: PeopleQuery): Promise<Page<Protectable>>;
  /** The last thirty days of those in trouble first, then by name. */
  days(scope: Scope, tenantId: string, query: DaysQuery): Promise<ProtectionDays>;
  get(scope: Scope, tenantId: string, resourceId: string, now: Date): Promise<ProtectableDetails | undefined>;
}

export interface DaysQuery {
  readonly of: 'person' | 'site' | 'team';
  readonly limit: number;
  readonly now: Date;
}

export interface PeopleParts {
  readonly database: Database;
  readonly runs: RunsViews;
  readonly jobs: JobsViews;
}

const columns = { name: 'lower(name)', newestPointAt: 'newest', bytes: 'bytes' } as const;
/** So far back the page of somebody looks. */
const PAGE_DAYS = 60;
const LAST_RESTORES = 5;

function conditions({ kind, state, left, held, search }: PeopleQuery): RawBuilder<unknown> {
  const wanted = [sql`true`];
  if (kind !== undefined) wanted.push(sql`kind = ${kind}`);
  if (state !== undefined) wanted.push(sql`state = ${state}`);
  if (left !== undefined) wanted.push(left ? sql`deleted_at is not null` : sql`deleted_at is null`);
  if (held !== undefined) wanted.push(sql`is_held = ${held}`);
  if (search !== undefined) wanted.push(sql`(name ilike ${likePattern(search)} or address ilike ${likePattern(search)})`);
  return sql.join(wanted, sql` and `);
}

async function readDays(tx: Tx, tenantId: string, { of, limit, now }: DaysQuery): Promise<ProtectionDays> {
  const { rows } = await sql<EntryRow & { readonly total: number }>`
    select *, count(*) over ()::bigint as total from ${entriesOf(tenantId)}
    where kind = ${of} and deleted_at is null and resource_id is not null and state <> 'excluded'
    order by case state when 'unprotected' then 0 when 'partly' then 1 else 2 end, lower(name), key limit ${limit}`.execute(tx);
  const dates = await readDates(tx, now, dashboardDays);
  const entries = rows.map(entryOf);
  const owners = new Map(entries.flatMap((entry) => entry.parts.map((part) => [part.resourceId ?? '', entry.resourceId] as const)));
  const ids = [...owners.keys()].filter((one) => one !== '');
  const ended = Map.groupBy(await readRunDays(tx, ids, dates), (row) => owners.get(row.resource_id));
  const shown = entries.map(({ resourceId, name }) => {
    const own = ended.get(resourceId) ?? [];
    const stateOn = (date: string) =>
      own
        .filter((row) => row.date === date)
        .map((row) => row.state)
        .reduce(worseOf, 'none');
    return { resourceId: resourceId ?? '', name, days: dates.map(stateOn) };
  });
  return { dates: [...dates], rows: shown, total: rows[0]?.total ?? 0 };
}

interface PlaceRow {
  readonly resource_id: string;
  readonly source_id: string;
  readonly location_id: string;
  readonly name: string;
  readonly points: number;
  readonly items: number;
  readonly bytes: number;
  readonly oldest: Date | null;
  readonly newest: Date | null;
}

async function readPlaces(tx: Tx, ids: readonly string[]): Promise<ProtectableDetails['places']> {
  const { rows } = await sql<PlaceRow>`
    select source.resource_id, source.source_id, source.location_id, location.name, source.points, source.items, source.bytes,
      source.oldest_point_at as oldest, source.newest_point_at as newest
    from catalog_sources source join locations location using (organisation_id, realm, location_id)
    where source.resource_id = any(${[...ids]}::uuid[]) and source.points > 0
    order by source.newest_point_at desc nulls last, source.source_id`.execute(tx);
  return rows.map(({ resource_id: resourceId, source_id: sourceId, location_id: locationId, name, oldest, newest, ...figures }) => ({
    resourceId,
    sourceId,
    locationId,
    locationName: name,
    ...figures,
    oldestPointAt: oldest?.toISOString() ?? null,
    newestPointAt: newest?.toISOString() ?? null,
  }));
}

/** The ids of the jobs that cover resources, and of the last runs that restored of them. */
async function readRelated(tx: Tx, ids: readonly string[]): Promise<{ readonly jobIds: string[]; readonly runIds: string[] }> {
  const covering = await sql<{ job_id: string }>`
    select distinct job_id from job_resources where resource_id = any(${[...ids]}::uuid[])`.execute(tx);
  const restored = await sql<{ run_id: string }>`
    select run_id from runs where (body #>> '{restore,sourceId}') in (
      select source_id::text from catalog_sources where resource_id = any(${[...ids]}::uuid[]))
    order by queued_at desc limit ${LAST_RESTORES}`.execute(tx);
  return { jobIds: covering.rows.map((row) => row.job_id), runIds: restored.rows.map((row) => row.run_id) };
}

export function createPeopleViews({ database, runs, jobs }: PeopleParts): PeopleViews {
  return Object.freeze<PeopleViews>({
    list(scope, tenantId, query) {
      const window = windowOf(query);
      const { column, isDescending } = sortOf<keyof typeof columns>(query.sort, { column: 'name', isDescending: false });
      return database.within(scope, async (tx) => {
        const { rows } = await sql<EntryRow & { readonly total: number }>`
          select *, count(*) over ()::bigint as total from ${entriesOf(tenantId)} where ${conditions(query)}
          order by ${sql.raw(`${columns[column]} ${isDescending ? 'desc' : 'asc'} nulls last`)}, lower(name), key
          limit ${window.limit} offset ${window.offset}`.execute(tx);
        return pageFrom(rows.map(entryOf), rows[0]?.total ?? 0, window);
      });
    },
    days: (scope, tenantId, query) => database.within(scope, (tx) => readDays(tx, tenantId, query)),
    async get(scope, tenantId, resourceId, now) {
      const found = await database.within(scope, async (tx) => {
        const ids = await resourcesBeside(tx, tenantId, resourceId);
        const { rows } = await sql<EntryRow>`
          select * from ${entriesOf(tenantId)} where resource_id = any(${[...ids]}::uuid[])`.execute(tx);
        if (rows[0] === undefined) return undefined;
        const dates = await readDates(tx, now, PAGE_DAYS);
        const days = daysOf(dates, await readRunDays(tx, ids, dates), await readPointDays(tx, ids, dates));
        return { entry: entryOf(rows[0]), places: await readPlaces(tx, ids), days, ...(await readRelated(tx, ids)) };
      });
      if (found === undefined) return undefined;
      const { jobIds, runIds, ...same } = found;
      const [covering, restores] = await Promise.all([
        Promise.all(jobIds.map((jobId) => jobs.get(scope, tenantId, jobId))),
        Promise.all(runIds.map((runId) => runs.get(scope, tenantId, runId))),
      ]);
      return { ...same, jobs: covering.filter((one) => one !== undefined), restores: restores.filter((one) => one !== undefined) };
    },
  });
}
