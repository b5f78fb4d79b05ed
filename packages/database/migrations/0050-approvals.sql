-- Four eyes: what needs a second entitled person, or a day's delay where there is none.

create table approvals (
  organisation_id uuid not null,
  realm text not null,
  approval_id uuid not null,
  tenant_id uuid not null,
  kind text not null,
  subject_id uuid not null,
  subject_name text not null,
  details jsonb not null,
  status text not null default 'waiting' check (status in ('waiting', 'delayed', 'approved', 'refused', 'withdrawn', 'superseded')),
  requested_by uuid not null,
  requester text not null,
  requested_at timestamptz not null,
  -- Set while it is `delayed`, and only then.
  effective_at timestamptz,
  decider text,
  decided_at timestamptz,
  mode text check (mode in ('secondPerson', 'delay')),
  primary key (organisation_id, realm, approval_id),
  foreign key (organisation_id, realm, tenant_id) references tenants (organisation_id, realm, tenant_id) on delete cascade
);
create unique index approvals_open on approvals (organisation_id, realm, kind, subject_id) where status in ('waiting', 'delayed');
create index approvals_tenant on approvals (organisation_id, realm, tenant_id, requested_at);
create index approvals_due on approvals (effective_at) where effective_at is not null;
call holdfast.isolate('approvals', 'select, insert, update');
call holdfast.publish('approvals', array['organisation_id', 'realm', 'approval_id', 'effective_at']);

-- Deletion jobs run only once they are approved. Those from before this rule go on.
alter table jobs add column approval text not null default 'notNeeded' check (approval in ('notNeeded', 'waiting', 'approved', 'refused'));
