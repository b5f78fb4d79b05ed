-- eDiscovery cases: who works on them, whose data they are about, what is searched for, and what they hold.

create table cases (
  organisation_id uuid not null,
  realm text not null,
  case_id uuid not null,
  tenant_id uuid not null,
  matter text not null,
  reference text not null,
  -- The period that limits every query of the case.
  from_at timestamptz,
  to_at timestamptz,
  created_by uuid not null,
  creator text not null,
  created_at timestamptz not null,
  closed_at timestamptz,
  primary key (organisation_id, realm, case_id),
  foreign key (organisation_id, realm, tenant_id) references tenants (organisation_id, realm, tenant_id) on delete cascade,
  check (from_at <= to_at)
);
create index cases_tenant on cases (organisation_id, realm, tenant_id);
call holdfast.isolate('cases', 'select, insert, update');

create table case_members (
  organisation_id uuid not null,
  realm text not null,
  case_id uuid not null,
  account_id uuid not null,
  added_at timestamptz not null,
  primary key (organisation_id, realm, case_id, account_id),
  foreign key (organisation_id, realm, case_id) references cases (organisation_id, realm, case_id) on delete cascade
);
call holdfast.isolate('case_members');

-- People by their id in Microsoft 365, or by their address where the backups know no id. Their resources are looked up each time.
create table case_custodians (
  organisation_id uuid not null,
  realm text not null,
  case_id uuid not null,
  custodian_id uuid not null,
  person_key text not null,
  name text not null,
  address text not null,
  added_at timestamptz not null,
  primary key (organisation_id, realm, custodian_id),
  unique (organisation_id, realm, case_id, person_key),
  foreign key (organisation_id, realm, case_id) references cases (organisation_id, realm, case_id) on delete cascade
);
call holdfast.isolate('case_custodians');

create table case_queries (
  organisation_id uuid not null,
  realm text not null,
  case_id uuid not null,
  query_id uuid not null,
  name text not null,
  query text not null,
  creator text not null,
  created_at timestamptz not null,
  -- Figures of the last count; null when the query or what it searches has changed since.
  hits bigint,
  bytes bigint,
  counted_at timestamptz,
  primary key (organisation_id, realm, query_id),
  foreign key (organisation_id, realm, case_id) references cases (organisation_id, realm, case_id) on delete cascade
);
create unique index case_queries_name on case_queries (organisation_id, realm, case_id, lower(name));
call holdfast.isolate('case_queries');

alter table holds add column case_id uuid;
alter table holds add foreign key (organisation_id, realm, case_id) references cases (organisation_id, realm, case_id);
create index holds_case on holds (organisation_id, realm, case_id) where case_id is not null;

-- The log of a case is what the audit log says of it and of its holds.
create index audit_events_subject on audit_events (organisation_id, realm, subject_id, sequence) where subject_id is not null;
