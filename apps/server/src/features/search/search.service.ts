import { parseQuery } from '@holdfast/contract/query/parse';
import { printQuery } from '@holdfast/contract/query/print';
import type { Query } from '@holdfast/contract/query/tree';
import type { SearchAnswer, SearchChecked, SearchCounted } from '@holdfast/contract/search';
import type { Database, Tx } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import { windowOf } from '../../paging.ts';
import type { Asking } from '../identity/index.ts';
import { faultText, invalidQuery } from './fault-text.ts';
import { coverageOf, hitsPage, monthsOf, timeZoneOf, vocabularyFor, type SearchPlace } from './search.views.ts';
import { openWords } from './tsquery.ts';
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
    asked: { readonly query: string; readonly cursor?: string | undefined; readonly limit: number },
  ): Promise<SearchAnswer>;
  count(searching: Searching, text: string): Promise<SearchCounted>;
  /** Reads a query and runs nothing. */
  check(text: string, language: Language): SearchChecked;
}

export interface SearchServiceOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** Writes the search into the audit log, in the transaction that answers it. */
  record(tx: Tx, searching: Searching, searched: { readonly readAs: string; readonly hits: number }): Promise<void>;
}

function read(text: string, language: Language): Query {
  const { query, faults } = parseQuery(text);
  if (!query) throw invalidQuery(faults, language);
  return query;
}

/** Searches are answered only once they are in the audit log: one transaction does both. */
export function createSearchService(options: SearchServiceOptions): SearchService {
  const { database, clock } = options;

  async function placeOf(tx: Tx, tenantId: string, query: Query): Promise<SearchPlace> {
    const world = { known: await vocabularyFor(tx, openWords(query)), nowMs: now(clock).getTime(), timeZone: await timeZoneOf(tx) };
    return { tenantId, query, world };
  }

  return Object.freeze<SearchService>({
    async search(searching, { query: text, ...paging }) {
      const query = read(text, searching.language);
      const readAs = printQuery(query);
      return database.within(searching.scope, async (tx) => {
        const page = await hitsPage(tx, await placeOf(tx, searching.tenantId, query), windowOf(paging));
        await options.record(tx, searching, { readAs, hits: page.total });
        return { ...page, readAs, coverage: await coverageOf(tx, searching.tenantId) };
      });
    },
    async count(searching, text) {
      const query = read(text, searching.language);
      return database.within(searching.scope, async (tx) => {
        const months = await monthsOf(tx, await placeOf(tx, searching.tenantId, query));
        const total = months.reduce((sum, { hits }) => sum + hits, 0);
        await options.record(tx, searching, { readAs: printQuery(query), hits: total });
        return { total, months };
      });
    },
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
