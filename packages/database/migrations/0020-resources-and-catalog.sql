-- What can be protected, and the catalog: which version of which item held at which restore point.

create table resources (
  organisation_id uuid not null,
  realm text not null,
  resource_id uuid not null,
  tenant_id uuid not null,
  workload text not null check (workload in ('exchange', 'onedrive', 'sharepoint', 'teams')),
  kind text not null check (kind in ('mailbox', 'drive', 'site', 'team', 'chat')),
  graph_id text not null,
  name text not null,
  address text not null default '',
  -- Where the directory last had it; set when it is gone from Microsoft 365.
  seen_at timestamptz not null default now(),
  deleted_at timestamptz,
  -- The last word of a run on it: null is good, else a code.
  last_code text,
  last_status text,
  last_run_at timestamptz,
  primary key (organisation_id, realm, resource_id),
  foreign key (organisation_id, realm, tenant_id) references tenants (organisation_id, realm, tenant_id) on delete cascade
);
create unique index resources_graph_id on resources (organisation_id, realm, tenant_id, kind, graph_id);
create index resources_tenant on resources (organisation_id, realm, tenant_id, workload);
call holdfast.isolate('resources');

-- A resource in a location: the head of its journal as the catalog has it, and its figures.
create table catalog_sources (
  organisation_id uuid not null,
  realm text not null,
  source_id uuid not null,
  location_id uuid not null,
  resource_id uuid not null,
  head_sequence bigint not null,
  head_hash text not null,
  head_cursor text not null,
  items bigint not null default 0,
  bytes bigint not null default 0,
  points bigint not null default 0,
  -- What segments since the last restore point changed: a long run commits more than once.
  pending_added integer not null default 0,
  pending_changed integer not null default 0,
  pending_removed integer not null default 0,
  oldest_point_at timestamptz,
  newest_point_at timestamptz,
  primary key (organisation_id, realm, source_id),
  unique (organisation_id, realm, location_id, resource_id),
  foreign key (organisation_id, realm, location_id) references locations (organisation_id, realm, location_id),
  foreign key (organisation_id, realm, resource_id) references resources (organisation_id, realm, resource_id)
);
create index catalog_sources_resource on catalog_sources (organisation_id, realm, resource_id);
call holdfast.isolate('catalog_sources');

create table catalog_points (
  organisation_id uuid not null,
  realm text not null,
  source_id uuid not null,
  sequence bigint not null,
  run_id text not null,
  committed_at timestamptz not null,
  status text not null default 'successful' check (status in ('successful', 'defective')),
  added integer not null default 0,
  changed integer not null default 0,
  removed integer not null default 0,
  primary key (organisation_id, realm, source_id, sequence),
  foreign key (organisation_id, realm, source_id) references catalog_sources (organisation_id, realm, source_id) on delete cascade
);
create index catalog_points_run on catalog_points (organisation_id, realm, run_id);
create index catalog_points_time on catalog_points (organisation_id, realm, source_id, committed_at);
call holdfast.isolate('catalog_points');

-- A version holds in from_point <= sequence < to_point. What nothing has replaced ends at the largest whole
-- number that JavaScript tells exactly.
create table catalog_items (
  organisation_id uuid not null,
  realm text not null,
  source_id uuid not null,
  item_key text collate "C" not null,
  from_point bigint not null,
  to_point bigint not null default 9007199254740991,
  parent_key text collate "C",
  kind text not null,
  is_container boolean not null,
  name text not null,
  -- The name as it is sorted and searched: folded, without regard to case.
  sort_name text collate "C" not null,
  size_bytes bigint not null,
  created_at timestamptz,
  modified_at timestamptz,
  author text,
  -- Everything else of the version, as it was put: names with characters that text can't hold, exact times,
  -- contents and properties. Of type json, not jsonb, because it must come back to the letter.
  detail json not null,
  primary key (organisation_id, realm, source_id, item_key, from_point),
  foreign key (organisation_id, realm, source_id) references catalog_sources (organisation_id, realm, source_id) on delete cascade
);
-- Browse: what lies in a folder, containers first, by name, at any point.
create index catalog_items_browse on catalog_items
  (organisation_id, realm, source_id, parent_key, is_container desc, sort_name, item_key, from_point, to_point);
call holdfast.isolate('catalog_items');

-- The vault's answer to "have I this blob, and where", for all workers. A cache: rebuilt from the packs.
create table vault_packs (
  organisation_id uuid not null,
  realm text not null,
  location_id uuid not null,
  pack_id text not null,
  primary key (organisation_id, realm, location_id, pack_id),
  foreign key (organisation_id, realm, location_id) references locations (organisation_id, realm, location_id) on delete cascade
);
call holdfast.isolate('vault_packs');

create table vault_blobs (
  organisation_id uuid not null,
  realm text not null,
  location_id uuid not null,
  blob_id bytea not null,
  pack_id text not null,
  frame integer not null,
  frame_offset bigint not null,
  frame_length integer not null,
  blob_offset integer not null,
  blob_length integer not null,
  primary key (organisation_id, realm, location_id, blob_id),
  foreign key (organisation_id, realm, location_id) references locations (organisation_id, realm, location_id) on delete cascade
);
create index vault_blobs_pack on vault_blobs (organisation_id, realm, location_id, pack_id);
call holdfast.isolate('vault_blobs');
