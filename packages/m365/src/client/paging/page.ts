import { createHash } from 'node:crypto';
import { graphError, isGraphError } from '../../errors/errors.ts';
import type { Caller } from '../caller.ts';
import { asValues, textOf } from '../checks.ts';
import type { GraphCall } from '../request/graph-call.ts';

/** How a collection is told the size of its pages; `none` leaves it to the service. */
export interface PageSize {
  readonly by: 'prefer' | 'top' | 'none';
  readonly size: number;
}

/** For collections that take no size. */
export const UNSIZED: PageSize = { by: 'none', size: 0 };

export interface Page {
  readonly values: readonly unknown[];
  readonly nextLink?: string;
  readonly deltaLink?: string;
}

const SMALLEST_PAGE = 10;
const EMPTY_PAGES_IN_A_ROW = 2_000;

function asPage(value: unknown): Page {
  const nextLink = textOf(value, '@odata.nextLink');
  const deltaLink = textOf(value, '@odata.deltaLink');
  return { values: asValues(value), ...(nextLink === undefined ? {} : { nextLink }), ...(deltaLink === undefined ? {} : { deltaLink }) };
}

/** On a link the size is already part of it; a smaller one can only be asked for as a preference. */
function sized(call: GraphCall, page: PageSize, isSmaller: boolean): GraphCall {
  const asPreference = page.by === 'prefer' || (page.by === 'top' && isSmaller && call.link !== undefined);
  if (asPreference) return { ...call, isPage: true, prefer: [`odata.maxpagesize=${page.size}`, ...(call.prefer ?? [])] };
  if (call.link !== undefined || page.by === 'none') return { ...call, isPage: true };
  return { ...call, isPage: true, query: { ...call.query, $top: String(page.size) } };
}

/** Reads pages one after another; halves their size when the service can't make them in time. */
export interface PageReader {
  /** The first page, or the one behind `link`. `graph.page-too-large` when even the smallest page fails. */
  read(link?: string): Promise<Page>;
}

export function createPageReader(caller: Caller, call: GraphCall, page: PageSize): PageReader {
  let size = page.size;
  return {
    async read(link) {
      for (;;) {
        const place = link === undefined ? call : { ...call, link };
        try {
          return await caller.get(sized(place, { by: page.by, size }, size < page.size), asPage);
        } catch (error) {
          if (!isGraphError(error, 'graph.page-too-large', 'graph.service-fault') || size <= SMALLEST_PAGE) throw error;
          size = Math.max(SMALLEST_PAGE, Math.floor(size / 2));
        }
      }
    },
  };
}

/** Notices pages that lead back to where we were, and pages that never bring anything. */
export interface LoopDetector {
  /** Throws `graph.endless-pages`. */
  follow(link: string, entriesOnPage: number): void;
  restart(): void;
}

export function createLoopDetector(): LoopDetector {
  const seen = new Set<string>();
  let empty = 0;
  return {
    follow(link, entriesOnPage) {
      const mark = createHash('sha256').update(link).digest('base64').slice(0, 16);
      empty = entriesOnPage === 0 ? empty + 1 : 0;
      if (seen.has(mark) || empty > EMPTY_PAGES_IN_A_ROW) throw graphError('graph.endless-pages', { pages: seen.size, emptyPages: empty });
      seen.add(mark);
    },
    restart() {
      seen.clear();
      empty = 0;
    },
  };
}
