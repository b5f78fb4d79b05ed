import { parseQuery } from '@holdfast/contract/query/parse';
import type { Query } from '@holdfast/contract/query/tree';
import type { Tx } from '@holdfast/database';
import type { TestDatabase } from '@holdfast/database/testing/test-database';
import { anItem as aVersion, aSegment } from '@holdfast/engine/testing/builders';
import { createSeededRandom } from '@holdfast/foundation/random';
import { sql, type RawBuilder } from 'kysely';
import { noMarks } from '../query-marks.ts';
import { createCatalog } from '../../../storage/index.ts';
import { aGround, aResource, testIds as ids, type Ground } from '../../../testing/rows.ts';
import { marksOfQuery } from '../marks-of-query.views.ts';
import { setOf } from '../query-set.views.ts';
import { slicesOf } from '../lexemes.ts';
import { createSearchIndexStore, type Read, type Unread } from '../search-index.store.ts';
import { vocabularyFor, type SearchPlace } from '../search.views.ts';
import { unlimitedReach } from '../../content-access/index.ts';
import { openWords } from '../tsquery.ts';
import { markCorpus, marksOn } from './marked-corpus.ts';
import { anItem, folders, kinds, nobody } from './naive-items.ts';
import type { NaiveItem } from './naive.ts';

/** An index with its items as they were before they were indexed: short ones, long ones around every cut of a text, and compounds. */
export interface SearchCorpus {
  readonly items: readonly NaiveItem[];
  /** The first of the items that are made of compounds. */
  readonly compounds: number;
  /** What each of several queries finds, as places in `items`. */
  readonly found: (queries: readonly Query[]) => Promise<readonly (readonly number[])[]>;
  /** Works on places where queries look at the items. */
  readonly asked: <T>(queries: readonly Query[], work: (tx: Tx, places: readonly SearchPlace[]) => Promise<T>) => Promise<T>;
}

/** The first of the items, and no others: reading 200,000 words slowly would take a test's whole time. */
export const SHORT = 60;
/** So many queries are one statement: planning many more of them together takes longer than each alone. */
const AT_ONCE = 8;

const filler = (count: number): string => Array.from({ length: count }, (_, index) => `word${index}`).join(' ');
const FIRST_CUT = 3_790;
export const CUTS = 48;
/** Where the 250th of a word ends a slice. */
export const repeated: readonly number[] = Array.from({ length: 24 }, (_, index) => 236 + index);
/** The longest phrase that a query may have, begun at every few words before a cut. */
export const longest: readonly number[] = Array.from({ length: 45 }, (_, index) => 3_680 + index * 3);
export const longPhrase: string = Array.from({ length: 120 }, (_, index) => `long${index}`).join(' ');
const syllables = ['ver', 'trag', 'miet', 'ar', 'beits', 'kauf', 'an', 'ge', 'bot', 'ung', 'lich', 'keit', 'bau', 'ort', 'rech'];

export function queryOf(text: string): Query {
  const { query } = parseQuery(text);
  if (!query) throw new Error(`Not a query: ${text}`);
  return query;
}

function shortItems(): NaiveItem[] {
  const items = Array.from({ length: SHORT - 2 }, (_, seed) => anItem(seed));
  // Two that have several slices, and parts on both sides of them.
  return [...items, anItem(12, { text: 'the cat of anna '.repeat(300) }), anItem(16, { text: `${'change '.repeat(260)}of control` })];
}

function longItems(): NaiveItem[] {
  const of = (title: string, text: string): NaiveItem => anItem(1, { ...nobody, title, text });
  // A phrase at every place around the end of a slice: 4,096 places, less the gaps before the title and the text.
  const places = Array.from({ length: CUTS }, (_, index) => FIRST_CUT + index);
  return [
    ...places.map((at) => of(`cut ${at}`, `${filler(at)} rare phrase here ${filler(20)}`)),
    ...repeated.map((at) => of('twice', `${'again '.repeat(at)}and once ${'again '.repeat(20)}`)),
    ...longest.map((at) => of('longest', `${filler(at)} ${longPhrase} ${filler(20)}`)),
    anItem(2, { text: `${filler(200_000)} final words`, title: 'long' }),
    anItem(3, { text: `${'the dog '.repeat(300)} the cat`, title: 'often' }),
  ];
}

function compoundItems(): NaiveItem[] {
  const random = createSeededRandom(31);
  const compound = (): string => Array.from({ length: 1 + random.below(4) }, () => syllables[random.below(syllables.length)]).join('');
  const text = (): string => Array.from({ length: 12 }, compound).join(' ');
  return Array.from({ length: 60 }, () => anItem(1, { ...nobody, title: '', text: text() }));
}

const placeOfKey = (key: string): number => Number(key.slice(1));

function readOf(items: readonly NaiveItem[], of: Unread): Read {
  const item = items[placeOfKey(of.itemKey)];
  if (!item) throw new Error(`There is no item ${of.itemKey}.`);
  const kind = kinds.find(([, choice]) => choice === item.kind)?.[0] ?? 'message';
  const sensitive = item.sensitive.map((one) => ({ kind: one === 'iban' ? ('iban' as const) : ('taxId' as const), count: 1, sample: '…' }));
  const { contentHash, sizeBytes, language } = item;
  return {
    of,
    kind,
    name: 'm.xlsx',
    contentHash,
    sizeBytes,
    words: item.words,
    slices: slicesOf(item.words),
    sensitive,
    language,
    changedAt: '2024-05-17T10:00:00.000Z',
  };
}

/** Commits and indexes the items; answers the place of each by its number in the index. */
async function write(testing: TestDatabase, { scope, locationId }: Ground, resourceId: string, items: readonly NaiveItem[]) {
  const catalog = createCatalog({ database: testing.database, scope, locationId, ids });
  const put = [
    aVersion('mail', { kind: 'area' }),
    ...folders.map(({ key, name, parent }) => aVersion(key, { kind: 'mailFolder', name, parentKey: parent })),
    ...items.map(({ key, folders: own }) => aVersion(key, { parentKey: own.at(-1)?.key ?? 'mail' })),
  ];
  await catalog.apply(aSegment(resourceId, 1, { put }));
  const store = createSearchIndexStore(testing.database);
  const unread = await store.unread(scope, items.length);
  await store.write(
    scope,
    unread.map((of) => readOf(items, of)),
  );
  // As a database is that has had a night: so many queries are planned once the tables have statistics.
  await testing.asSuperuser('vacuum analyze');
  const rows = await testing.asSuperuser('select item_no, item_key from search_items');
  if (rows.length !== items.length) throw new Error(`${rows.length} of ${items.length} items are in the index.`);
  return new Map(rows.map((row) => [Number(row['item_no']), placeOfKey(String(row['item_key']))]));
}

export async function createSearchCorpus(testing: TestDatabase): Promise<SearchCorpus> {
  const ground = await aGround(testing.database);
  const others = [...shortItems(), ...longItems()];
  const made = [...others, ...compoundItems()].map((item, place) => ({ ...item, key: `m${place}` }));
  const items = made.map((item, place) => (place < SHORT ? { ...item, marks: marksOn(item, place) } : item));
  const resourceId = await aResource(testing.database, ground, { graphId: 'ann', name: 'Ann', kind: 'mailbox' });
  const places = await write(testing, ground, resourceId, items);
  const [row] = await testing.asSuperuser('select source_id, from_point from search_items limit 1');
  const at = { sourceId: String(row?.['source_id']), fromPoint: Number(row?.['from_point']) };
  const sight = await markCorpus({ database: testing.database, ground, resourceId, ...at, reviewed: SHORT });

  async function foundTogether(queries: readonly Query[]): Promise<number[][]> {
    return testing.database.within(ground.scope, async (tx) => {
      const world = { known: await vocabularyFor(tx, queries.flatMap(openWords)), marks: noMarks, nowMs: 0, timeZone: 'UTC' };
      const marks = new Map<string, RawBuilder<unknown>>();
      for (const query of queries)
        for (const [key, condition] of await marksOfQuery(tx, query, sight, () => Promise.resolve([]))) marks.set(key, condition);
      const sets = queries.map(
        (query, index) => sql`select ${index}::integer as query, item_no from ${setOf(query, { ...world, marks })} hit`,
      );
      const { rows } = await sql<{ query: number; item_no: number }>`${sql.join(sets, sql` union all `)}`.execute(tx);
      const byQuery = Map.groupBy(rows, ({ query }) => query);
      return queries.map((_, index) => (byQuery.get(index) ?? []).map(({ item_no: no }) => places.get(no) ?? -1).sort((a, b) => a - b));
    });
  }

  return {
    items,
    asked: (queries, work) =>
      testing.database.within(ground.scope, async (tx) => {
        const world = { known: await vocabularyFor(tx, queries.flatMap(openWords)), marks: noMarks, nowMs: 0, timeZone: 'UTC' };
        const { tenantId } = ground;
        return work(
          tx,
          queries.map((query) => ({ tenantId, query, world, reach: unlimitedReach, hasArchives: false })),
        );
      }),
    compounds: others.length,
    // Several statements at once: while some are answered, others are on their way.
    async found(queries) {
      const steps = Array.from({ length: Math.ceil(queries.length / AT_ONCE) }, (_, index) => index * AT_ONCE);
      return (await Promise.all(steps.map((from) => foundTogether(queries.slice(from, from + AT_ONCE))))).flat();
    },
  };
}
