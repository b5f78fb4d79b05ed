-- Retention policies of the archive: how long messages are kept at least, and the events that start periods. A policy in
-- force is never changed: another one replaces it, or it ends. Rows that were in force stay as a record.

create table retention_policies (
  organisation_id uuid not null,
  realm text not null,
  policy_id uuid not null,
  tenant_id uuid not null,
  name text not null,
  anchor text not null check (anchor in ('archived', 'received', 'event')),
  -- The kind of event that starts the period, for that anchor.
  event_kind text,
  amount integer not null check (amount between 1 and 36500),
  unit text not null check (unit in ('days', 'months', 'years')),
  starts text not null check (starts in ('day', 'calendarYear', 'fiscalYear')),
  fiscal_year_end smallint not null check (fiscal_year_end between 1 and 12),
  -- Everything that is archived now or later; else the mailboxes that are named.
  is_everything boolean not null,
  -- The policy that ends when this one comes into force.
  replaces uuid,
  created_by uuid not null,
  creator text not null,
  created_at timestamptz not null,
  -- What the last preview of these terms found; null since they were changed.
  previewed_at timestamptz,
  preview json,
  -- Set while its activation waits for a second person.
  asked_at timestamptz,
  activated_at timestamptz,
  -- Set while its end waits for a second person.
  end_asked_at timestamptz,
  end_reason text,
  ended_at timestamptz,
  primary key (organisation_id, realm, policy_id),
  foreign key (organisation_id, realm, tenant_id) references tenants (organisation_id, realm, tenant_id) on delete cascade,
  foreign key (organisation_id, realm, replaces) references retention_policies (organisation_id, realm, policy_id),
  check ((anchor = 'event') = (event_kind is not null)),
  check (ended_at is null or activated_at is not null)
);
create index retention_policies_tenant on retention_policies (organisation_id, realm, tenant_id);
call holdfast.isolate('retention_policies');

create table retention_policy_mailboxes (
  organisation_id uuid not null,
  realm text not null,
  policy_id uuid not null,
  resource_id uuid not null,
  primary key (organisation_id, realm, policy_id, resource_id),
  foreign key (organisation_id, realm, policy_id) references retention_policies (organisation_id, realm, policy_id) on delete cascade,
  foreign key (organisation_id, realm, resource_id) references resources (organisation_id, realm, resource_id)
);
create index retention_policy_mailboxes_resource on retention_policy_mailboxes (organisation_id, realm, resource_id);
call holdfast.isolate('retention_policy_mailboxes');

-- What starts periods. A record: nobody changes or removes one, a later one of the same kind counts instead.
create table retention_events (
  organisation_id uuid not null,
  realm text not null,
  event_id uuid not null,
  tenant_id uuid not null,
  kind text not null check (kind in ('leftCompany', 'contractEnded', 'caseClosed')),
  resource_id uuid not null,
  description text not null,
  happened_on date not null,
  recorded_by uuid not null,
  recorder text not null,
  recorded_at timestamptz not null,
  primary key (organisation_id, realm, event_id),
  foreign key (organisation_id, realm, tenant_id) references tenants (organisation_id, realm, tenant_id) on delete cascade,
  foreign key (organisation_id, realm, resource_id) references resources (organisation_id, realm, resource_id)
);
create index retention_events_resource on retention_events (organisation_id, realm, resource_id, kind, happened_on);
create index retention_events_tenant on retention_events (organisation_id, realm, tenant_id, recorded_at);
call holdfast.isolate('retention_events', 'select, insert');
