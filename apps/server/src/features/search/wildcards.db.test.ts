import { parseQuery } from '@holdfast/contract/query/parse';
import { wordsPageSize } from '@holdfast/contract/search';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { systemClock } from '@holdfast/foundation/clock';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { aGround, type Ground } from '../../testing/rows.ts';
import { unlimitedReach, type SearchReach } from '../content-access/index.ts';
import { placeOf } from './search-place.ts';
import { anIndexedMailbox } from './testing/indexed.ts';
import { wildcardWords } from './wildcards.views.ts';

const testing = testDatabase(import.meta.url);
const { database } = testing;
let ground: Ground;
let reachOfAdele: SearchReach;
const many = Array.from({ length: wordsPageSize + 7 }, (_, index) => `teil${String(index).padStart(4, '0')}`);

beforeAll(async () => {
  ground = await aGround(database);
  const adele = await anIndexedMailbox(database, ground, 'Adele Vance');
  await adele.receive({ a1: 'Mietvertrag und Arbeitsvertrag', a2: 'Vertragsentwurf', a3: many.join(' ') });
  const ben = await anIndexedMailbox(database, ground, 'Ben Walters');
  await ben.receive({ b1: 'Aufhebungsvertrag', b2: 'change of control', b3: 'change of contract' });
  reachOfAdele = () => sql`resource.resource_id = ${adele.resourceId}`;
});

async function became(text: string, { reach = unlimitedReach, after = '' } = {}) {
  const { query } = parseQuery(text);
  if (!query) throw new Error(text);
  const { scope, tenantId } = ground;
  const { wildcards } = await database.within(scope, async (tx) =>
    wildcardWords(tx, await placeOf(tx, systemClock, { tenantId, query, reach }), after),
  );
  return wildcards.map(({ term, total, words }) => [term, total, words] as const);
}

test('A31: every wildcard of a query is listed with the words it stands for, and a query without one lists nothing', async () => {
  expect(await became('subject:*vertrag OR NOT *vertrag*')).toEqual([
    ['*vertrag', 3, ['arbeitsvertrag', 'aufhebungsvertrag', 'mietvertrag']],
    ['*vertrag*', 4, ['arbeitsvertrag', 'aufhebungsvertrag', 'mietvertrag', 'vertragsentwurf']],
  ]);
  expect(await became('vertrags* "change of contr*"')).toEqual([
    ['vertrags*', 1, ['vertragsentwurf']],
    ['"change of contr*"', 2, ['contract', 'control']],
  ]);
  expect(await became('*nothing')).toEqual([['*nothing', 0, []]]);
  expect(await became('mietvertrag')).toEqual([]);
});

test('A10: all words are counted, and the next page goes on behind the last', async () => {
  expect(await became('teil*')).toEqual([['teil*', many.length, many.slice(0, wordsPageSize)]]);
  expect(await became('teil*', { after: many[wordsPageSize - 1] ?? '' })).toEqual([['teil*', many.length, many.slice(wordsPageSize)]]);
});

test('A27: who may not find an item is not told its words', async () => {
  expect(await became('*vertrag', { reach: reachOfAdele })).toEqual([['*vertrag', 2, ['arbeitsvertrag', 'mietvertrag']]]);
  expect(await became('teil*', { reach: reachOfAdele })).toEqual(await became('teil*'));
  expect(await became('*vertrag', { reach: () => sql`false` })).toEqual([['*vertrag', 0, []]]);
});

test('words of what was deleted are told nobody, though the vocabulary keeps them', async () => {
  await testing.asSuperuser(`delete from catalog_items where item_key = 'b1'`);
  expect(await testing.asSuperuser(`select word from search_vocabulary where word = 'aufhebungsvertrag'`)).toHaveLength(1);
  expect(await became('*vertrag')).toEqual([['*vertrag', 2, ['arbeitsvertrag', 'mietvertrag']]]);
});
