-- Hits of a search as they were when somebody chose them: restores and exports work on the same list, whatever comes later.

create table search_selections (
  organisation_id uuid not null,
  realm text not null,
  selection_id uuid not null,
  tenant_id uuid not null,
  -- As it was read.
  query text not null,
  reason text not null,
  owner_id uuid not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (organisation_id, realm, selection_id),
  foreign key (organisation_id, realm, tenant_id) references tenants (organisation_id, realm, tenant_id) on delete cascade
);
create index search_selections_expiry on search_selections (organisation_id, realm, expires_at);
create index search_selections_tenant on search_selections (organisation_id, realm, tenant_id);
call holdfast.isolate('search_selections');

-- Items stay listed when the catalog has forgotten them: a restore has to say that they are gone.
create table search_selection_items (
  organisation_id uuid not null,
  realm text not null,
  selection_id uuid not null,
  source_id uuid not null,
  item_key text collate "C" not null,
  from_point bigint not null,
  -- The restore point that shows it.
  sequence bigint not null,
  -- Its kind and name in the catalog, for the report.
  kind text not null,
  name text not null,
  at timestamptz not null,
  size_bytes bigint not null,
  primary key (organisation_id, realm, selection_id, source_id, item_key),
  foreign key (organisation_id, realm, selection_id) references search_selections (organisation_id, realm, selection_id) on delete cascade
);
call holdfast.isolate('search_selection_items', 'select, insert, delete');

-- A restore of several mailboxes reports each of them as a part of its own: the keys of their items may be the same.
alter table run_lines add column part text not null default '';
drop index run_lines_item;
create index run_lines_item on run_lines (organisation_id, realm, run_id, part, item_key);
alter table run_beginnings add column part text not null default '';
alter table run_beginnings drop constraint run_beginnings_pkey;
alter table run_beginnings add primary key (organisation_id, realm, run_id, part, item_key);
