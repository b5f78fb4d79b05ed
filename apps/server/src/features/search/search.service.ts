import { parseQuery } from '@holdfast/contract/query/parse';
import { printQuery } from '@holdfast/contract/query/print';
import type { SearchAnswer, SearchChecked, SearchCounted, SearchFacets, SearchWords } from '@holdfast/contract/search';
import type { Database, Tx } from '@holdfast/database';
import type { Clock } from '@holdfast/foundation/clock';
import { windowOf } from '../../http/paging.ts';
import { sightOf, type ContentAccess, type SearchReach } from '../content-access/index.ts';
import type { Asking } from '../identity/index.ts';
import { faultText } from './fault-text.ts';
import { facetsOf } from './search-facets.views.ts';
import { placeOf, readQuery } from './search-place.ts';
import { coverageOf } from './coverage.views.ts';
import { wildcardWords } from './wildcards.views.ts';
import { hitsPage } from './hits-page.views.ts';
import { monthsOf, type SearchPlace } from './search.views.ts';
import type { Language } from '../../http/language.ts';

/** Who searches, where, and why. */
export interface Searching extends Asking {
  readonly tenantId: string;
  readonly language: Language;
  readonly reason: string;
}

export interface SearchService {
  search(
    searching: Searching,
    asked: { readonly query: string; readonly cursor?: string | undefined; readonly limit: number; readonly withFacets?: boolean },
  ): Promise<SearchAnswer>;
  count(searching: Searching, text: string): Promise<SearchCounted>;
  facets(searching: Searching, text: string): Promise<SearchFacets>;
  /** The words that the wildcards of a query stand for, from a word on. */
  words(searching: Searching, asked: { readonly query: string; readonly after: string }): Promise<SearchWords>;
  /** Reads a query and runs nothing. */
  check(text: string, language: Language): SearchChecked;
}

export interface SearchServiceOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly access: ContentAccess;
  /** Whether words of pictures and scanned documents are recognised. */
  readonly recognisesScans: boolean;
  /** Writes the search into the audit log, in the transaction that answers it. */
  record(tx: Tx, searching: Searching, searched: { readonly readAs: string; readonly hits: number }): Promise<void>;
  /** The same for a list of words. */
  recordWords(tx: Tx, searching: Searching, shown: { readonly readAs: string; readonly words: number }): Promise<void>;
}

/** A query as it was read, where the searcher may look. */
interface Asked {
  readonly tx: Tx;
  readonly place: SearchPlace;
  readonly reach: SearchReach;
  readonly readAs: string;
}

/** Searches are answered only once they are in the audit log: one transaction does both. */
export function createSearchService(options: SearchServiceOptions): SearchService {
  const { database, clock, access } = options;

  async function ask<Answer>(searching: Searching, text: string, find: (asked: Asked) => Promise<Answer>): Promise<Answer> {
    const query = readQuery(text, searching.language);
    const readAs = printQuery(query);
    return database.within(searching.scope, async (tx) => {
      const reach = await access.searchable(tx, searching);
      const place = await placeOf(tx, clock, { tenantId: searching.tenantId, query, reach, sight: sightOf(searching, clock.nowMs()) });
      return find({ tx, place, reach, readAs });
    });
  }

  const answer = <Answer extends { readonly total: number }>(
    searching: Searching,
    text: string,
    find: (asked: Asked) => Promise<Answer>,
  ): Promise<Answer> =>
    ask(searching, text, async (asked) => {
      const found = await find(asked);
      await options.record(asked.tx, searching, { readAs: asked.readAs, hits: found.total });
      return found;
    });

  return Object.freeze<SearchService>({
    search: (searching, { query, withFacets, ...paging }) =>
      answer(searching, query, async ({ tx, place, reach, readAs }) => {
        const page = await hitsPage(tx, place, windowOf(paging));
        const facets = withFacets === true ? await facetsOf(tx, place) : null;
        const coverage = await coverageOf(tx, { tenantId: searching.tenantId, reach });
        return { ...page, readAs, facets, coverage, recognisesScans: options.recognisesScans };
      }),
    count: (searching, text) =>
      answer(searching, text, async ({ tx, place }) => {
        const months = await monthsOf(tx, place);
        return { total: months.reduce((sum, { hits }) => sum + hits, 0), months };
      }),
    facets: (searching, text) => answer(searching, text, ({ tx, place }) => facetsOf(tx, place)),
    words: (searching, { query, after }) =>
      ask(searching, query, async ({ tx, place, readAs }) => {
        const found = await wildcardWords(tx, place, after);
        const words = found.wildcards.reduce((sum, { total }) => sum + total, 0);
        await options.recordWords(tx, searching, { readAs, words });
        return found;
      }),
    check(text, language) {
      const { query, faults, warnings } = parseQuery(text);
      return {
        readAs: query ? printQuery(query) : null,
        errors: faults.map((fault) => ({
          code: fault.code,
          from: fault.from,
          to: fault.to,
          suggestion: fault.suggestion,
          message: faultText(fault, language),
        })),
        warnings: warnings.map(({ code, from, to }) => ({ code, from, to })),
      };
    },
  });
}
