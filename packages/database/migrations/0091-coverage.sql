-- What is not protected although its resource is, and who has nothing that could be.

-- Why the selection of a job leaves a folder out; null when it does not.
alter table catalog_items add column not_protected text;
alter table catalog_items no force row level security;
update catalog_items set not_protected = substring(detail::text from '"notProtected":"([A-Za-z]+)"')
where is_container and detail::text like '%"notProtected":"%';
alter table catalog_items force row level security;
create index catalog_items_not_protected on catalog_items (organisation_id, realm, source_id, item_key)
  where not_protected is not null and to_point = 9007199254740991;

-- Folders that are left out and items that can't be read for a lasting reason, as the last segment has them.
create table coverage_gaps (
  organisation_id uuid not null,
  realm text not null,
  gap_number bigint generated always as identity,
  source_id uuid not null,
  path text not null,
  kind text not null,
  code text not null,
  primary key (organisation_id, realm, gap_number),
  foreign key (organisation_id, realm, source_id) references catalog_sources (organisation_id, realm, source_id) on delete cascade
);
create index coverage_gaps_source on coverage_gaps (organisation_id, realm, source_id);
call holdfast.isolate('coverage_gaps');
-- The segment of which the gaps were last told.
alter table catalog_sources add column covered_sequence bigint;

-- People whom a job covers and who have nothing to back up: no OneDrive, no licence.
create table people_not_covered (
  organisation_id uuid not null,
  realm text not null,
  tenant_id uuid not null,
  workload text not null,
  graph_id text not null,
  name text not null,
  address text not null,
  state text not null check (state in ('unprotected', 'excluded')),
  code text not null,
  since timestamptz not null,
  primary key (organisation_id, realm, tenant_id, workload, graph_id),
  foreign key (organisation_id, realm, tenant_id) references tenants (organisation_id, realm, tenant_id) on delete cascade
);
call holdfast.isolate('people_not_covered');
