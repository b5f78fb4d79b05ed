import { expect, test } from 'vitest';
import { findIsolationFaults } from '../../testing/isolation.ts';
import { olderDatabase } from '../../testing/older-database.ts';

/** The index of a version that knew mail by its words alone, taken over by one that knows more of it, and by this one. */
const { ownerUrl, sql, update } = olderDatabase('mail', '0440');

const id = (last: number): string => `00000000-0000-4000-8000-${String(last).padStart(12, '0')}`;
const kinds = ['email', 'im', 'tasks', 'meetings', 'docs'] as const;
const index = `select item.item_key as key, (select count(*)::int from search_words words where words.item_no = item.item_no) as words,
  (select count(*)::int from search_scans scan where scan.item_no = item.item_no) as scans from search_items item order by 1`;
const through = 'select read_through::int from search_sources';

/** One indexed item of each kind with a recognised scan, written past everything. */
async function anIndex(organisation: string): Promise<void> {
  const own = `'${organisation}', 'production'`;
  const statements = kinds.map((kind, number) => {
    const key = `${organisation.slice(-1)} ${kind}`;
    return `insert into catalog_items (organisation_id, realm, source_id, item_key, from_point, parent_key, kind, is_container, name, sort_name, size_bytes, detail)
        values (${own}, '${id(30)}', '${key}', 1, null, 'message', false, 'x', 'x', 1, '{}');
      insert into search_items (organisation_id, realm, item_id, source_id, item_key, from_point, kind, title, sender, at, size_bytes, attachments, file_type, state, slices)
        values (${own}, ${number}, '${id(30)}', '${key}', 1, '${kind}', 'x', '', now(), 1, 0, '', 'indexed', 1);
      insert into search_words (organisation_id, realm, item_no, slice, leaf, words)
        select organisation_id, realm, item_no, 1, 1, '''x'':1A' from search_items where item_key = '${key}';
      insert into search_scans (organisation_id, realm, item_no, document_hash, source_id, at, state, text)
        select organisation_id, realm, item_no, repeat('a', 64), source_id, now(), 'read', 'recognised' from search_items where item_key = '${key}'`;
  });
  await sql(`begin; set local session_replication_role = replica;
    insert into catalog_sources (organisation_id, realm, source_id, location_id, resource_id, head_sequence, head_hash, head_cursor, items, points)
      values (${own}, '${id(30)}', '${id(31)}', '${id(32)}', 1, 'hash', '', 1, 1);
    ${statements.join('; ')};
    insert into search_sources (organisation_id, realm, source_id, read_through) values (${own}, '${id(30)}', 1);
    commit`);
}

test('what mail says of itself is read again, while documents and what was recognised in them stay in the index; then all of it is', async () => {
  await anIndex(id(1));
  await anIndex(id(2));
  expect(await sql(index)).toHaveLength(10);
  expect(await sql(through)).toEqual([{ read_through: 1 }, { read_through: 1 }]);

  await update('0530');

  expect(await sql(index)).toEqual(['1 docs', '1 meetings', '2 docs', '2 meetings'].map((key) => ({ key, words: 1, scans: 1 })));
  expect(await sql('select count(*)::int as words from search_words')).toEqual([{ words: 4 }]);
  expect(await sql(through)).toEqual([{ read_through: 0 }, { read_through: 0 }]);

  await update();

  // Language, links and versions are of every kind of item: all of it is read again, and told as not searched until then.
  expect(await sql(index)).toEqual([]);
  expect(await sql(through)).toEqual([]);
  expect(await findIsolationFaults(ownerUrl)).toEqual([]);
  expect((await update()).applied).toEqual([]);
});
