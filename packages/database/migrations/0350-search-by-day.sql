-- The words of the index by day, the versions of an item under one number, and words that are looked up through their index.

-- Row-level security is forced, so that what 0139 and 0225 deleted as the owner of the tables, outside of any organisation, was
-- nothing at all: an index made before them is still without the words of documents and without numbers, and one made before
-- 0235 without hashes. It is emptied here, as they meant to, and read again in the background, newest first, from the vault alone.
truncate search_items, search_words, search_sensitive, search_vocabulary, search_sources;

-- The same for all versions of an item: what is counted and shown are items.
create sequence search_item_ids;
grant usage on sequence search_item_ids to holdfast_application;
alter table search_items add column item_id bigint not null;
-- How many rows its words have: an item that lost one is found by the nightly comparison.
alter table search_items add column slices integer not null;
create index search_items_item on search_items (organisation_id, realm, item_id, from_point);
-- Coverage counts the index without reading its rows.
create index search_items_state on search_items (organisation_id, realm, source_id, state);

-- A leaf is a day of `search_items.at`. Days are keys of one index and not tables: nothing has to be created, closed or
-- merged, a statement names as many as it needs, and row-level security is that of the one table.
alter table search_words add column leaf integer not null;
drop index search_words_words;
-- Organisation and realm are one key that no other index has: whatever the planner thinks of a word, it has to be looked up.
create index search_words_words on search_words
  using gin ((organisation_id::text || ' ' || realm), leaf, words) with (gin_pending_list_limit = 256);
drop index search_vocabulary_parts;
create index search_vocabulary_parts on search_vocabulary using gin (organisation_id, word gin_trgm_ops);

-- PostgreSQL uses an index only for operators that are leakproof before it has applied row-level security, and neither `@@`
-- nor `like` is: for the application both would be asked of every row there is. Two functions of the owner look words up past
-- the policy, for the organisation of the transaction alone. Should the owner change, what they find stays right and is slow.
do $$
begin
  execute format('create policy lookup on search_words for select to %I using (true)', current_user);
  execute format('create policy lookup on search_vocabulary for select to %I using (true)', current_user);
end $$;

-- Numbers of the items of which one slice matches; from a leaf on, or of all leaves.
create function holdfast.items_with_words(p_query tsquery, p_leaf integer) returns setof bigint
  language plpgsql stable security definer rows 1000
  set search_path = public, pg_temp
  set enable_seqscan = off
  set enable_indexscan = off
  set plan_cache_mode = force_custom_plan
as $$
declare
  v_place constant text := holdfast.organisation()::text || ' ' || holdfast.realm();
begin
  if p_leaf is null then
    return query select distinct words.item_no from search_words words
      where words.organisation_id::text || ' ' || words.realm = v_place and words.words @@ p_query;
  else
    return query select distinct words.item_no from search_words words
      where words.organisation_id::text || ' ' || words.realm = v_place and words.leaf >= p_leaf and words.words @@ p_query;
  end if;
end $$;

-- Words of the index that are like a pattern.
create function holdfast.words_like(p_pattern text) returns setof text
  language plpgsql stable security definer rows 100
  set search_path = public, pg_temp
  set enable_seqscan = off
  set enable_indexscan = off
  set plan_cache_mode = force_custom_plan
as $$
begin
  return query select known.word from search_vocabulary known
    where known.organisation_id = holdfast.organisation() and known.realm = holdfast.realm() and known.word like p_pattern order by known.word;
end $$;

revoke all on function holdfast.items_with_words(tsquery, integer), holdfast.words_like(text) from public;
grant execute on function holdfast.items_with_words(tsquery, integer), holdfast.words_like(text) to holdfast_application;

-- An item is in the index with all its words or not at all, whoever deletes a part of it. Each row that leaves with the catalog is a
-- statement: its few lookups go by keys, also while tables have no statistics yet.
create function holdfast.search_words_gone() returns trigger
  language plpgsql
  set search_path = public, pg_temp
  set enable_seqscan = off
  set enable_hashjoin = off
  set enable_mergejoin = off
as $$
begin
  delete from search_items item using (select distinct organisation_id, realm, item_no from gone) lost
    where item.organisation_id = lost.organisation_id and item.realm = lost.realm and item.item_no = lost.item_no;
  return null;
end $$;
create trigger search_words_gone after delete on search_words referencing old table as gone
  for each statement execute function holdfast.search_words_gone();

-- A source that lost an item which the catalog still has is looked through again.
create function holdfast.search_items_gone() returns trigger
  language plpgsql
  set search_path = public, pg_temp
  set enable_seqscan = off
  set enable_hashjoin = off
  set enable_mergejoin = off
as $$
begin
  update search_sources known set read_through = 0
    from (select distinct gone.organisation_id, gone.realm, gone.source_id from gone
      join catalog_items kept using (organisation_id, realm, source_id, item_key, from_point)) lost
    where known.organisation_id = lost.organisation_id and known.realm = lost.realm and known.source_id = lost.source_id;
  return null;
end $$;
create trigger search_items_gone after delete on search_items referencing old table as gone
  for each statement execute function holdfast.search_items_gone();

-- What the nightly comparison of the index with the catalog found last.
create table search_comparisons (
  organisation_id uuid not null,
  realm text not null,
  compared_at timestamptz not null,
  -- Versions that were missing from the index, or had lost some of their words, and are read again.
  lost bigint not null,
  primary key (organisation_id, realm)
);
call holdfast.isolate('search_comparisons');
