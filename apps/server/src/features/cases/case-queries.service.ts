import type { cases } from '@holdfast/contract/cases';
import type { CaseDetails, CaseReport } from '@holdfast/contract/case-values';
import { printQuery } from '@holdfast/contract/query/print';
import type { ResponseOf } from '@holdfast/contract/route';
import type { Tx } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import { windowOf } from '../../http/paging.ts';
import { sightOf, unlimitedReach } from '../content-access/index.ts';
import { coverageOf, hitsPage, monthsOf, readQuery, searchPlaceOf, type SearchPlace } from '../search/index.ts';
import type { CaseAccess, CaseAsking, CasesParts } from './case-access.ts';
import { addQuery, changeQuery, hasQueryNamed, readCaseQuery, queriesOf, removeQuery } from './case-parts.store.ts';
import { sumOfHits } from './case-figures.views.ts';
import { figuresOfQueries, type QueryFigures } from './case-report.views.ts';
import type { CaseQueryRow, CaseRow } from './cases.store.ts';
import { resourceIdsOf } from '../marks/index.ts';
import { partsOf } from './query-parts.ts';

interface QueryBody {
  readonly name: string;
  readonly query: string;
}

/** The queries of a case. They look at nothing but what its custodians have, within its period. */
export interface CaseQueriesService {
  addQuery(asking: CaseAsking, caseId: string, body: QueryBody): Promise<CaseDetails>;
  changeQuery(asking: CaseAsking, caseId: string, queryId: string, body: QueryBody): Promise<CaseDetails>;
  removeQuery(asking: CaseAsking, caseId: string, queryId: string): Promise<void>;
  countQuery(asking: CaseAsking, caseId: string, queryId: string): Promise<ResponseOf<typeof cases.countQuery>>;
  /** What all queries find together, and each of them alone. */
  report(asking: CaseAsking, caseId: string): Promise<CaseReport>;
  queryHits(
    asking: CaseAsking,
    place: { readonly caseId: string; readonly queryId: string },
    paging: { readonly cursor?: string | undefined; readonly limit: number },
  ): Promise<ResponseOf<typeof cases.queryHits>>;
}

/** A query of a case where it is run. */
export interface CaseSearch {
  readonly row: CaseRow;
  readonly query: CaseQueryRow;
  readonly readAs: string;
  readonly place: SearchPlace & { readonly within: NonNullable<SearchPlace['within']> };
}

/** Finds a query of a case and says where it looks. */
export async function caseSearchOf(
  tx: Tx,
  row: CaseRow,
  queryId: string,
  given: { readonly clock: Clock; readonly asking: CaseAsking },
): Promise<CaseSearch> {
  const query = await readCaseQuery(tx, row.case_id, queryId);
  if (!query) throw new AppError('not-found');
  const read = readQuery(query.query, given.asking.language);
  const resourceIds = await resourceIdsOf(tx, { tenantId: row.tenant_id, caseId: row.case_id });
  const within = { resourceIds, from: row.from_at, to: row.to_at };
  const sight = sightOf(given.asking, given.clock.nowMs());
  // A member of a case opens what the case is about: no other right is asked for.
  const place = await searchPlaceOf(tx, given.clock, { tenantId: row.tenant_id, query: read, reach: unlimitedReach, sight });
  return { row, query, readAs: printQuery(read), place: { ...place, within } };
}

/** By the place of each query among them; one that finds nothing is left out. */
const byPlace = (queries: readonly QueryFigures[]): ReadonlyMap<number, QueryFigures> => new Map(queries.map((one) => [one.query, one]));

type FoundFigures = CaseReport['queries'][number]['parts'][number];

/** What each part of a query finds within it or not: terms are compared with terms, groups with groups. */
async function figuresOfParts(tx: Tx, { place }: CaseSearch): Promise<readonly FoundFigures[]> {
  const { terms, groups } = partsOf(place.query);
  const found: FoundFigures[] = [];
  for (const parts of [groups, terms]) {
    if (parts.length === 0) continue;
    const queries = parts.map((query) => ({ query, world: place.world }));
    const figures = byPlace((await figuresOfQueries(tx, { ground: place, queries })).queries);
    found.push(
      ...parts.map((query, at) => {
        const { hits = 0, unique = 0, family = 0 } = figures.get(at) ?? {};
        return { readAs: printQuery(query), hits, unique, family };
      }),
    );
  }
  return found;
}

async function reportOf(tx: Tx, row: CaseRow, given: { readonly clock: Clock; readonly asking: CaseAsking }): Promise<CaseReport> {
  const searches: CaseSearch[] = [];
  for (const { query_id: queryId } of await queriesOf(tx, row.case_id)) searches.push(await caseSearchOf(tx, row, queryId, given));
  const [first] = searches;
  if (!first) return { hits: 0, bytes: 0, queries: [], resources: [], coverage: null };
  const { queries: found, resources } = await figuresOfQueries(tx, { ground: first.place, queries: searches.map(({ place }) => place) });
  const figures = byPlace(found);
  const parts: (readonly FoundFigures[])[] = [];
  for (const search of searches) parts.push(await figuresOfParts(tx, search));
  return {
    hits: resources.reduce((sum, { hits }) => sum + hits, 0),
    bytes: resources.reduce((sum, { bytes }) => sum + bytes, 0),
    queries: searches.map(({ query, readAs }, at) => {
      const { hits = 0, bytes = 0, unique = 0, family = 0 } = figures.get(at) ?? {};
      return { queryId: query.query_id, name: query.name, readAs, hits, bytes, unique, family, parts: [...(parts[at] ?? [])] };
    }),
    resources,
    coverage: await coverageOf(tx, first.place),
  };
}

export function createCaseQueriesService(parts: CasesParts, access: CaseAccess): CaseQueriesService {
  const { database, clock, ids, contentAccess } = parts;

  async function refuseTaken(tx: Tx, caseId: string, name: string, besides: string | null): Promise<void> {
    if (await hasQueryNamed(tx, caseId, name, besides)) throw new AppError('cases.query-name-taken');
  }

  /** A query may be run in an open case alone, by whoever may see what it finds. */
  async function searchOf(tx: Tx, asking: CaseAsking, caseId: string, queryId: string): Promise<CaseSearch> {
    const row = await access.findOpen(tx, asking, caseId);
    await contentAccess.requireCase(tx, asking, caseId);
    return caseSearchOf(tx, row, queryId, { clock, asking });
  }

  async function noteSearch(tx: Tx, asking: CaseAsking, search: CaseSearch, hits: number): Promise<void> {
    const details = { name: search.query.name, query: search.readAs, hits };
    await access.note(tx, asking, { event: 'cases.searched', of: search.row, details });
  }

  return Object.freeze<CaseQueriesService>({
    addQuery: (asking, caseId, { name, query }) =>
      database.within(asking.scope, async (tx) => {
        const row = await access.findOpen(tx, asking, caseId);
        const readAs = printQuery(readQuery(query, asking.language));
        await refuseTaken(tx, caseId, name, null);
        const made = { creator: asking.actor.email, created_at: now(clock) };
        await addQuery(tx, { case_id: caseId, query_id: ids.uuid(), name, query, ...made });
        await access.note(tx, asking, { event: 'cases.query-added', of: row, details: { name, query: readAs } });
        return access.details(tx, row);
      }),
    changeQuery: (asking, caseId, queryId, { name, query }) =>
      database.within(asking.scope, async (tx) => {
        const row = await access.findOpen(tx, asking, caseId);
        const readAs = printQuery(readQuery(query, asking.language));
        const before = await readCaseQuery(tx, caseId, queryId);
        if (!before) throw new AppError('not-found');
        await refuseTaken(tx, caseId, name, queryId);
        const figures = before.query === query ? {} : { hits: null, bytes: null, counted_at: null };
        await changeQuery(tx, queryId, { name, query, ...figures });
        await access.note(tx, asking, { event: 'cases.query-changed', of: row, details: { before: before.query, name, query: readAs } });
        return access.details(tx, row);
      }),
    removeQuery: (asking, caseId, queryId) =>
      database.within(asking.scope, async (tx) => {
        const row = await access.findOpen(tx, asking, caseId);
        const query = await readCaseQuery(tx, caseId, queryId);
        if (!query) throw new AppError('not-found');
        await removeQuery(tx, queryId);
        await access.note(tx, asking, { event: 'cases.query-removed', of: row, details: { name: query.name } });
      }),
    countQuery: (asking, caseId, queryId) =>
      database.within(asking.scope, async (tx) => {
        const search = await searchOf(tx, asking, caseId, queryId);
        const { hits, bytes } = await sumOfHits(tx, search.place);
        await changeQuery(tx, queryId, { hits, bytes, counted_at: now(clock) });
        await noteSearch(tx, asking, search, hits);
        const months = await monthsOf(tx, search.place);
        return { readAs: search.readAs, hits, bytes, months, coverage: await coverageOf(tx, search.place) };
      }),
    report: (asking, caseId) =>
      database.within(asking.scope, async (tx) => {
        const row = await access.findOpen(tx, asking, caseId);
        await contentAccess.requireCase(tx, asking, caseId);
        const report = await reportOf(tx, row, { clock, asking });
        await access.note(tx, asking, { event: 'cases.reported', of: row, details: { queries: report.queries.length, hits: report.hits } });
        return report;
      }),
    queryHits: (asking, { caseId, queryId }, paging) =>
      database.within(asking.scope, async (tx) => {
        const search = await searchOf(tx, asking, caseId, queryId);
        const page = await hitsPage(tx, search.place, windowOf(paging));
        await noteSearch(tx, asking, search, page.total);
        return { ...page, readAs: search.readAs, coverage: await coverageOf(tx, search.place) };
      }),
  });
}
