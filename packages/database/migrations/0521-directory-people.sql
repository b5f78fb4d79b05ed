-- What the directory of a tenant says of people: where they work, for policies whose scope goes by it, and that somebody has left.

create table directory_reads (
  organisation_id uuid not null,
  realm text not null,
  tenant_id uuid not null,
  -- Since somebody asked for it; null when nobody does.
  asked_at timestamptz,
  tried_at timestamptz,
  -- The last time that everything was read, and what went wrong since.
  read_at timestamptz,
  code text,
  primary key (organisation_id, realm, tenant_id),
  foreign key (organisation_id, realm, tenant_id) references tenants (organisation_id, realm, tenant_id) on delete cascade
);
call holdfast.isolate('directory_reads');

create table directory_people (
  organisation_id uuid not null,
  realm text not null,
  tenant_id uuid not null,
  graph_id text not null,
  address text not null,
  -- Department, office, country, company and extension attributes that have a value; null of somebody who had left before the first look.
  attributes jsonb,
  is_enabled boolean not null,
  seen_at timestamptz,
  -- The last time that the account was seen open, and the first one since that it was seen closed: the directory names no day for that.
  enabled_at timestamptz,
  disabled_at timestamptz,
  -- The first time that the directory did not have it any longer, and when it was deleted as the directory itself says.
  missing_at timestamptz,
  deleted_at timestamptz,
  -- When its event was recorded.
  settled_at timestamptz,
  primary key (organisation_id, realm, tenant_id, graph_id),
  foreign key (organisation_id, realm, tenant_id) references tenants (organisation_id, realm, tenant_id) on delete cascade
);
create index directory_people_left on directory_people (organisation_id, realm, tenant_id) where missing_at is not null or disabled_at is not null;
call holdfast.isolate('directory_people');

-- Rules about the directory: an archive is in the scope whose person fits each of them. Empty for a scope of another kind.
alter table retention_policies
  add column attributes jsonb not null default '[]',
  add check (attributes = '[]' or (about = 'messages' and not is_everything));

-- Archives that a policy by attributes has ever been on while it was in force: its minimum stays on them whatever the directory says later.
create table retention_policy_people (
  organisation_id uuid not null,
  realm text not null,
  policy_id uuid not null,
  resource_id uuid not null,
  since timestamptz not null,
  primary key (organisation_id, realm, policy_id, resource_id),
  foreign key (organisation_id, realm, policy_id) references retention_policies (organisation_id, realm, policy_id) on delete cascade,
  foreign key (organisation_id, realm, resource_id) references resources (organisation_id, realm, resource_id) on delete cascade
);
create index retention_policy_people_resource on retention_policy_people (organisation_id, realm, resource_id);
call holdfast.isolate('retention_policy_people', 'select, insert');

-- Nobody has recorded what the directory has told.
alter table retention_events alter column recorded_by drop not null;
alter table retention_events alter column recorder drop not null;
alter table retention_events add check ((recorded_by is null) = (recorder is null));
