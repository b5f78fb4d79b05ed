-- Microsoft 365 tenants, what runs on them, where their data lies and what is configured for them.

create table tenants (
  organisation_id uuid not null,
  realm text not null,
  tenant_id uuid not null,
  name text not null,
  display_name text not null default '',
  status text not null check (status in ('connected', 'provisioning', 'provisioned', 'deprovisioning', 'failed')),
  active boolean not null default false,
  client_id text not null,
  microsoft_tenant_id text not null,
  object_id text not null default '',
  app_id text not null default '',
  redirect_uri text not null default '',
  credential text not null check (credential in ('secret', 'certificate')),
  sealed_secret bytea,
  sealed_certificate bytea,
  thumbprint text,
  credential_expires_at timestamptz,
  last_checked_at timestamptz,
  last_error text,
  version integer not null default 1,
  created_at timestamptz not null,
  primary key (organisation_id, realm, tenant_id),
  foreign key (organisation_id, realm) references organisations (organisation_id, realm) on delete cascade
);
create unique index tenants_name on tenants (organisation_id, realm, lower(name));
create unique index tenants_microsoft on tenants (organisation_id, realm, lower(microsoft_tenant_id));
create unique index tenants_active on tenants (organisation_id, realm) where active;
call holdfast.isolate('tenants');
call holdfast.publish('tenants', array['organisation_id', 'realm', 'tenant_id']);

create table tenant_tasks (
  organisation_id uuid not null,
  realm text not null,
  task_id uuid not null,
  tenant_id uuid not null,
  kind text not null check (kind in ('provision', 'deprovision', 'synchronise')),
  status text not null check (status in ('pending', 'running', 'finished', 'failed', 'cancelled')),
  stage text not null,
  progress integer not null default 0,
  processed integer not null default 0,
  errors integer not null default 0,
  started_at timestamptz,
  ended_at timestamptz,
  message text,
  created_at timestamptz not null,
  primary key (organisation_id, realm, task_id),
  foreign key (organisation_id, realm, tenant_id) references tenants (organisation_id, realm, tenant_id) on delete cascade
);
create index tenant_tasks_tenant on tenant_tasks (organisation_id, realm, tenant_id, created_at);
create unique index tenant_tasks_running on tenant_tasks (organisation_id, realm, tenant_id) where status in ('pending', 'running');
call holdfast.isolate('tenant_tasks');

create table locations (
  organisation_id uuid not null,
  realm text not null,
  location_id uuid not null,
  tenant_id uuid not null,
  name text not null,
  kind text not null check (kind in ('filesystem', 's3')),
  use text not null check (use in ('backup', 'archive', 'both')),
  target jsonb not null,
  sealed_keys bytea,
  immutability jsonb not null,
  retain_days integer not null default 0,
  last_test jsonb,
  version integer not null default 1,
  created_at timestamptz not null,
  primary key (organisation_id, realm, location_id),
  foreign key (organisation_id, realm, tenant_id) references tenants (organisation_id, realm, tenant_id)
);
create unique index locations_name on locations (organisation_id, realm, tenant_id, lower(name));
call holdfast.isolate('locations');
call holdfast.publish('locations', array['organisation_id', 'realm', 'location_id', 'tenant_id']);

create table backup_configurations (
  organisation_id uuid not null,
  realm text not null,
  tenant_id uuid not null,
  settings jsonb not null,
  users integer not null default 0,
  groups integer not null default 0,
  users_synchronised_at timestamptz,
  connection jsonb,
  version integer not null default 1,
  primary key (organisation_id, realm, tenant_id),
  foreign key (organisation_id, realm, tenant_id) references tenants (organisation_id, realm, tenant_id) on delete cascade
);
call holdfast.isolate('backup_configurations');
