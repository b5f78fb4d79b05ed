import type { Caller } from '../caller.ts';
import { asKnown, type Check } from '../checks.ts';
import type { Known } from '../calls.ts';
import type { GraphCall } from '../request/graph-call.ts';
import { createLoopDetector, createPageReader, type PageSize } from './page.ts';
import type { Listing } from './paging-types.ts';

/** All pages of a collection, each value checked. Throws when the collection can't be read to its end. */
export async function* listPages<T>(
  caller: Caller,
  call: GraphCall,
  page: PageSize,
  check: Check<T>,
): AsyncGenerator<T[], void, undefined> {
  const reader = createPageReader(caller, call, page);
  const loops = createLoopDetector();
  for (let link: string | undefined; ;) {
    const { values, nextLink } = await reader.read(link);
    yield values.map(check);
    if (nextLink === undefined) return;
    loops.follow(nextLink, values.length);
    link = nextLink;
  }
}

/** All values of a collection. Each iteration reads it anew. */
export function list<T>(caller: Caller, call: GraphCall, page: PageSize): Listing<Known<T>> {
  return listOf<Known<T>>(caller, call, page, asKnown);
}

/** As `list`, with a check of one's own. */
export function listOf<T>(caller: Caller, call: GraphCall, page: PageSize, check: Check<T>): Listing<T> {
  return {
    async *[Symbol.asyncIterator]() {
      for await (const values of listPages(caller, call, page, check)) yield* values;
    },
  };
}

/** The members of a listing, for collections that are small by nature. */
export async function readAll<T>(listing: Listing<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const value of listing) all.push(value);
  return all;
}
