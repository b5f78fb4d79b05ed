import { parseQuery } from '@holdfast/contract/query/parse';
import { testDatabase } from '@holdfast/database/testing/test-database';
import type { InvoiceWords, ItemWords } from '@holdfast/engine';
import { anItem, aSegment } from '@holdfast/engine/testing/builders';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { createCatalog } from '../../storage/index.ts';
import { aGround, aResource, testIds as ids, type Ground } from '../../testing/rows.ts';
import { noMarks } from './query-marks.ts';
import { setOf } from './query-set.views.ts';
import { slicesOf } from './lexemes.ts';
import { createSearchIndexStore } from './search-index.store.ts';

/** What invoices say in their fields, as queries ask for it. */
const testing = testDatabase(import.meta.url);
let ground: Ground;

function anInvoice(changes: Partial<InvoiceWords>): InvoiceWords {
  return {
    number: 'RE-2026/0417',
    seller: 'Kesselbau Müller GmbH',
    vatId: 'DE123456789',
    date: '2026-05-31',
    total: '1190.00',
    currency: 'EUR',
    iban: 'DE89370400440532013000',
    ...changes,
  };
}
const invoices: Readonly<Record<string, readonly InvoiceWords[]>> = {
  first: [anInvoice({})],
  // Two in one mail: what is true of each alone is true of no single one of them.
  both: [
    anInvoice({ number: 'F-7', seller: 'Fabrikam', total: '529.87', date: '2026-06-01' }),
    anInvoice({ number: 'F-8', seller: 'Contoso', total: null, date: null, iban: '' }),
  ],
  none: [],
};

beforeAll(async () => {
  ground = await aGround(testing.database);
  const resourceId = await aResource(testing.database, ground, { graphId: 'ann', name: 'Ann' });
  const catalog = createCatalog({ database: testing.database, scope: ground.scope, locationId: ground.locationId, ids });
  await catalog.apply(aSegment(resourceId, 1, { put: Object.keys(invoices).map((key) => anItem(key)) }));
  const store = createSearchIndexStore(testing.database);
  const nobody = { from: [], to: [], cc: [], bcc: [], attachments: [], attachmentTexts: [] };
  const words = { title: 'Invoice', ...nobody, text: 'RE-2026/0999', at: null, state: 'indexed' } as const satisfies ItemWords;
  const known = {
    kind: 'message',
    name: 'm',
    contentHash: null,
    sizeBytes: 1,
    sensitive: [],
    language: null,
    slices: slicesOf(words),
    changedAt: '2026-06-02T00:00:00.000Z',
  };
  const unread = await store.unread(ground.scope, 10);
  await store.write(
    ground.scope,
    unread.map((of) => ({ of, ...known, words: { ...words, invoices: invoices[of.itemKey] ?? [] } })),
  );
}, 120_000);

async function found(text: string): Promise<string[]> {
  const { query } = parseQuery(text);
  if (!query) throw new Error(`Not a query: ${text}`);
  return testing.database.within(ground.scope, async (tx) => {
    const world = { known: () => [], marks: noMarks, nowMs: Date.UTC(2026, 5, 2), timeZone: 'Europe/Berlin' };
    const { rows } = await sql<{
      item_key: string;
    }>`select item_key from search_items where item_no in ${setOf(query, world)} order by 1`.execute(tx);
    return rows.map((row) => row.item_key);
  });
}

test.each([
  ['invoice.number:RE-2026/0417', ['first']],
  ['invoice.number:2026', ['first']],
  ['invoice.number:202', []],
  ['invoice.number:202*', ['first']],
  ['invoice.number:0999', []],
  ['invoice.number=F-7', ['both']],
  ['invoice.number=F', []],
  ['invoice.seller:mueller', []],
  ['invoice.seller:müller', ['first']],
  ['invoice.seller:"kesselbau müller"', ['first']],
  ['invoice.seller:*bau', ['first']],
  ['invoice.seller:*fabri*', ['both']],
  ['invoice.vatid:"de 123456789"', ['both', 'first']],
  ['invoice.iban:"DE89 3704 0044 0532 0130 00"', ['both', 'first']],
  ['invoice.iban:DE00', []],
  ['invoice.date:2026-05', ['first']],
  ['invoice.date>2026-05', ['both']],
  ['invoice.date:2026-05-31..2026-06-01', ['both', 'first']],
  ['invoice.date<2026-05-31', []],
  ['invoice.date:yesterday', ['both']],
  ['invoice.total>1000', ['first']],
  ['invoice.total:529.87', ['both']],
  ['invoice.total:500..1190', ['both', 'first']],
  ['NOT invoice.total>0', ['none']],
  ['invoice.seller:contoso invoice.total:529.87', ['both']],
])('%s finds %s', async (query, wanted) => {
  expect([query, await found(query)]).toEqual([query, wanted]);
});

test('what an invoice says leaves the index with its item', async () => {
  await testing.asSuperuser("delete from catalog_items where item_key = 'first'");
  expect(await testing.asSuperuser('select count(*)::int as n from search_invoices')).toEqual([{ n: 2 }]);
  expect(await found('invoice.total>1000')).toEqual([]);
});
