import { wordsOf } from '@holdfast/contract/query/words';
import type { Database, Scope, Tx } from '@holdfast/database';
import type { ItemFacts, ItemWords } from '@holdfast/engine';
import { storableText } from '@holdfast/foundation/text';
import { sql } from 'kysely';
import type { MadeOfWords } from './made-of-words.ts';
import { searchKindOf } from './searched-kinds.ts';
import { firstShown, unreadVersions } from './unread-versions.views.ts';

/** A version of an item whose words have not been read. */
export interface Unread {
  readonly sourceId: string;
  readonly locationId: string;
  readonly resourceId: string;
  readonly itemKey: string;
  readonly fromPoint: number;
  /** A restore point that shows it. */
  readonly sequence: number;
}

/** What was read of it; `failed` for what could not be read at all, which is found by its name. */
export interface Read extends MadeOfWords {
  readonly of: Unread;
  readonly kind: string;
  readonly name: string;
  /** SHA-256 of its bytes, where it is kept as bytes. */
  readonly contentHash: string | null;
  readonly sizeBytes: number;
  readonly words: ItemWords;
  readonly changedAt: string;
}

export interface SearchIndexStore {
  /** The newest versions without words that a restore point shows, of one location. */
  unread(scope: Scope, limit: number): Promise<readonly Unread[]>;
  write(scope: Scope, read: readonly Read[]): Promise<void>;
}

function fileTypeOf({ name, kind }: Read): string {
  const ending = kind === 'file' ? /\.([^.\s]{1,20})$/.exec(name)?.[1] : undefined;
  return ending?.toLowerCase() ?? '';
}

const DAY_MS = 86_400_000;
/** Longer names of labels are no organisation's. */
const LONGEST_NAME = 200;

/** The days that words are looked up by: see the migration of the leaves. */
export function leafOf(at: string): number {
  return Math.floor(Date.parse(at) / DAY_MS);
}

/** What has not been asked what it says of itself says nothing. */
export const nothingSaid: ItemFacts = {
  sentAt: null,
  archivedAt: null,
  importance: null,
  isJournaled: false,
  isRead: null,
  isSigned: null,
  isEncrypted: null,
  identifiers: [],
  envelope: [],
  headers: [],
  links: [],
  addresses: [],
  labels: null,
};

function rowOf(read: Read, place: number) {
  const { of, words } = read;
  const { facts = nothingSaid } = words;
  return {
    place,
    source_id: of.sourceId,
    item_key: of.itemKey,
    from_point: of.fromPoint,
    kind: searchKindOf(read.kind),
    title: storableText(words.title).slice(0, 1_000),
    sender: storableText(words.from.join(', ')).slice(0, 400),
    at: words.at ?? read.changedAt,
    size_bytes: read.sizeBytes,
    attachments: words.attachments.length,
    file_type: fileTypeOf(read),
    content_hash: read.contentHash,
    state: words.state,
    slices: read.slices.vectors.length,
    sent_at: facts.sentAt,
    archived_at: facts.archivedAt,
    importance: facts.importance === null ? null : storableText(facts.importance),
    is_journaled: facts.isJournaled,
    is_read: facts.isRead,
    is_signed: facts.isSigned,
    is_encrypted: facts.isEncrypted,
    language: read.language,
    labels_known: facts.labels !== null,
  };
}

/** Writes the rows of items, and answers the number of each by its place among them; what is there already has none. */
async function writeRows(tx: Tx, written: readonly Read[]): Promise<ReadonlyMap<number, number>> {
  const rows = JSON.stringify(written.map(rowOf));
  // One writer of an organisation at a time: two versions of an item get one number.
  await sql`select pg_advisory_xact_lock(hashtextextended('search index ' || holdfast.organisation() || holdfast.realm(), 0))`.execute(tx);
  const { rows: numbered } = await sql<{ place: number; item_no: number }>`
    with given as (select * from jsonb_to_recordset(${rows}::jsonb) as row (place integer, source_id uuid, item_key text, from_point bigint,
        kind text, title text, sender text, at timestamptz, size_bytes bigint, attachments integer, file_type text, content_hash text, state text,
        slices integer, sent_at timestamptz, archived_at timestamptz, importance text, is_journaled boolean,
        is_read boolean, is_signed boolean, is_encrypted boolean, language text,
        labels_known boolean)),
    numbered as materialized (select source_id, item_key, coalesce((select known.item_id from search_items known
        where known.organisation_id = holdfast.organisation() and known.realm = holdfast.realm() and known.source_id = one.source_id
          and known.item_key = one.item_key limit 1), nextval('search_item_ids')) as item_id
      from (select distinct source_id, item_key from given) one),
    added as (
      insert into search_items (item_id, source_id, item_key, from_point, kind, title, sender, at, size_bytes, attachments, file_type,
        content_hash, state, slices, sent_at, archived_at, importance, is_journaled, is_read, is_signed, is_encrypted, language,
        labels_known)
      select item_id, source_id, item_key, from_point, kind, title, sender, at, size_bytes, attachments, file_type, content_hash, state, slices,
        sent_at, archived_at, importance, is_journaled, is_read, is_signed, is_encrypted, language, labels_known
      from given join numbered using (source_id, item_key) order by place
      on conflict do nothing returning item_no, source_id, item_key, from_point)
    select given.place, added.item_no from added join given using (source_id, item_key, from_point)`.execute(tx);
  return new Map(numbered.map((row) => [row.place, row.item_no]));
}

/** Rows of words, column by column. */
interface WordRows {
  readonly item: number[];
  readonly slice: number[];
  readonly leaf: number[];
  readonly words: string[];
}

/** Rows of words, and each word once in the vocabulary. */
export async function insertWords(tx: Tx, rows: WordRows, vocabulary: ReadonlySet<string>): Promise<void> {
  await sql`insert into search_words (item_no, slice, leaf, words)
    select item_no, slice, leaf, words::tsvector from unnest(${rows.item}::bigint[], ${rows.slice}::integer[], ${rows.leaf}::integer[], ${rows.words}::text[])
      as made (item_no, slice, leaf, words)`.execute(tx);
  await sql`insert into search_vocabulary (word) select unnest(${[...vocabulary].sort()}::text[]) on conflict do nothing`.execute(tx);
}

/** The words of items under their numbers. */
async function writeWords(tx: Tx, written: readonly Read[], numbers: ReadonlyMap<number, number>): Promise<void> {
  const rows: WordRows = { item: [], slice: [], leaf: [], words: [] };
  const vocabulary = new Set<string>();
  for (const [place, read] of written.entries()) {
    const number = numbers.get(place);
    if (number === undefined) continue;
    for (const word of read.slices.vocabulary) vocabulary.add(word);
    for (const [index, vector] of read.slices.vectors.entries()) {
      rows.item.push(number);
      rows.slice.push(index + 1);
      rows.leaf.push(leafOf(read.words.at ?? read.changedAt));
      rows.words.push(vector);
    }
  }
  await insertWords(tx, rows, vocabulary);
}

/** Pictures and scanned documents of items, which wait for somebody to recognise what they say. */
async function writeScans(tx: Tx, written: readonly Read[], numbers: ReadonlyMap<number, number>): Promise<void> {
  const found = written.flatMap(({ of, words, changedAt }, place) => {
    const number = numbers.get(place);
    const hashes = number === undefined ? [] : (words.scans ?? []);
    return hashes.map((hash) => ({ item_no: number ?? 0, document_hash: hash, source_id: of.sourceId, at: words.at ?? changedAt }));
  });
  if (found.length > 0) await tx.insertInto('search_scans').values(found).execute();
}

async function writeSensitive(tx: Tx, written: readonly Read[], numbers: ReadonlyMap<number, number>): Promise<void> {
  const found = written.flatMap((read, place) => {
    const number = numbers.get(place);
    return number === undefined ? [] : read.sensitive.map((sum) => ({ item_no: number, ...sum }));
  });
  if (found.length > 0) await tx.insertInto('search_sensitive').values(found).execute();
}

/** Where items link to, in their order: a page that shows one says what they led to when it was sent. */
async function writeLinks(tx: Tx, written: readonly Read[], numbers: ReadonlyMap<number, number>): Promise<void> {
  const found = written.flatMap((read, place) => {
    const number = numbers.get(place);
    const links = number === undefined ? [] : (read.words.facts?.links ?? []);
    return links.map((link, index) => ({ item_no: number ?? 0, place: index + 1, link: storableText(link) }));
  });
  if (found.length > 0) await tx.insertInto('search_links').values(found).execute();
}

async function writeLabels(tx: Tx, written: readonly Read[], numbers: ReadonlyMap<number, number>): Promise<void> {
  const found = written.flatMap((read, place) => {
    const number = numbers.get(place);
    const labels = number === undefined ? [] : (read.words.facts?.labels ?? []);
    return labels.map(({ labelId, name, setAt }) => ({
      item_no: number ?? 0,
      label_id: labelId,
      name: storableText(name).slice(0, LONGEST_NAME),
      set_at: setAt,
    }));
  });
  if (found.length > 0) await tx.insertInto('search_labels').values(found).execute();
}

/** The words of a text between spaces, so that words in a row are found by `like`. */
const spaced = (text: string): string => ` ${[...wordsOf(text)].join(' ')} `;

async function writeInvoices(tx: Tx, written: readonly Read[], numbers: ReadonlyMap<number, number>): Promise<void> {
  const found = written.flatMap((read, place) => {
    const number = numbers.get(place);
    const invoices = number === undefined ? [] : (read.words.invoices ?? []);
    return invoices.map((invoice, index) => ({
      item_no: number ?? 0,
      place: index + 1,
      number: spaced(invoice.number),
      seller: spaced(invoice.seller),
      vat_id: storableText(invoice.vatId),
      iban: storableText(invoice.iban),
      issued_on: invoice.date,
      total: invoice.total,
      currency: storableText(invoice.currency),
    }));
  });
  if (found.length > 0) await tx.insertInto('search_invoices').values(found).execute();
}

interface SourceBehind {
  readonly source_id: string;
  readonly head_sequence: number;
}

async function sourcesBehind(tx: Tx): Promise<readonly SourceBehind[]> {
  const { rows } = await sql<SourceBehind>`
    select source.source_id, source.head_sequence from catalog_sources source
    left join search_sources known using (organisation_id, realm, source_id)
    where source.organisation_id = holdfast.organisation() and source.realm = holdfast.realm()
      and source.head_sequence > coalesce(known.read_through, 0)`.execute(tx);
  return rows;
}

/** Nothing unread is left up to these heads. */
async function markRead(tx: Tx, sources: readonly SourceBehind[]): Promise<void> {
  await sql`insert into search_sources as known (source_id, read_through)
    select * from unnest(${sources.map((one) => one.source_id)}::uuid[], ${sources.map((one) => one.head_sequence)}::bigint[])
    on conflict (organisation_id, realm, source_id) do update set read_through = greatest(known.read_through, excluded.read_through)`.execute(
    tx,
  );
}

/** The index over PostgreSQL. What the catalog forgets leaves it by itself. */
export function createSearchIndexStore(database: Database): SearchIndexStore {
  return Object.freeze<SearchIndexStore>({
    unread: (scope, limit) =>
      database.within(scope, async (tx) => {
        const behind = await sourcesBehind(tx);
        if (behind.length === 0) return [];
        const sources = sql`${behind.map((one) => one.source_id)}::uuid[]`;
        const { rows } = await sql<{
          source_id: string;
          location_id: string;
          resource_id: string;
          item_key: string;
          from_point: number;
          sequence: number;
        }>`
          select unread.source_id, source.location_id, source.resource_id, unread.item_key, unread.from_point, shown.sequence
          from ${unreadVersions(sources)} unread
          join catalog_sources source on source.organisation_id = holdfast.organisation() and source.realm = holdfast.realm()
            and source.source_id = unread.source_id
          join ${firstShown}
          order by unread.at desc nulls last, unread.item_key limit ${limit}`.execute(tx);
        if (rows.length === 0) await markRead(tx, behind);
        return rows.map((row) => ({
          sourceId: row.source_id,
          locationId: row.location_id,
          resourceId: row.resource_id,
          itemKey: row.item_key,
          fromPoint: row.from_point,
          sequence: row.sequence,
        }));
      }),
    async write(scope, read) {
      if (read.length === 0) return;
      await database.within(scope, async (tx) => {
        const numbers = await writeRows(tx, read);
        await writeWords(tx, read, numbers);
        await writeSensitive(tx, read, numbers);
        await writeInvoices(tx, read, numbers);
        await writeLinks(tx, read, numbers);
        await writeLabels(tx, read, numbers);
        await writeScans(tx, read, numbers);
      });
    },
  });
}
