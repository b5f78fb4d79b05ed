-- Legal holds: what nobody deletes. Rows are never deleted by the application: a released hold stays as a record.

create table holds (
  organisation_id uuid not null,
  realm text not null,
  hold_id uuid not null,
  tenant_id uuid not null,
  -- Null: everything of the tenant.
  resource_id uuid,
  name text not null,
  reason text not null,
  from_at timestamptz,
  to_at timestamptz,
  placed_by uuid not null,
  placer text not null,
  placed_at timestamptz not null,
  release_reason text,
  -- Set while its release waits for a second person.
  release_asked_at timestamptz,
  released_at timestamptz,
  primary key (organisation_id, realm, hold_id),
  foreign key (organisation_id, realm, tenant_id) references tenants (organisation_id, realm, tenant_id) on delete cascade,
  foreign key (organisation_id, realm, resource_id) references resources (organisation_id, realm, resource_id),
  check (resource_id is not null or from_at is not null or to_at is not null),
  check (from_at <= to_at)
);
create index holds_tenant on holds (organisation_id, realm, tenant_id);
create index holds_resource on holds (organisation_id, realm, resource_id);
call holdfast.isolate('holds', 'select, insert, update');
