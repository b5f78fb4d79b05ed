-- The procedure documentation of a tenant, in versions. What a version says is kept and never computed again.

create table procedure_versions (
  organisation_id uuid not null,
  realm text not null,
  tenant_id uuid not null,
  number integer not null,
  made_at timestamptz not null,
  maker text not null,
  content jsonb not null,
  -- SHA-256 of the content; the audit log has it as well.
  hash text not null,
  reminded_at timestamptz,
  primary key (organisation_id, realm, tenant_id, number),
  foreign key (organisation_id, realm, tenant_id) references tenants (organisation_id, realm, tenant_id) on delete cascade
);
call holdfast.isolate('procedure_versions', 'select, insert');
-- A version stays as it is: only that somebody was reminded of its age may be noted.
grant update (reminded_at) on procedure_versions to holdfast_application;

-- What an organisation adds in its own words.
create table procedure_sections (
  organisation_id uuid not null,
  realm text not null,
  tenant_id uuid not null,
  sections jsonb not null,
  primary key (organisation_id, realm, tenant_id),
  foreign key (organisation_id, realm, tenant_id) references tenants (organisation_id, realm, tenant_id) on delete cascade
);
call holdfast.isolate('procedure_sections', 'select, insert, update');
