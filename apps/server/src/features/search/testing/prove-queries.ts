import { printQuery } from '@holdfast/contract/query/print';
import type { Query } from '@holdfast/contract/query/tree';
import fc from 'fast-check';
import { expect } from 'vitest';
import { naiveMatch } from './naive.ts';
import { anySearch } from './random-queries.ts';
import { queryOf, SHORT, type SearchCorpus } from './search-corpus.ts';

/** So many are asked in one turn. */
const IN_A_TURN = 32;

function inTurns<Asked>(one: fc.Arbitrary<Asked>, count: number, prove: (asked: readonly Asked[]) => Promise<void>): Promise<void> {
  const turn = fc.array(one, { minLength: IN_A_TURN, maxLength: IN_A_TURN });
  return fc.assert(fc.asyncProperty(turn, prove), { numRuns: Math.ceil(count / IN_A_TURN) });
}

/** Random queries find what a slow reading of the short items finds. */
export async function proveQueries({ items, found }: SearchCorpus, count: number): Promise<void> {
  const read = items.slice(0, SHORT);
  const naively = (query: Query): number[] => read.flatMap((item, place) => (naiveMatch(item, query) ? [place] : []));
  await inTurns(anySearch, count, async (queries) => {
    const all = await found(queries);
    for (const [index, query] of queries.entries()) {
      const hits = (all[index] ?? []).filter((place) => place < SHORT);
      expect({ query: printQuery(query), hits }).toEqual({ query: printQuery(query), hits: naively(query) });
    }
  });
}

/** A piece of a word of the compounds, open at its beginning, at its end or at both. */
const wildcard = fc.record({ seed: fc.nat(), length: fc.integer({ min: 3, max: 9 }), shape: fc.constantFrom('start', 'end', 'both') });

/** Random wildcards find what a regular expression finds in the compounds. */
export async function proveWildcards({ items, compounds, found }: SearchCorpus, count: number): Promise<void> {
  const texts = items.slice(compounds).map(({ words: { text } }) => text.split(' '));
  const known = [...new Set(texts.flat())].filter((word) => word.length >= 4);
  await inTurns(wildcard, count, async (wildcards) => {
    const asked = wildcards.map(({ seed, length, shape }) => {
      const word = known[seed % known.length] ?? '';
      const from = shape === 'end' ? 0 : shape === 'start' ? Math.max(0, word.length - length) : seed % Math.max(1, word.length - length);
      const piece = word.slice(from, from + length);
      const pattern = new RegExp(`${shape === 'end' ? '^' : ''}${piece}${shape === 'start' ? '$' : ''}`);
      return { query: queryOf(`${shape === 'end' ? '' : '*'}${piece}${shape === 'start' ? '' : '*'}`), pattern };
    });
    const all = await found(asked.map(({ query }) => query));
    for (const [index, { query, pattern }] of asked.entries()) {
      const wanted = texts.flatMap((own, place) => (own.some((word) => pattern.test(word)) ? [compounds + place] : []));
      const hits = (all[index] ?? []).filter((place) => place >= compounds);
      expect({ query: printQuery(query), hits }).toEqual({ query: printQuery(query), hits: wanted });
    }
  });
}
