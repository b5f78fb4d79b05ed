-- Requests of people about their own data: the register, the time to answer, and what was found of somebody who asked for access.

create table data_requests (
  organisation_id uuid not null,
  realm text not null,
  request_id uuid not null,
  tenant_id uuid not null,
  kind text not null check (kind in ('access', 'erasure')),
  -- By mailbox or OneDrive, as they were called when the request was registered: the register outlives both.
  person_id uuid not null,
  person_name text not null,
  person_address text not null,
  note text not null,
  received_on date not null,
  due_on date not null,
  -- Why it takes longer than a month, and who has decided that.
  extension text,
  extended_by text,
  extended_at timestamptz,
  registered_by text not null,
  registered_at timestamptz not null,
  deletion_id uuid,
  -- What was found: when, what of it the collector could not open, and what the index had yet to read.
  collected_at timestamptz,
  query text,
  coverage jsonb,
  not_reached bigint not null default 0,
  not_searched bigint not null default 0,
  -- The end that people were reminded of.
  reminded_of date,
  outcome text check (outcome in ('complete', 'partial', 'refused', 'withdrawn')),
  how text,
  answered_on date,
  answered_by text,
  primary key (organisation_id, realm, request_id),
  foreign key (organisation_id, realm, tenant_id) references tenants (organisation_id, realm, tenant_id) on delete cascade,
  foreign key (organisation_id, realm, deletion_id) references message_deletions (organisation_id, realm, deletion_id)
    on delete set null (deletion_id),
  check ((outcome is null) = (answered_on is null))
);
create index data_requests_tenant on data_requests (organisation_id, realm, tenant_id, received_on);
create index data_requests_deletion on data_requests (organisation_id, realm, deletion_id);
call holdfast.isolate('data_requests');

-- Without subject and sender: what is erased leaves none here.
create table data_request_items (
  organisation_id uuid not null,
  realm text not null,
  request_id uuid not null,
  position integer not null,
  part text not null check (part in ('own', 'mention')),
  source_id uuid not null,
  resource_id uuid not null,
  item_key text collate "C" not null,
  from_point bigint not null,
  at timestamptz not null,
  size_bytes bigint not null,
  left_out text,
  left_out_by text,
  primary key (organisation_id, realm, request_id, position),
  unique (organisation_id, realm, request_id, resource_id, item_key),
  foreign key (organisation_id, realm, request_id) references data_requests (organisation_id, realm, request_id) on delete cascade
);
call holdfast.isolate('data_request_items');

-- The request that a package answers.
alter table exports add column data_request_id uuid;
create index exports_data_request on exports (organisation_id, realm, data_request_id) where data_request_id is not null;
