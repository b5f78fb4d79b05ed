-- Legal holds on what a saved search finds, now and later. What it has found once stays on hold until the hold ends.

alter table holds add column search_id uuid;
-- The search as it was when the hold was placed: a record that stays readable. Only holds by search have them.
alter table holds add column search_name text;
alter table holds add column search_query text;
alter table holds add foreign key (organisation_id, realm, search_id) references saved_searches (organisation_id, realm, search_id)
  on delete set null (search_id);
alter table holds drop constraint holds_check;
alter table holds add constraint holds_check check (resource_id is not null or from_at is not null or to_at is not null or search_query is not null);
alter table holds add check ((search_name is null) = (search_query is null));
create index holds_search on holds (organisation_id, realm, search_id) where search_id is not null;

create table hold_hits (
  organisation_id uuid not null,
  realm text not null,
  hold_id uuid not null,
  source_id uuid not null,
  item_key text collate "C" not null,
  primary key (organisation_id, realm, hold_id, source_id, item_key),
  foreign key (organisation_id, realm, hold_id) references holds (organisation_id, realm, hold_id) on delete cascade,
  foreign key (organisation_id, realm, source_id) references catalog_sources (organisation_id, realm, source_id) on delete cascade
);
create index hold_hits_item on hold_hits (organisation_id, realm, source_id, item_key);
call holdfast.isolate('hold_hits', 'select, insert');
