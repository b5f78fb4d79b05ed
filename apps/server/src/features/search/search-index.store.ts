import type { Database, Scope, Tx } from '@holdfast/database';
import type { ItemWords } from '@holdfast/engine';
import { storableText } from '@holdfast/foundation/text';
import type { SensitiveSum } from '@holdfast/words';
import { sql } from 'kysely';
import { slicesOf } from './lexemes.ts';
import { searchKindOf, searchedKinds } from './searched-kinds.ts';

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
export interface Read {
  readonly of: Unread;
  readonly kind: string;
  readonly name: string;
  /** SHA-256 of its bytes, where it is kept as bytes. */
  readonly contentHash: string | null;
  readonly sizeBytes: number;
  readonly words: ItemWords;
  /** Personal and payment numbers in its words. */
  readonly sensitive: readonly SensitiveSum[];
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

async function writeItem(tx: Tx, read: Read): Promise<void> {
  const { of, words } = read;
  const row = await tx
    .insertInto('search_items')
    .values({
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
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('item_no')
    .executeTakeFirst();
  if (!row) return;
  if (read.sensitive.length > 0) {
    const found = read.sensitive.map((sum) => ({ item_no: row.item_no, ...sum }));
    await tx.insertInto('search_sensitive').values(found).execute();
  }
  const { vectors, vocabulary } = slicesOf(words);
  await sql`insert into search_words (item_no, slice, words)
    select ${row.item_no}, slice, words::tsvector from unnest(${vectors}::text[]) with ordinality as made (words, slice)`.execute(tx);
  await sql`insert into search_vocabulary (word) select unnest(${[...vocabulary].sort()}::text[]) on conflict do nothing`.execute(tx);
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
        const { rows } = await sql<{
          source_id: string;
          location_id: string;
          resource_id: string;
          item_key: string;
          from_point: number;
          sequence: number;
        }>`
          select item.source_id, source.location_id, source.resource_id, item.item_key, item.from_point, shown.sequence
          from catalog_items item
          join catalog_sources source using (organisation_id, realm, source_id)
          join lateral (select sequence from catalog_points point where point.organisation_id = item.organisation_id
            and point.realm = item.realm and point.source_id = item.source_id and point.sequence >= item.from_point
            and point.sequence < item.to_point order by sequence limit 1) shown on true
          where item.organisation_id = holdfast.organisation() and item.realm = holdfast.realm() and item.source_id = any(${behind.map((one) => one.source_id)})
            and item.kind = any(${searchedKinds})
            and not exists (select from search_items known where known.organisation_id = item.organisation_id and known.realm = item.realm
              and known.source_id = item.source_id and known.item_key = item.item_key and known.from_point = item.from_point)
          order by coalesce(item.modified_at, item.created_at) desc nulls last, item.item_key limit ${limit}`.execute(tx);
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
    write: (scope, read) =>
      database.within(scope, async (tx) => {
        for (const one of read) await writeItem(tx, one);
      }),
  });
}
