-- What SharePoint and OneDrive hold, read from the catalog: scans, and one row for each file, earlier version and share.

create table compliance_scans (
  organisation_id uuid not null,
  realm text not null,
  scan_id uuid not null,
  tenant_id uuid not null,
  number bigint not null,
  kind text not null check (kind in ('monthly', 'scheduled', 'onDemand')),
  status text not null default 'pending' check (status in ('pending', 'running', 'successful', 'failed')),
  started_by text,
  queued_at timestamptz not null,
  started_at timestamptz,
  ended_at timestamptz,
  -- A worker that is silent for too long has lost the scan.
  seen_at timestamptz,
  sites integer not null default 0,
  sites_done integer not null default 0,
  processed bigint not null default 0,
  code text,
  -- The sums of the report, once it has ended well.
  figures jsonb,
  primary key (organisation_id, realm, scan_id),
  foreign key (organisation_id, realm, tenant_id) references tenants (organisation_id, realm, tenant_id) on delete cascade
);
create unique index compliance_scans_number on compliance_scans (organisation_id, realm, tenant_id, number);
-- One scan of a tenant at a time.
create unique index compliance_scans_open on compliance_scans (organisation_id, realm, tenant_id) where status in ('pending', 'running');
call holdfast.isolate('compliance_scans');

-- The sites and drives that are read, each as the location with its newest restore point has it.
create table compliance_sources (
  organisation_id uuid not null,
  realm text not null,
  source_id uuid not null,
  tenant_id uuid not null,
  resource_id uuid not null,
  -- Segments up to this one have been read; `target` and `position` are set while newer ones are.
  scanned_through bigint not null default 0,
  target bigint,
  position text collate "C",
  scanned_at timestamptz,
  files bigint not null default 0,
  bytes bigint not null default 0,
  versions bigint not null default 0,
  version_bytes bigint not null default 0,
  deleted bigint not null default 0,
  duplicates bigint not null default 0,
  exposed bigint not null default 0,
  newest_change_at timestamptz,
  primary key (organisation_id, realm, source_id),
  foreign key (organisation_id, realm, source_id) references catalog_sources (organisation_id, realm, source_id) on delete cascade
);
create index compliance_sources_tenant on compliance_sources (organisation_id, realm, tenant_id);
call holdfast.isolate('compliance_sources');

-- The sites and drives of a report, as they were when it was made.
create table compliance_scan_sites (
  organisation_id uuid not null,
  realm text not null,
  scan_id uuid not null,
  resource_id uuid not null,
  name text not null,
  url text not null,
  kind text not null check (kind in ('drive', 'site')),
  files bigint not null,
  bytes bigint not null,
  versions bigint not null,
  version_bytes bigint not null,
  deleted bigint not null,
  duplicates bigint not null,
  exposed bigint not null,
  primary key (organisation_id, realm, scan_id, resource_id),
  foreign key (organisation_id, realm, scan_id) references compliance_scans (organisation_id, realm, scan_id) on delete cascade
);
call holdfast.isolate('compliance_scan_sites');

create table compliance_files (
  organisation_id uuid not null,
  realm text not null,
  source_id uuid not null,
  item_key text collate "C" not null,
  name text not null,
  size_bytes bigint not null,
  modified_at timestamptz,
  author text,
  owner_id text,
  -- SHA-256 of the content; null for an empty file.
  content bytea,
  -- Equal for files that the same people can open.
  access text not null,
  versions integer not null default 0,
  version_bytes bigint not null default 0,
  -- Deleted in Microsoft 365, and still kept.
  is_deleted boolean not null,
  primary key (organisation_id, realm, source_id, item_key),
  foreign key (organisation_id, realm, source_id) references compliance_sources (organisation_id, realm, source_id) on delete cascade
);
create index compliance_files_content on compliance_files (organisation_id, realm, content) where not is_deleted and content is not null;
create index compliance_files_modified on compliance_files (organisation_id, realm, source_id, modified_at) where not is_deleted;
call holdfast.isolate('compliance_files');

-- Earlier versions of a file in Microsoft 365, counted from the newest: the first is the one before the current.
create table compliance_versions (
  organisation_id uuid not null,
  realm text not null,
  source_id uuid not null,
  item_key text collate "C" not null,
  place integer not null,
  label text not null,
  size_bytes bigint not null,
  modified_at timestamptz,
  is_kept boolean not null,
  primary key (organisation_id, realm, source_id, item_key, place),
  foreign key (organisation_id, realm, source_id, item_key)
    references compliance_files (organisation_id, realm, source_id, item_key) on delete cascade
);
call holdfast.isolate('compliance_versions');

-- Links and invitations that let more people open a file or folder than those of its site.
create table compliance_shares (
  organisation_id uuid not null,
  realm text not null,
  source_id uuid not null,
  item_key text collate "C" not null,
  permission_id text not null,
  audience text not null check (audience in ('anyone', 'guest', 'organisation')),
  kind text not null,
  name text not null,
  role text not null,
  who text not null,
  expires_at timestamptz,
  primary key (organisation_id, realm, source_id, item_key, permission_id, audience),
  foreign key (organisation_id, realm, source_id) references compliance_sources (organisation_id, realm, source_id) on delete cascade
);
call holdfast.isolate('compliance_shares');
