-- What an auditor may read, print and list: frozen when it is granted. Rows are never deleted: an access that has ended stays as a record.

create table auditor_accesses (
  organisation_id uuid not null,
  realm text not null,
  access_id uuid not null,
  tenant_id uuid not null,
  -- The auditor; their address is as it was when the access was granted.
  account_id uuid not null,
  auditor text not null,
  purpose text not null,
  -- The case or saved search that it was frozen of, as it was called then, and the queries as they were read.
  source_kind text not null check (source_kind in ('case', 'search')),
  source_id uuid not null,
  source_name text not null,
  query text not null,
  items bigint not null,
  access_from timestamptz not null,
  access_to timestamptz not null,
  granter text not null,
  granted_at timestamptz not null,
  ender text,
  ended_at timestamptz,
  primary key (organisation_id, realm, access_id),
  foreign key (organisation_id, realm, tenant_id) references tenants (organisation_id, realm, tenant_id) on delete cascade,
  check (access_from < access_to),
  check ((ender is null) = (ended_at is null))
);
create index auditor_accesses_holder on auditor_accesses (organisation_id, realm, tenant_id, account_id, access_to);
call holdfast.isolate('auditor_accesses', 'select, insert, update');

-- Versions of items by their keys alone: what is erased leaves no subject and no sender here.
create table auditor_access_items (
  organisation_id uuid not null,
  realm text not null,
  access_id uuid not null,
  source_id uuid not null,
  item_key text collate "C" not null,
  from_point bigint not null,
  primary key (organisation_id, realm, access_id, source_id, item_key, from_point),
  foreign key (organisation_id, realm, access_id) references auditor_accesses (organisation_id, realm, access_id) on delete cascade
);
call holdfast.isolate('auditor_access_items', 'select, insert');
