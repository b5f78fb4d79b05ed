import type { Scope } from '@holdfast/database';
import { anOrganisationId } from '@holdfast/database/testing/test-database';
import type { Catalog, DocumentWordsReader, ItemReader, ItemVersion, ItemWords } from '@holdfast/engine';
import { systemClock as clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import { silentLogger as logger } from '@holdfast/foundation/logger';
import type { Vault } from '@holdfast/vault';
import { expect, test } from 'vitest';
import type { Vaults } from '../../storage/index.ts';
import { createIndexer } from './indexer.service.ts';
import { madeOfWords } from './made-of-words.ts';
import type { Read, Unread } from './search-index.store.ts';

const keys = ['first', 'second', 'third'];
const scope: Scope = { organisationId: anOrganisationId(), realm: 'production' };
const found: ItemWords = {
  title: 'Found',
  from: [],
  to: [],
  cc: [],
  bcc: [],
  attachments: [],
  attachmentTexts: [],
  text: 'words',
  at: null,
  state: 'indexed',
};

/** An indexer over three items, all of one point where nothing else is said, whose words come as `words` says. */
function anIndexer(words: (key: string) => Promise<ItemWords>, pointOf: Readonly<Record<string, number>> = {}) {
  const read: Read[] = [];
  const place = { sourceId: 's', locationId: 'l', resourceId: 'r', fromPoint: 1, sequence: 1 };
  const unread = (): Unread[] =>
    keys
      .filter((key) => !read.some(({ of }) => of.itemKey === key))
      .map((itemKey) => ({ ...place, itemKey, fromPoint: pointOf[itemKey] ?? 1 }));
  const indexer = createIndexer({
    store: { unread: () => Promise.resolve(unread()), write: (_scope, some) => Promise.resolve(void read.push(...some)) },
    vaults: { use: (_scope, _location, work) => work({ reader: () => ({}) } as Vault) } as Vaults,
    items: { words: (_reader, item) => words(item.key) } as Partial<ItemReader> as ItemReader,
    documents: {} as DocumentWordsReader,
    maker: { make: (words) => Promise.resolve(madeOfWords(words)) },
    catalogOf: () =>
      ({
        async *items(_resource: string, _sequence: number, { keys: asked = [] }: { keys?: readonly string[] }) {
          for (const key of asked)
            yield {
              key,
              kind: 'message',
              name: key,
              sizeBytes: 1,
              contents: [] as ItemVersion['contents'],
              properties: { internetMessageId: `<${key}@contoso.com>`, importance: 'high' } as ItemVersion['properties'],
            } as ItemVersion;
        },
      }) as Partial<Catalog> as Catalog,
    scopes: () => Promise.resolve([scope]),
    clock,
    logger,
  });
  const states = (): readonly (readonly [string, string])[] => read.map(({ of, words: { state } }) => [of.itemKey, state] as const);
  return { indexer, states, read };
}

test('an item that is damaged is found by its name and by what the service said of it, and the others by their words', async () => {
  const { indexer, states, read } = anIndexer((key) =>
    key === 'second' ? Promise.reject(new AppError('vault.damaged')) : Promise.resolve(found),
  );
  expect(await indexer.turn()).toBe(true);
  expect(states()).toEqual([
    ['first', 'indexed'],
    ['second', 'failed'],
    ['third', 'indexed'],
  ]);
  expect(read[1]?.words.facts).toMatchObject({
    importance: 'high',
    isSigned: null,
    identifiers: [
      { field: 'messageid', value: 'second@contoso.com' },
      { field: 'itemclass', value: 'ipm.note' },
    ],
  });
});

test.each(['vault.storage-unavailable', 'database.unavailable'])(
  'while a store is away (%s) nothing counts as unreadable, nothing more is asked of it, and what is left is read afterwards',
  async (code) => {
    let isAway = true;
    const asked: string[] = [];
    const { indexer, states } = anIndexer((key) => {
      asked.push(key);
      return isAway ? Promise.reject(new AppError(code)) : Promise.resolve(found);
    });
    expect(await indexer.turn()).toBe(false);
    expect({ asked, states: states() }).toEqual({ asked: ['first'], states: [] });
    isAway = false;
    await indexer.turn();
    expect(states()).toEqual(keys.map((key) => [key, 'indexed']));
  },
);

test('items are read point by point, the newest point first', async () => {
  const { indexer, states } = anIndexer(() => Promise.resolve(found), { first: 1, second: 2, third: 1 });
  await indexer.turn();
  expect(states().map(([key]) => key)).toEqual(['second', 'first', 'third']);
});

test('when the process stops, the item at hand is the last', async () => {
  const stopping = new AbortController();
  const { indexer, states } = anIndexer(() => {
    stopping.abort();
    return Promise.resolve(found);
  });
  await indexer.turn(stopping.signal);
  expect(states()).toEqual([['first', 'indexed']]);
});

test('personal numbers in the text and in attachments are counted for each item', async () => {
  const text = 'Please pay to DE89 3704 0044 0532 0130 00.';
  const attachmentTexts = [{ name: 'Card.txt', text: '4111 1111 1111 1111' }];
  const { indexer, read } = anIndexer((key) => Promise.resolve(key === 'second' ? { ...found, text, attachmentTexts } : found));
  await indexer.turn();
  expect(read.map(({ sensitive }) => sensitive.map(({ kind, count, sample }) => [kind, count, sample]))).toEqual([
    [],
    [
      ['iban', 1, 'DE…00'],
      ['card', 1, '41…11'],
    ],
    [],
  ]);
});
