-- Reports of a month or another period: what they said when they were made. Nothing of them is computed again.

alter table organisations add column report_language text not null default 'en' check (report_language in ('en', 'de'));
alter table organisations add column mail_reports boolean not null default true;

create table period_reports (
  organisation_id uuid not null,
  realm text not null,
  report_id uuid not null,
  tenant_id uuid not null,
  number bigint not null,
  kind text not null check (kind in ('monthly', 'onDemand')),
  from_at timestamptz not null,
  to_at timestamptz not null,
  made_at timestamptz not null,
  -- Who asked for it; null for those of a month.
  maker text,
  language text not null,
  figures jsonb not null,
  -- The PDF file; null until it is stored.
  document_id uuid,
  mailed_at timestamptz,
  primary key (organisation_id, realm, report_id),
  foreign key (organisation_id, realm, tenant_id) references tenants (organisation_id, realm, tenant_id) on delete cascade,
  check (from_at < to_at)
);
create unique index period_reports_number on period_reports (organisation_id, realm, tenant_id, number);
create unique index period_reports_month on period_reports (organisation_id, realm, tenant_id, from_at) where kind = 'monthly';
call holdfast.isolate('period_reports', 'select, insert');
-- A report that is made stays as it is: only where its file is and when it was mailed may be noted.
grant update (document_id, mailed_at) on period_reports to holdfast_application;

-- The accounts of a report, as they were when it was made.
create table period_report_accounts (
  organisation_id uuid not null,
  realm text not null,
  report_id uuid not null,
  resource_id uuid not null,
  name text not null,
  address text not null,
  kind text not null,
  status text not null,
  processed bigint not null,
  items bigint not null,
  bytes bigint not null,
  errors bigint not null,
  code text,
  started_at timestamptz,
  ended_at timestamptz,
  primary key (organisation_id, realm, report_id, resource_id),
  foreign key (organisation_id, realm, report_id) references period_reports (organisation_id, realm, report_id) on delete cascade
);
call holdfast.isolate('period_report_accounts', 'select, insert');
