import { expect, test } from 'vitest';
import { findIsolationFaults } from '../../testing/isolation.ts';
import { olderDatabase } from '../../testing/older-database.ts';
import { queryOnce } from '../../testing/test-database.ts';

/** The index of a version that looked words up row by row, taken over by this one. */
const { ownerUrl, sql, update } = olderDatabase('search', '0350');

const id = (last: number): string => `00000000-0000-4000-8000-${String(last).padStart(12, '0')}`;
const counts = `select (select count(*)::int from search_items) as items, (select count(*)::int from search_words) as words,
  (select count(*)::int from search_vocabulary) as vocabulary, (select count(*)::int from search_sources) as sources,
  (select count(*)::int from catalog_items) as kept`;

/** An organisation with one indexed message, written past everything. */
async function anIndex(organisation: string, realm: string): Promise<void> {
  const own = `'${organisation}', '${realm}'`;
  await sql(`begin; set local session_replication_role = replica;
    insert into catalog_sources (organisation_id, realm, source_id, location_id, resource_id, head_sequence, head_hash, head_cursor, items, points)
      values (${own}, '${id(30)}', '${id(31)}', '${id(32)}', 1, 'hash', '', 1, 1);
    insert into catalog_items (organisation_id, realm, source_id, item_key, from_point, to_point, parent_key, kind, is_container, name,
      sort_name, size_bytes, detail) values (${own}, '${id(30)}', 'm1', 1, 9007199254740991, 'inbox', 'message', false, 'Mail', 'mail', 1, '{}');
    insert into search_items (organisation_id, realm, source_id, item_key, from_point, kind, title, sender, at, size_bytes, attachments, file_type, state)
      values (${own}, '${id(30)}', 'm1', 1, 'email', 'Mail', '', now(), 1, 0, '', 'indexed');
    insert into search_words (organisation_id, realm, item_no, slice, words)
      select organisation_id, realm, item_no, 1, '''mail'':1A' from search_items where organisation_id = '${organisation}' and realm = '${realm}';
    insert into search_vocabulary (organisation_id, realm, word) values (${own}, 'mail');
    insert into search_sources (organisation_id, realm, source_id, read_through) values (${own}, '${id(30)}', 1);
    commit`);
}

test('what migrations deleted as the owner under forced row-level security was nothing, so that the index is emptied now and read again', async () => {
  await anIndex(id(1), 'production');
  await anIndex(id(1), 'staging');
  await anIndex(id(2), 'production');
  const full = { items: 3, words: 3, vocabulary: 3, sources: 3, kept: 3 };
  expect(await sql(counts)).toEqual([full]);
  // The statements of 0139 and 0225, by who ran them.
  const asOwner = (text: string): Promise<unknown> => queryOnce(ownerUrl, text);
  for (const table of ['search_items', 'search_sources', 'search_vocabulary']) await asOwner(`delete from ${table}`);
  expect(await sql(counts)).toEqual([full]);

  await update();

  // What is kept is untouched, and every source is behind its catalog.
  expect(await sql(counts)).toEqual([{ items: 0, words: 0, vocabulary: 0, sources: 0, kept: 3 }]);
  expect(await findIsolationFaults(ownerUrl)).toEqual([]);
  expect((await update()).applied).toEqual([]);
});

test('a policy for looking words up on another table, for another role or for writing is found, and so is a function with the rights of the owner', async () => {
  const faults = async () => (await findIsolationFaults(ownerUrl)).map(({ table, fault }) => `${table}: ${fault}`);
  await sql('create policy lookup on organisations for select to holdfast_application using (true)');
  await sql('create policy more on search_words for select to public using (true)');
  await sql('alter policy lookup on search_vocabulary to holdfast_application');
  await sql(`create function holdfast.planted() returns bigint language sql security definer return 1`);
  expect(await faults()).toEqual([
    'organisations: the policy lookup is not a known one',
    'planted: it runs with the rights of its owner and is not a known one',
    'search_vocabulary: the policy lookup is not a known one',
    'search_words: the policy more is not a known one',
  ]);
});
