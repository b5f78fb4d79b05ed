-- Scopes of retention policies by saved search: messages of archives, or files of sites and drives, that it finds now or later.

alter table retention_policies add column search_id uuid;
-- The search as its preview has counted it: two people have approved this version of its query. Only policies by search have them.
alter table retention_policies add column search_name text;
alter table retention_policies add column search_query text;
alter table retention_policies add column search_version integer;
alter table retention_policies add foreign key (organisation_id, realm, search_id)
  references saved_searches (organisation_id, realm, search_id) on delete set null (search_id);
alter table retention_policies add check ((search_name is null) = (search_query is null) and (search_name is null) = (search_version is null));
alter table retention_policies add check (search_query is null or (not is_everything and attributes = '[]'));
create index retention_policies_search on retention_policies (organisation_id, realm, search_id) where search_id is not null;

-- What the search of a policy in force has ever found: its minimum stays on that.
create table retention_policy_hits (
  organisation_id uuid not null,
  realm text not null,
  policy_id uuid not null,
  source_id uuid not null,
  item_key text collate "C" not null,
  primary key (organisation_id, realm, policy_id, source_id, item_key),
  foreign key (organisation_id, realm, policy_id) references retention_policies (organisation_id, realm, policy_id) on delete cascade,
  foreign key (organisation_id, realm, source_id) references catalog_sources (organisation_id, realm, source_id) on delete cascade
);
create index retention_policy_hits_item on retention_policy_hits (organisation_id, realm, source_id, item_key);
call holdfast.isolate('retention_policy_hits', 'select, insert');
