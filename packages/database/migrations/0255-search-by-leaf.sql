-- The words of the index by day, and the versions of an item under one number: the newest hits are found without all others.

-- The owner of the tables is under their row-level security as well, and means every organisation here.
alter table search_items no force row level security;
alter table search_words no force row level security;

alter table search_items add column item_id bigint;
update search_items item set item_id = first.item_no
  from (select organisation_id, realm, source_id, item_key, min(item_no) as item_no from search_items group by 1, 2, 3, 4) first
  where first.organisation_id = item.organisation_id and first.realm = item.realm and first.source_id = item.source_id
    and first.item_key = item.item_key;
alter table search_items alter column item_id set not null;
create sequence search_item_ids;
select setval('search_item_ids', (select coalesce(max(item_id), 0) + 1 from search_items));
grant usage on sequence search_item_ids to holdfast_application;
create index search_items_item on search_items (organisation_id, realm, item_id, from_point);
-- Coverage counts the index without reading its rows.
create index search_items_state on search_items (organisation_id, realm, source_id, state);

-- A leaf is a day of `search_items.at`. Days are keys of one index and not tables: nothing has to be created, closed or
-- merged, a statement names as many as it needs, and row-level security is that of the one table.
alter table search_words add column leaf integer;
update search_words words set leaf = floor(extract(epoch from item.at) / 86400)::integer
  from search_items item where item.organisation_id = words.organisation_id and item.realm = words.realm and item.item_no = words.item_no;
alter table search_words alter column leaf set not null;
alter table search_items force row level security;
alter table search_words force row level security;
drop index search_words_words;
create index search_words_words on search_words using gin (organisation_id, leaf, words) with (gin_pending_list_limit = 256);

-- PostgreSQL never uses an index for an operator that is not leakproof before it has applied row-level security, and neither
-- `@@` nor `like` is. So two functions look words up past the policy, for the organisation of the transaction alone.
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
begin
  if p_leaf is null then
    return query select distinct words.item_no from search_words words
      where words.organisation_id = holdfast.organisation() and words.realm = holdfast.realm() and words.words @@ p_query;
  else
    return query select distinct words.item_no from search_words words
      where words.organisation_id = holdfast.organisation() and words.realm = holdfast.realm() and words.leaf >= p_leaf and words.words @@ p_query;
  end if;
end $$;

-- Words of the index that are like a pattern.
create function holdfast.words_like(p_pattern text) returns setof text
  language plpgsql stable security definer rows 100
  set search_path = public, pg_temp
  set plan_cache_mode = force_custom_plan
as $$
begin
  return query select known.word from search_vocabulary known
    where known.organisation_id = holdfast.organisation() and known.realm = holdfast.realm() and known.word like p_pattern order by known.word;
end $$;

revoke all on function holdfast.items_with_words(tsquery, integer), holdfast.words_like(text) from public;
grant execute on function holdfast.items_with_words(tsquery, integer), holdfast.words_like(text) to holdfast_application;
