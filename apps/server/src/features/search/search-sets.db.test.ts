import type { Query } from '@holdfast/contract/query/tree';
import { parseQuery } from '@holdfast/contract/query/parse';
import { printQuery } from '@holdfast/contract/query/print';
import { testDatabase } from '@holdfast/database/testing/test-database';
import type { ItemWords } from '@holdfast/engine';
import { anItem as aVersion, aSegment } from '@holdfast/engine/testing/builders';
import { createSeededRandom } from '@holdfast/foundation/random';
import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { createCatalog } from '../../storage/index.ts';
import { aGround, aResource, testIds as ids, type Ground } from '../../testing/rows.ts';
import { setOf } from './query-set.views.ts';
import { createSearchIndexStore, type Read, type Unread } from './search-index.store.ts';
import { vocabularyFor } from './search.views.ts';
import { naiveMatch, type NaiveItem } from './testing/naive.ts';
import { openWords } from './tsquery.ts';

/** Queries over the index beside a slow reading of the same items. */
const testing = testDatabase(import.meta.url);
const store = createSearchIndexStore(testing.database);
const QUERIES = Number(process.env['TEST_QUERIES'] ?? 1_000);
/** So many queries are one statement: planning many more of them together takes longer than each alone. */
const AT_ONCE = 8;
let ground: Ground;
const items: NaiveItem[] = [];
/** The place of each item of the index in `items`, by its number. */
let places: ReadonlyMap<number, number> = new Map();

const vocabulary = ['anna', 'offer', 'vertrag', 'mietvertrag', 'müller', 'mueller', 'change', 'of', 'control', 'the', 'cat', '社員'];
const words = (seed: number, count: number): string =>
  Array.from({ length: count }, (_, index) => vocabulary[(seed * 7 + index * index * 3 + index * seed) % vocabulary.length]).join(' ');
const nobody = { from: [], to: [], cc: [], bcc: [], attachments: [], attachmentTexts: [] };
const kinds = [
  ['message', 'email'],
  ['event', 'meetings'],
  ['task', 'tasks'],
  ['file', 'docs'],
] as const;
const days = ['2023-12-31', '2024-01-01', '2024-02-29', '2024-05-17', '2025-05-01'];

/** Every so many items have what the others lack. */
function each<Value>(seed: number, step: number, some: Value, others: Value): Value {
  return seed % step === 0 ? some : others;
}

function someWords(seed: number): ItemWords {
  const person = (shift: number): string => `${words(seed + shift, 2)} <${vocabulary[(seed + shift) % 5]}@contoso.com>`;
  const texts = [words(seed + 5, 12), words(seed + 8, 6)].map((text) => ({ name: 'a.txt', text }));
  return {
    title: each(seed, 9, '', words(seed, 3)),
    from: [person(1)],
    to: each(seed, 2, [], [person(2), person(3)]),
    cc: each(seed, 3, [person(4)], []),
    bcc: each(seed, 5, ['control@fabrikam.com'], []),
    attachments: each(seed, 4, [`${words(seed, 2)}.pdf`], []),
    text: words(seed + 11, 5 + (seed % 40)),
    attachmentTexts: each(seed, 4, texts, []),
    at: `${days[seed % 5]}T10:00:00.000Z`,
    state: each<ItemWords['state']>(seed, 7, 'encrypted', 'indexed'),
  };
}

function anItem(seed: number, more: Partial<ItemWords> = {}): NaiveItem {
  const kind = kinds[seed % 4]?.[1] ?? 'email';
  return {
    words: { ...someWords(seed), ...more },
    kind,
    sizeBytes: [10, 2_000, 50_000, 5_000_000][seed % 4] ?? 0,
    fileType: kind === 'docs' ? 'xlsx' : '',
    contentHash: each<string | null>(seed, 6, String(seed % 12).padStart(64, '0'), null),
    sensitive: each<readonly string[]>(seed, 8, ['iban'], each<readonly string[]>(seed, 5, ['iban', 'taxid'], [])),
  };
}

function readOf(of: Unread): Read {
  const item = items[Number(of.itemKey.slice(1))];
  if (!item) throw new Error(`There is no item ${of.itemKey}.`);
  const kind = kinds.find(([, choice]) => choice === item.kind)?.[0] ?? 'message';
  const sensitive = item.sensitive.map((one) => ({ kind: one === 'iban' ? ('iban' as const) : ('taxId' as const), count: 1, sample: '…' }));
  const { contentHash, sizeBytes } = item;
  return { of, kind, name: 'm.xlsx', contentHash, sizeBytes, words: item.words, sensitive, changedAt: '2024-05-17T10:00:00.000Z' };
}

async function write(): Promise<void> {
  const resourceId = await aResource(testing.database, ground, { graphId: 'ann', name: 'Ann' });
  const catalog = createCatalog({ database: testing.database, scope: ground.scope, locationId: ground.locationId, ids });
  await catalog.apply(aSegment(resourceId, 1, { put: items.map((_, index) => aVersion(`m${index}`)) }));
  const unread = await store.unread(ground.scope, items.length);
  expect(unread).toHaveLength(items.length);
  await store.write(ground.scope, unread.map(readOf));
  const rows = await testing.asSuperuser('select item_no, item_key from search_items');
  places = new Map(rows.map((row) => [Number(row['item_no']), Number(String(row['item_key']).slice(1))]));
}

const filler = (count: number): string => Array.from({ length: count }, (_, index) => `word${index}`).join(' ');
const firstCut = 3_790;
const cuts = 48;
/** Where the 250th of a word ends a slice. */
const repeated = Array.from({ length: 24 }, (_, index) => 236 + index);
/** The longest phrase that a query may have, begun at every few words before a cut. */
const longest = Array.from({ length: 45 }, (_, index) => 3_680 + index * 3);
const longPhrase = Array.from({ length: 120 }, (_, index) => `long${index}`).join(' ');
const syllables = ['ver', 'trag', 'miet', 'ar', 'beits', 'kauf', 'an', 'ge', 'bot', 'ung', 'lich', 'keit', 'bau', 'ort', 'rech'];
/** The short items alone: reading 200,000 words slowly would take the test's whole time. */
const short = 60;
let compounds = 0;

beforeAll(async () => {
  ground = await aGround(testing.database);
  for (let seed = 0; seed < short - 2; seed += 1) items.push(anItem(seed));
  // Two that have several slices, and parts on both sides of them.
  items.push(anItem(12, { text: 'the cat of anna '.repeat(300) }), anItem(16, { text: `${'change '.repeat(260)}of control` }));
  // A phrase at every place around the end of a slice: 4,096 places, less the gaps before the title and the text.
  for (let at = firstCut; at < firstCut + cuts; at += 1) {
    items.push(anItem(1, { ...nobody, text: `${filler(at)} rare phrase here ${filler(20)}`, title: `cut ${at}` }));
  }
  for (const at of repeated)
    items.push(anItem(1, { ...nobody, text: `${'again '.repeat(at)}and once ${'again '.repeat(20)}`, title: 'twice' }));
  for (const at of longest) items.push(anItem(1, { ...nobody, text: `${filler(at)} ${longPhrase} ${filler(20)}`, title: 'longest' }));
  items.push(anItem(2, { text: `${filler(200_000)} final words`, title: 'long' }));
  items.push(anItem(3, { text: `${'the dog '.repeat(300)} the cat`, title: 'often' }));
  compounds = items.length;
  const random = createSeededRandom(31);
  const compound = (): string => Array.from({ length: 1 + random.below(4) }, () => syllables[random.below(syllables.length)]).join('');
  for (let seed = 0; seed < 60; seed += 1)
    items.push(anItem(1, { ...nobody, title: '', text: Array.from({ length: 12 }, compound).join(' ') }));
  await write();
}, 240_000);

/** What each of several queries finds, as places in `items`: one statement for all of them. */
async function foundAll(queries: readonly Query[]): Promise<number[][]> {
  return testing.database.within(ground.scope, async (tx) => {
    const world = { known: await vocabularyFor(tx, queries.flatMap(openWords)), nowMs: 0, timeZone: 'UTC' };
    const sets = queries.map((query, index) => sql`select ${index}::integer as query, item_no from ${setOf(query, world)} hit`);
    const { rows } = await sql<{ query: number; item_no: number }>`${sql.join(sets, sql` union all `)}`.execute(tx);
    const byQuery = Map.groupBy(rows, ({ query }) => query);
    return queries.map((_, index) => (byQuery.get(index) ?? []).map(({ item_no: no }) => places.get(no) ?? -1).sort((a, b) => a - b));
  });
}

async function found(query: Query): Promise<number[]> {
  return (await foundAll([query]))[0] ?? [];
}

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

test('A12: a phrase is found wherever a word came too often for one slice', async () => {
  expect(await found(queryOf('"again and once again"'))).toHaveLength(repeated.length);
  expect(await found(queryOf('and ONEAR(1) again'))).toHaveLength(repeated.length);
  expect(await found(queryOf('"once again and"'))).toEqual([]);
});

test('A12: the longest phrase and the widest group with NEAR are found wherever a slice ends in them', async () => {
  expect(await found(queryOf(`"${longPhrase}"`))).toHaveLength(longest.length);
  expect(await found(queryOf('"long0 long1" ONEAR(64) long66'))).toHaveLength(longest.length);
  expect(await found(queryOf('long30 NEAR(64) long95'))).toHaveLength(longest.length);
  expect(await found(queryOf('long30 NEAR(64) long96'))).toEqual([]);
});

test('A10: the 60th word of a query changes what it finds', async () => {
  const sixty = Array.from({ length: 59 }, (_, index) => `word${index * 100}`);
  expect(await found(queryOf([...sixty, 'word199999'].join(' ')))).toHaveLength(1);
  expect(await found(queryOf([...sixty, 'absent'].join(' ')))).toEqual([]);
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
const empty = fc
  .constantFrom('to', 'cc', 'bcc', 'attachment', 'subject', 'from', 'recipients', 'participants')
  .map((field): Query => ({ kind: 'empty', field: field as 'to' }));
const value = fc
  .constantFrom(
    ['kind', 'email'],
    ['kind', 'docs'],
    ['kind', 'im'],
    ['filetype', 'xlsx'],
    ['hasattachment', 'true'],
    ['hasattachment', 'false'],
    ['partial', 'true'],
    ['sensitive', 'iban'],
    ['sensitive', 'taxid'],
    ['hash', '6'.padStart(64, '0')],
  )
  .map(([field, one = '']): Query => ({ kind: 'value', field: field as 'kind', value: one }));
const bounds = {
  received: [...days, '2024', '2024-02', '2023', '2024-05'],
  size: ['10', '2000', '4999.5', '50000'],
  attachments: ['0', '0.5', '1'],
};
const range = fc.constantFrom('received' as const, 'size' as const, 'attachments' as const).chain((field) =>
  fc.record({
    kind: fc.constant('range' as const),
    field: fc.constant(field),
    low: fc.option(fc.constantFrom(...bounds[field])),
    high: fc.option(fc.constantFrom(...bounds[field])),
    withLow: fc.boolean(),
    withHigh: fc.boolean(),
  }),
);
const tree = fc.letrec<{ node: Query; group: Query }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    { weight: 4, arbitrary: term },
    { weight: 1, arbitrary: near },
    { weight: 1, arbitrary: empty },
    { weight: 1, arbitrary: value },
    { weight: 1, arbitrary: range },
    { weight: 2, arbitrary: tie('group') },
  ),
  group: fc.oneof(
    fc.record({ kind: fc.constantFrom('and' as const, 'or' as const), of: fc.array(tie('node'), { minLength: 2, maxLength: 3 }) }),
    fc.record({ kind: fc.constant('not' as const), of: tie('node') }),
  ),
})).node;

test(`A11: the index and a slow reading agree on ${QUERIES} random queries`, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(tree, { minLength: AT_ONCE, maxLength: AT_ONCE }), async (queries) => {
      const all = await foundAll(queries);
      for (const [index, query] of queries.entries()) {
        const hits = (all[index] ?? []).filter((place) => place < short);
        expect({ query: printQuery(query), hits }).toEqual({ query: printQuery(query), hits: naively(query) });
      }
    }),
    { numRuns: QUERIES / AT_ONCE },
  );
}, 600_000);

/** A piece of a word of the compounds, open at its beginning, at its end or at both. */
const wildcard = fc.record({ seed: fc.nat(), length: fc.integer({ min: 3, max: 9 }), shape: fc.constantFrom('start', 'end', 'both') });

test(`A31: the words of the index and a regular expression agree on ${QUERIES} random wildcards`, async () => {
  const texts = items.slice(compounds).map(({ words: { text } }) => text.split(' '));
  const known = [...new Set(texts.flat())].filter((word) => word.length >= 4);
  await fc.assert(
    fc.asyncProperty(fc.array(wildcard, { minLength: AT_ONCE, maxLength: AT_ONCE }), async (wildcards) => {
      const asked = wildcards.map(({ seed, length, shape }) => {
        const word = known[seed % known.length] ?? '';
        const from = shape === 'end' ? 0 : shape === 'start' ? Math.max(0, word.length - length) : seed % Math.max(1, word.length - length);
        const piece = word.slice(from, from + length);
        const pattern = new RegExp(`${shape === 'end' ? '^' : ''}${piece}${shape === 'start' ? '$' : ''}`);
        return { query: queryOf(`${shape === 'end' ? '' : '*'}${piece}${shape === 'start' ? '' : '*'}`), pattern };
      });
      const all = await foundAll(asked.map(({ query }) => query));
      for (const [index, { query, pattern }] of asked.entries()) {
        const wanted = texts.flatMap((own, place) => (own.some((word) => pattern.test(word)) ? [compounds + place] : []));
        const hits = (all[index] ?? []).filter((place) => place >= compounds);
        expect({ query: printQuery(query), hits }).toEqual({ query: printQuery(query), hits: wanted });
      }
    }),
    { numRuns: QUERIES / AT_ONCE },
  );
}, 600_000);
