-- App registrations that are prepared here. The private key is sealed; it becomes a tenant's credential when one is
-- connected with it, and goes with the row otherwise.

create table app_setups (
  organisation_id uuid not null,
  realm text not null,
  setup_id uuid not null,
  app_name text not null,
  workloads text[] not null,
  restores boolean not null,
  credential text not null check (credential in ('certificate', 'secret')),
  certificate text,
  sealed_key bytea,
  created_at timestamptz not null,
  primary key (organisation_id, realm, setup_id),
  check ((credential = 'certificate') = (certificate is not null and sealed_key is not null))
);
create index app_setups_created on app_setups (organisation_id, realm, created_at);
call holdfast.isolate('app_setups');
