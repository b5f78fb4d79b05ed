import { slicesOf } from '../../apps/server/src/features/search/lexemes.ts';
import { createSearchIndexStore } from '../../apps/server/src/features/search/search-index.store.ts';
import { createHash } from 'node:crypto';
import { createListMail, wordsOf } from '../search/list-mail.ts';
import type { RecordsGround } from './ground.ts';

export const MAILBOXES = 40;
const BATCH = 200;
/** Restore points of an archive, one a month. */
const POINTS = 120;

const sourceOf = (mailbox: number): string => `00000000-0000-7000-8000-${String(9_000 + mailbox).padStart(12, '0')}`;
const keyOf = (number: number): string => createHash('sha256').update(String(number)).digest('hex');
const pointOf = (number: number, messages: number): number => 1 + Math.floor((number / messages) * POINTS);

/** Archives of list mail of ten years in the catalog, as runs leave them but for the bytes. */
async function fillCatalog({ administrator: { query }, scope, tenantId, locationId }: RecordsGround, messages: number): Promise<void> {
  const scoped = `'${scope.organisationId}'::uuid, '${scope.realm}'`;
  const source = `('00000000-0000-7000-8000-' || lpad((9000 + number % ${MAILBOXES})::text, 12, '0'))::uuid`;
  await query(`insert into resources (organisation_id, realm, resource_id, tenant_id, workload, kind, graph_id, name, address)
    select ${scoped}, ${source}, '${tenantId}', 'archive', 'archive', 'bench-' || number, 'List ' || number, 'list' || number || '@list.example'
    from generate_series(0, ${MAILBOXES - 1}) number`);
  await query(`insert into catalog_sources (organisation_id, realm, source_id, location_id, resource_id, head_sequence, head_hash, head_cursor, items, points)
    select ${scoped}, ${source}, '${locationId}', ${source}, ${POINTS}, 'hash', '', ${Math.ceil(messages / MAILBOXES)}, ${POINTS}
    from generate_series(0, ${MAILBOXES - 1}) number`);
  await query(`insert into catalog_points (organisation_id, realm, source_id, sequence, run_id, committed_at)
    select ${scoped}, ${source}, sequence, 'run', now() - (${POINTS} - sequence) * interval '1 month'
    from generate_series(0, ${MAILBOXES - 1}) number, generate_series(1, ${POINTS}) sequence`);
  const at = `now() - (1 - number::float8 / ${messages}) * interval '10 years'`;
  await query(`insert into catalog_items (organisation_id, realm, source_id, item_key, from_point, to_point, parent_key, kind, is_container, name,
      sort_name, size_bytes, created_at, modified_at, author, detail)
    select ${scoped}, ${source}, encode(sha256(number::text::bytea), 'hex'), 1 + floor(number::float8 / ${messages} * ${POINTS}),
      ${Number.MAX_SAFE_INTEGER}, null, 'message', false, 'Mail ' || number, 'mail ' || number, 4000 + number % 3000, ${at} - interval '1 minute', ${at},
      'Person', json_build_object('contentTag', md5(number::text), 'properties', json_build_object('receivedBy', 'received', 'filler',
        (select string_agg(md5((number * 16 + piece)::text), '') from generate_series(1, 14) piece)))
    from generate_series(0, ${messages - 1}) number`);
}

/** The same messages in the index of words, as the indexer writes them. */
async function fillWords({ database, scope }: RecordsGround, messages: number): Promise<(rank: number) => string> {
  const list = createListMail(11, messages);
  const store = createSearchIndexStore(database);
  for (let from = 0; from < messages; from += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, messages - from) }, (_, index) => from + index);
    await store.write(
      scope,
      batch.map((number) => {
        const words = wordsOf(list.mail(number));
        const [sourceId, point] = [sourceOf(number % MAILBOXES), pointOf(number, messages)];
        const of = { sourceId, locationId: '', resourceId: sourceId, itemKey: keyOf(number), fromPoint: point, sequence: point };
        const changedAt = words.at ?? new Date(0).toISOString();
        const rest = { contentHash: keyOf(number), sizeBytes: 4_000, sensitive: [], language: null, slices: slicesOf(words) };
        return { of, kind: 'message', name: words.title, ...rest, words, changedAt };
      }),
    );
  }
  return list.word;
}

/** Fills archives of so many messages. Answers the words of their texts, the most frequent first. */
export async function fillArchives(ground: RecordsGround, messages: number): Promise<(rank: number) => string> {
  await fillCatalog(ground, messages);
  const word = await fillWords(ground, messages);
  for (const table of ['catalog_items', 'catalog_points', 'catalog_sources', 'resources', 'search_words', 'search_items'])
    await ground.administrator.query(`vacuum (analyze) ${table}`);
  return word;
}
