-- Searches that are kept under a name, the versions of their queries, and what their alerts have found so far.

create table saved_searches (
  organisation_id uuid not null,
  realm text not null,
  search_id uuid not null,
  tenant_id uuid not null,
  name text not null,
  -- The version of the query that is in force.
  query_version integer not null,
  version integer not null default 1,
  has_alert boolean not null,
  -- Items that the alert has found since somebody last ran the search.
  new_hits bigint not null default 0,
  checked_at timestamptz,
  owner_id uuid not null,
  owner text not null,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  primary key (organisation_id, realm, search_id),
  foreign key (organisation_id, realm, tenant_id) references tenants (organisation_id, realm, tenant_id) on delete cascade
);
create unique index saved_searches_name on saved_searches (organisation_id, realm, tenant_id, lower(name));
create index saved_searches_alert on saved_searches (organisation_id, realm, checked_at) where has_alert;
call holdfast.isolate('saved_searches');

create table saved_search_queries (
  organisation_id uuid not null,
  realm text not null,
  search_id uuid not null,
  query_version integer not null,
  query text not null,
  written_by text not null,
  written_at timestamptz not null,
  primary key (organisation_id, realm, search_id, query_version),
  foreign key (organisation_id, realm, search_id) references saved_searches (organisation_id, realm, search_id) on delete cascade
);
call holdfast.isolate('saved_search_queries', 'select, insert, delete');

-- Items are kept by key and not by their number in the index, so that reading an item again never alerts twice.
create table saved_search_hits (
  organisation_id uuid not null,
  realm text not null,
  search_id uuid not null,
  source_id uuid not null,
  item_key text collate "C" not null,
  primary key (organisation_id, realm, search_id, source_id, item_key),
  foreign key (organisation_id, realm, search_id) references saved_searches (organisation_id, realm, search_id) on delete cascade,
  foreign key (organisation_id, realm, source_id) references catalog_sources (organisation_id, realm, source_id) on delete cascade
);
create index saved_search_hits_source on saved_search_hits (organisation_id, realm, source_id);
call holdfast.isolate('saved_search_hits');
