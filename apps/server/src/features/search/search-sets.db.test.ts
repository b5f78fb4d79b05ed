import type { Query } from '@holdfast/contract/query/tree';
import { parseQuery } from '@holdfast/contract/query/parse';
import { testDatabase } from '@holdfast/database/testing/test-database';
import type { ItemWords } from '@holdfast/engine';
import { anItem as aVersion, aSegment } from '@holdfast/engine/testing/builders';
import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { createCatalog } from '../../storage/index.ts';
import { aGround, aResource, testIds as ids, type Ground } from '../../testing/rows.ts';
import { setOf } from './query-set.views.ts';
import { createSearchIndexStore } from './search-index.store.ts';
import { vocabularyFor } from './search.views.ts';
import { naiveMatch } from './testing/naive.ts';
import { openWords } from './tsquery.ts';

/** Queries over the index beside a slow reading of the same items. */
const testing = testDatabase(import.meta.url);
const store = createSearchIndexStore(testing.database);
let ground: Ground;
const items: ItemWords[] = [];
/** The number of each item in the index, in the order of `items`. */
let numbers: number[] = [];

const vocabulary = ['anna', 'offer', 'vertrag', 'mietvertrag', 'müller', 'mueller', 'change', 'of', 'control', 'the', 'cat', '社員'];
const words = (seed: number, count: number): string =>
  Array.from({ length: count }, (_, index) => vocabulary[(seed * 7 + index * index * 3 + index * seed) % vocabulary.length]).join(' ');

function anItem(seed: number, more: Partial<ItemWords> = {}): ItemWords {
  const person = (shift: number): string => `${words(seed + shift, 2)} <${vocabulary[(seed + shift) % 5]}@contoso.com>`;
  return {
    title: words(seed, 3),
    from: [person(1)],
    to: seed % 2 ? [person(2), person(3)] : [],
    cc: seed % 3 ? [] : [person(4)],
    bcc: seed % 5 ? [] : ['control@fabrikam.com'],
    attachments: seed % 4 ? [] : [`${words(seed, 2)}.pdf`],
    text: words(seed + 11, 5 + (seed % 40)),
    attachmentTexts: seed % 4 ? [] : [words(seed + 5, 12), words(seed + 8, 6)].map((text) => ({ name: 'a.txt', text })),
    at: '2024-05-17T10:00:00.000Z',
    state: 'indexed',
    ...more,
  };
}

async function write(all: readonly ItemWords[]): Promise<void> {
  const resourceId = await aResource(testing.database, ground, { graphId: 'ann', name: 'Ann' });
  const catalog = createCatalog({ database: testing.database, scope: ground.scope, locationId: ground.locationId, ids });
  const put = all.map((_, index) => aVersion(`m${index}`));
  await catalog.apply(aSegment(resourceId, 1, { put }));
  const unread = await store.unread(ground.scope, all.length);
  expect(unread).toHaveLength(all.length);
  await store.write(
    ground.scope,
    unread.map((of) => {
      const item = all[Number(of.itemKey.slice(1))];
      if (!item) throw new Error(`There is no item ${of.itemKey}.`);
      const known = { kind: 'message', name: 'm', contentHash: null, sizeBytes: 1, sensitive: [], changedAt: '2024-05-17T10:00:00.000Z' };
      return { of, ...known, words: item };
    }),
  );
  const rows = await testing.asSuperuser('select item_no, item_key from search_items');
  numbers = all.map((_, index) => Number(rows.find((row) => row['item_key'] === `m${index}`)?.['item_no']));
}

beforeAll(async () => {
  ground = await aGround(testing.database);
  for (let seed = 0; seed < short; seed += 1) items.push(anItem(seed));
  const filler = (count: number): string => Array.from({ length: count }, (_, index) => `word${index}`).join(' ');
  // A phrase at every place around the end of a slice: 4,096 places, less the gaps before the title and the text.
  for (let at = firstCut; at < firstCut + cuts; at += 1) {
    const nobody = { from: [], to: [], cc: [], bcc: [], attachments: [], attachmentTexts: [] };
    items.push(anItem(1, { ...nobody, text: `${filler(at)} rare phrase here ${filler(20)}`, title: `cut ${at}` }));
  }
  items.push(anItem(2, { text: `${filler(200_000)} final words`, title: 'long' }));
  items.push(anItem(3, { text: `${'the dog '.repeat(300)} the cat`, title: 'often' }));
  await write(items);
}, 240_000);

async function found(query: Query): Promise<number[]> {
  return testing.database.within(ground.scope, async (tx) => {
    const world = { known: await vocabularyFor(tx, openWords(query)), nowMs: 0, timeZone: 'UTC' };
    const { rows } = await sql<{ item_no: number }>`select item_no from ${setOf(query, world)} hit`.execute(tx);
    return rows.map(({ item_no: no }) => numbers.indexOf(no)).sort((a, b) => a - b);
  });
}

const firstCut = 3_790;
const cuts = 48;
/** The short items alone: reading 200,000 words slowly would take the test's whole time. */
const short = 60;

function naively(query: Query): number[] {
  return items.slice(0, short).flatMap((item, index) => (naiveMatch(item, query) ? [index] : []));
}

function queryOf(text: string): Query {
  const { query } = parseQuery(text);
  if (!query) throw new Error(`Not a query: ${text}`);
  return query;
}

test('A10, A12: a phrase is found wherever the text was cut, and at its very end', async () => {
  expect(await found(queryOf('"rare phrase here"'))).toHaveLength(cuts);
  expect(await found(queryOf('rare NEAR(2) here'))).toHaveLength(cuts);
  expect(await found(queryOf('"final words" word199999'))).toHaveLength(1);
  expect(await found(queryOf('"the cat" subject:often'))).toHaveLength(1);
});

test('A13: words of different parts and slices are joined by item', async () => {
  expect(await found(queryOf('word1 word199999 subject:long'))).toHaveLength(1);
  expect(await found(queryOf('subject:long NOT word199999'))).toEqual([]);
});

const term = fc
  .record({
    text: fc.oneof(
      fc.constantFrom(...vocabulary),
      fc.tuple(fc.constantFrom(...vocabulary), fc.constantFrom(...vocabulary)).map((two) => two.join(' ')),
    ),
    field: fc.constantFrom(
      null,
      'subject',
      'body',
      'from',
      'to',
      'cc',
      'bcc',
      'recipients',
      'participants',
      'attachment',
      'attachmenttext',
    ),
    match: fc.constantFrom('contains' as const, 'contains' as const, 'exactly' as const),
    openStart: fc.boolean(),
    openEnd: fc.boolean(),
  })
  .map(({ field, match, openStart, openEnd, ...same }): Query => {
    const isOpen = match === 'contains' && !same.text.includes(' ') && same.text.length > 3;
    const isWhole = match === 'exactly' && field !== null && !['body', 'attachmenttext', 'recipients', 'participants'].includes(field);
    return {
      kind: 'text',
      ...same,
      field: field as 'subject' | null,
      match: isWhole ? 'exactly' : 'contains',
      openStart: isOpen && openStart,
      openEnd: isOpen && openEnd,
    };
  });
const simple = fc
  .constantFrom(...vocabulary, 'change of', 'of control')
  .map((text): Query => ({ kind: 'text', field: null, match: 'contains', text, openStart: false, openEnd: false }));
const near = fc
  .tuple(simple, simple, simple, fc.integer({ min: 1, max: 12 }), fc.boolean())
  .map(([a, b, c, distance, isOrdered]): Query => ({
    kind: 'near',
    operands: [a, { kind: 'or', of: [b, c] }],
    gaps: [{ distance, isOrdered }],
  }));
const empty = fc.constantFrom('to', 'cc', 'bcc', 'attachment').map((field): Query => ({ kind: 'empty', field: field as 'to' }));
const tree = fc.letrec<{ node: Query; group: Query }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    { weight: 4, arbitrary: term },
    { weight: 1, arbitrary: near },
    { weight: 1, arbitrary: empty },
    { weight: 2, arbitrary: tie('group') },
  ),
  group: fc.oneof(
    fc.record({ kind: fc.constantFrom('and' as const, 'or' as const), of: fc.array(tie('node'), { minLength: 2, maxLength: 3 }) }),
    fc.record({ kind: fc.constant('not' as const), of: tie('node') }),
  ),
})).node;

test('A11, A31: the index and a slow reading agree on random queries', async () => {
  await fc.assert(
    fc.asyncProperty(tree, async (query) => {
      expect((await found(query)).filter((index) => index < short)).toEqual(naively(query));
    }),
    { numRuns: 300 },
  );
});
