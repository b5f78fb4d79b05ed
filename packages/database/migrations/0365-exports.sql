-- Exports of what is kept. An export is a list and the hashes of what it lists: the bytes stay in the vault until somebody
-- downloads them.

create table exports (
  organisation_id uuid not null,
  realm text not null,
  export_id uuid not null,
  tenant_id uuid not null,
  run_id uuid not null,
  selection_id uuid not null,
  case_id uuid,
  name text not null,
  format text not null check (format in ('eml', 'mbox')),
  -- As it was read.
  query text not null,
  coverage jsonb not null,
  reason text not null,
  owner_id uuid not null,
  owner text not null,
  items bigint not null,
  size_bytes bigint not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- Its files are forgotten from then on.
  expired_at timestamptz,
  manifest_hash text,
  signature text,
  primary key (organisation_id, realm, export_id),
  foreign key (organisation_id, realm, tenant_id) references tenants (organisation_id, realm, tenant_id) on delete cascade
);
create index exports_tenant on exports (organisation_id, realm, tenant_id, created_at);
create index exports_case on exports (organisation_id, realm, case_id) where case_id is not null;
create index exports_expiry on exports (organisation_id, realm, expires_at) where expired_at is null;
call holdfast.isolate('exports');

create table export_files (
  organisation_id uuid not null,
  realm text not null,
  export_id uuid not null,
  file_no bigint not null,
  kind text not null check (kind in ('item', 'mbox', 'paper')),
  path text not null,
  -- Names that differ in the case of their letters alone are one name on many systems.
  path_key text collate "C" not null,
  -- Known when it was read.
  size_bytes bigint,
  sha256 text,
  -- Why it could not be read.
  code text,
  part integer,
  primary key (organisation_id, realm, export_id, file_no),
  unique (organisation_id, realm, export_id, path_key),
  foreign key (organisation_id, realm, export_id) references exports (organisation_id, realm, export_id) on delete cascade
);
create index export_files_unread on export_files (organisation_id, realm, export_id, file_no)
  where sha256 is null and code is null and kind <> 'paper';
create index export_files_part on export_files (organisation_id, realm, export_id, part, file_no);
call holdfast.isolate('export_files');

create table export_items (
  organisation_id uuid not null,
  realm text not null,
  export_id uuid not null,
  item_no bigint not null,
  -- Null for an item that was gone before it was listed.
  file_no bigint,
  source_id uuid not null,
  sequence bigint not null,
  item_key text collate "C" not null,
  -- Which of its contents; null for the item itself.
  content integer,
  size_bytes bigint not null,
  -- Of the original bytes; null for what is made from properties.
  sha256 text,
  code text,
  -- What the index says of it.
  account text not null,
  folder text not null,
  kind text not null,
  name text not null,
  sender text not null,
  sent_at text,
  received_at text,
  message_id text not null,
  primary key (organisation_id, realm, export_id, item_no),
  foreign key (organisation_id, realm, export_id) references exports (organisation_id, realm, export_id) on delete cascade
);
create index export_items_file on export_items (organisation_id, realm, export_id, file_no, item_no);
call holdfast.isolate('export_items');
