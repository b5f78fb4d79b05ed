import type { SavedSearch, SavedSearchBody, SearchDifference, SearchUse } from '@holdfast/contract/saved-searches';
import type { SearchAnswer } from '@holdfast/contract/search';
import type { Database, Scope, Tx } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import type { Ids } from '@holdfast/foundation/ids';
import type { Language } from '../../http/language.ts';
import type { AuditInbox } from '../audit/index.ts';
import { sightBy, sightOf, unlimitedReach, type ContentAccess, type SearchReach } from '../content-access/index.ts';
import type { Asking } from '../identity/index.ts';
import type { Sight } from '../marks/index.ts';
import { actorEntry } from '../organisations/index.ts';
import {
  addQuery,
  changeSavedSearch,
  countWithout,
  forgetHits,
  forgetNewHits,
  isSearchNameTaken,
  listSavedSearches,
  lockSavedSearches,
  readSavedSearch,
  rememberHits,
  savedSearchOf,
  type SavedSearchRow,
} from './saved-searches.store.ts';
import { placeOf, readQuery } from './search-place.ts';
import type { Searching, SearchService } from './search.service.ts';
import type { SearchUses } from './search-uses.ts';

/** Who asks for saved searches, where, and in which language. */
export interface SearchAsking extends Asking {
  readonly tenantId: string;
  readonly language: Language;
  /** The version that the reader saw, when they say so. */
  readonly expectedVersion?: string | undefined;
}

export interface SavedSearchesService {
  list(scope: Scope, tenantId: string): Promise<{ items: SavedSearch[] }>;
  create(asking: SearchAsking, body: SavedSearchBody): Promise<SavedSearch>;
  get(scope: Scope, tenantId: string, searchId: string): Promise<SavedSearch>;
  update(asking: SearchAsking, searchId: string, body: SavedSearchBody): Promise<SavedSearch>;
  remove(asking: SearchAsking, searchId: string): Promise<void>;
  run(
    searching: Searching,
    searchId: string,
    page: { readonly cursor?: string | undefined; readonly limit: number; readonly withFacets?: boolean },
  ): Promise<SearchAnswer>;
  uses(scope: Scope, tenantId: string, searchId: string): Promise<{ items: SearchUse[] }>;
  difference(searching: Searching, searchId: string, query: string): Promise<SearchDifference>;
}

export interface SavedSearchesOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly audit: AuditInbox;
  readonly access: ContentAccess;
  readonly search: SearchService;
  readonly uses: SearchUses;
  /** Writes a search into the audit log, in the transaction that answers it. */
  record(tx: Tx, searching: Searching, searched: { readonly readAs: string; readonly hits: number }): Promise<void>;
}

type Change = 'search.saved' | 'search.changed' | 'search.deleted';

async function existing(tx: Tx, tenantId: string, searchId: string): Promise<SavedSearchRow> {
  const row = await readSavedSearch(tx, searchId);
  if (row?.tenant_id !== tenantId) throw new AppError('not-found');
  return row;
}

async function refuseTaken(tx: Tx, tenantId: string, name: string, except?: string): Promise<void> {
  if (await isSearchNameTaken(tx, { tenantId, name, except })) throw new AppError('search.name-taken', { details: { field: 'name' } });
}

/** What refers to a search would lose its meaning. */
async function refuseUsed(tx: Tx, uses: SearchUses, searchId: string): Promise<void> {
  const used = await uses.of(tx, searchId);
  if (used.length > 0) throw new AppError('search.in-use', { details: { uses: used.map(({ name }) => name).join(', ') } });
}

/** The changes of saved searches, each in one transaction with its audit event. */
function createChanges({ database, clock, ids, audit, uses, access }: SavedSearchesOptions) {
  async function note(tx: Tx, event: Change, asking: SearchAsking, { search_id, name, query, has_alert }: SavedSearchRow): Promise<void> {
    await audit.record(tx, {
      event,
      actor: actorEntry(asking.actor, asking.caller),
      subject: { kind: 'search', id: search_id, name },
      details: { query, alert: has_alert },
    });
  }

  /** What matches when an alert begins or its query changes is known already: only later items are new. */
  async function beginAlert(tx: Tx, asking: SearchAsking, row: SavedSearchRow): Promise<void> {
    const { tenantId, language } = asking;
    await forgetHits(tx, row.search_id);
    const owner = { tenantId, accountId: row.owner_id };
    const reach = await access.searchableBy(tx, owner);
    const query = readQuery(row.query, language);
    const sight = await sightBy(tx, owner, now(clock));
    if (row.has_alert) await rememberHits(tx, row.search_id, await placeOf(tx, clock, { tenantId, query, reach, sight }));
    await changeSavedSearch(tx, row.search_id, { new_hits: 0, checked_at: row.has_alert ? now(clock) : null });
  }

  /** What a hold keeps must not lose its protection because one person writes another query. */
  async function refuseNarrowed(tx: Tx, asking: SearchAsking, row: SavedSearchRow, to: string): Promise<void> {
    const isHeld = (await uses.of(tx, row.search_id)).some(({ kind }) => kind === 'hold');
    if (!isHeld) return;
    const sight = await sightBy(tx, { tenantId: row.tenant_id, accountId: row.owner_id }, now(clock));
    const { removed } = await differ(tx, clock, { ...asking, from: row.query, to, reach: unlimitedReach, sight });
    if (removed > 0) throw new AppError('search.hold-narrowed', { details: { field: 'query' } });
  }

  async function create(asking: SearchAsking, { name, query, hasAlert }: SavedSearchBody): Promise<SavedSearch> {
    readQuery(query, asking.language);
    return database.within(asking.scope, async (tx) => {
      const { tenantId, actor } = asking;
      await lockSavedSearches(tx);
      await refuseTaken(tx, tenantId, name);
      const searchId = ids.uuid();
      const at = now(clock);
      const owner = { owner_id: actor.accountId, owner: actor.email, created_at: at, changed_at: at };
      await tx
        .insertInto('saved_searches')
        .values({ search_id: searchId, tenant_id: tenantId, name, query_version: 1, has_alert: hasAlert, ...owner })
        .execute();
      await addQuery(tx, { search_id: searchId, query_version: 1, query, written_by: actor.email, written_at: at });
      const row = await existing(tx, tenantId, searchId);
      await beginAlert(tx, asking, row);
      await note(tx, 'search.saved', asking, row);
      return savedSearchOf(await existing(tx, tenantId, searchId));
    });
  }

  async function update(asking: SearchAsking, searchId: string, { name, query, hasAlert }: SavedSearchBody): Promise<SavedSearch> {
    readQuery(query, asking.language);
    return database.within(asking.scope, async (tx) => {
      const { tenantId, expectedVersion, actor } = asking;
      await lockSavedSearches(tx);
      const row = await existing(tx, tenantId, searchId);
      if (expectedVersion !== undefined && expectedVersion !== String(row.version)) throw new AppError('request.precondition-failed');
      await refuseTaken(tx, tenantId, name, searchId);
      const isOther = query !== row.query;
      const version = row.query_version + (isOther ? 1 : 0);
      const at = now(clock);
      if (isOther) {
        await refuseNarrowed(tx, asking, row, query);
        await addQuery(tx, { search_id: searchId, query_version: version, query, written_by: actor.email, written_at: at });
      }
      const change = { name, has_alert: hasAlert, query_version: version, version: row.version + 1, changed_at: at };
      await changeSavedSearch(tx, searchId, change);
      const changed = await existing(tx, tenantId, searchId);
      if (isOther || hasAlert !== row.has_alert) await beginAlert(tx, asking, changed);
      await note(tx, 'search.changed', asking, changed);
      return savedSearchOf(await existing(tx, tenantId, searchId));
    });
  }

  async function remove(asking: SearchAsking, searchId: string): Promise<void> {
    await database.within(asking.scope, async (tx) => {
      await lockSavedSearches(tx);
      const row = await existing(tx, asking.tenantId, searchId);
      await refuseUsed(tx, uses, searchId);
      await tx.deleteFrom('saved_searches').where('search_id', '=', searchId).execute();
      await note(tx, 'search.deleted', asking, row);
    });
  }

  return { create, update, remove };
}

interface Queries {
  readonly tenantId: string;
  readonly language: Language;
  readonly from: string;
  readonly to: string;
  readonly reach: SearchReach;
  readonly sight: Sight | undefined;
}

/** How many items one query finds that the other does not. */
async function differ(
  tx: Tx,
  clock: Clock,
  { tenantId, language, reach, sight, ...queries }: Queries,
): Promise<{ added: number; removed: number }> {
  const from = await placeOf(tx, clock, { tenantId, query: readQuery(queries.from, language), reach, sight });
  const to = await placeOf(tx, clock, { tenantId, query: readQuery(queries.to, language), reach, sight });
  return { added: await countWithout(tx, to, from), removed: await countWithout(tx, from, to) };
}

/** Saved searches: a name, a query in versions, an owner. What refers to one keeps it from being deleted. */
export function createSavedSearches(options: SavedSearchesOptions): SavedSearchesService {
  const { database, clock, uses } = options;
  return Object.freeze<SavedSearchesService>({
    ...createChanges(options),
    list: (scope, tenantId) =>
      database.within(scope, async (tx) => ({ items: (await listSavedSearches(tx, tenantId)).map((row) => savedSearchOf(row)) })),
    get: (scope, tenantId, searchId) => database.within(scope, async (tx) => savedSearchOf(await existing(tx, tenantId, searchId))),
    async run(searching, searchId, page) {
      const { scope, tenantId } = searching;
      const row = await database.within(scope, (tx) => existing(tx, tenantId, searchId));
      const answer = await options.search.search(searching, { ...page, query: row.query });
      // What the alert finds in the meantime stays new.
      if (row.new_hits > 0) await database.within(scope, (tx) => forgetNewHits(tx, searchId, row.new_hits));
      return answer;
    },
    uses: (scope, tenantId, searchId) =>
      database.within(scope, async (tx) => {
        await existing(tx, tenantId, searchId);
        return { items: await uses.of(tx, searchId) };
      }),
    difference: (searching, searchId, query) =>
      database.within(searching.scope, async (tx) => {
        const row = await existing(tx, searching.tenantId, searchId);
        const reach = await options.access.searchable(tx, searching);
        const found = await differ(tx, clock, {
          ...searching,
          from: row.query,
          to: query,
          reach,
          sight: sightOf(searching, clock.nowMs()),
        });
        await options.record(tx, searching, { readAs: query, hits: found.added + found.removed });
        return { ...found, uses: await uses.of(tx, searchId) };
      }),
  });
}
