-- Jobs, their occurrences, and runs with everything that monitoring and reports show of them.

create table jobs (
  organisation_id uuid not null,
  realm text not null,
  job_id uuid not null,
  tenant_id uuid not null,
  name text not null,
  type text not null check (type in ('backup', 'archive', 'restore', 'deletion', 'verify', 'drill')),
  workload text not null check (workload in ('exchange', 'onedrive', 'sharepoint', 'teams')),
  location_id uuid not null,
  -- The body as the contract has it: source, retention, restore settings.
  body jsonb not null,
  schedule jsonb not null,
  next_run_at timestamptz,
  creator text not null,
  created_by uuid,
  created_at timestamptz not null,
  -- From when an interval is counted; moves with each change of the schedule.
  anchored_at timestamptz not null,
  version integer not null default 1,
  primary key (organisation_id, realm, job_id),
  foreign key (organisation_id, realm, tenant_id) references tenants (organisation_id, realm, tenant_id),
  foreign key (organisation_id, realm, location_id) references locations (organisation_id, realm, location_id)
);
create unique index jobs_name on jobs (organisation_id, realm, tenant_id, lower(name));
create index jobs_location on jobs (organisation_id, realm, location_id);
create index jobs_due on jobs (next_run_at) where next_run_at is not null;
call holdfast.isolate('jobs');
call holdfast.publish('jobs', array['organisation_id', 'realm', 'job_id', 'next_run_at']);

create table runs (
  organisation_id uuid not null,
  realm text not null,
  run_id uuid not null,
  tenant_id uuid not null,
  number bigint not null,
  job_id uuid,
  job_name text not null,
  type text not null,
  workload text not null,
  location_id uuid,
  body jsonb not null,
  status text not null check (status in ('pending', 'running', 'cancelling', 'successful', 'defective', 'failed', 'cancelled', 'skipped')),
  trigger text not null check (trigger in ('schedule', 'manual', 'creation', 'catchUp')),
  started_by text,
  stage text not null default 'queued',
  progress double precision not null default 0,
  processed bigint not null default 0,
  total bigint,
  bytes bigint not null default 0,
  items_per_second double precision not null default 0,
  bytes_per_second double precision not null default 0,
  errors bigint not null default 0,
  excluded bigint not null default 0,
  accounts integer not null default 0,
  added bigint not null default 0,
  changed bigint not null default 0,
  removed bigint not null default 0,
  unchanged bigint not null default 0,
  gone bigint not null default 0,
  new_bytes bigint not null default 0,
  stored_bytes bigint not null default 0,
  queued_at timestamptz not null,
  started_at timestamptz,
  ended_at timestamptz,
  due_at timestamptz,
  code text,
  worker text,
  -- Grows each time a worker takes the run; what an older one writes is refused.
  fence bigint not null default 0,
  cancel_requested_at timestamptz,
  stages jsonb not null default '[]',
  -- What verify and drill found; name and size of a download.
  result jsonb,
  primary key (organisation_id, realm, run_id),
  foreign key (organisation_id, realm, tenant_id) references tenants (organisation_id, realm, tenant_id) on delete cascade,
  foreign key (organisation_id, realm, job_id) references jobs (organisation_id, realm, job_id) on delete set null (job_id)
);
create unique index runs_number on runs (organisation_id, realm, tenant_id, number);
create index runs_queued on runs (organisation_id, realm, tenant_id, queued_at desc);
create index runs_job on runs (organisation_id, realm, job_id, queued_at desc);
-- One run of a job at a time, whoever asks.
create unique index runs_active on runs (organisation_id, realm, job_id) where status in ('pending', 'running', 'cancelling');
call holdfast.isolate('runs');

create table run_accounts (
  organisation_id uuid not null,
  realm text not null,
  run_id uuid not null,
  resource_id uuid not null,
  status text not null check (status in ('pending', 'running', 'successful', 'defective', 'failed', 'excluded', 'cancelled')),
  stage text not null default '',
  processed bigint not null default 0,
  total bigint,
  items bigint not null default 0,
  bytes bigint not null default 0,
  errors bigint not null default 0,
  code text,
  sequence bigint,
  started_at timestamptz,
  ended_at timestamptz,
  primary key (organisation_id, realm, run_id, resource_id),
  foreign key (organisation_id, realm, run_id) references runs (organisation_id, realm, run_id) on delete cascade,
  foreign key (organisation_id, realm, resource_id) references resources (organisation_id, realm, resource_id)
);
create index run_accounts_resource on run_accounts (organisation_id, realm, resource_id);
call holdfast.isolate('run_accounts');

create table run_problems (
  organisation_id uuid not null,
  realm text not null,
  run_id uuid not null,
  -- One row for an item and code of a run: a run that is taken up again tells of it anew.
  problem_key text not null,
  resource_id uuid not null,
  item_key text,
  kind text,
  path text not null,
  outcome text not null check (outcome in ('recorded', 'excluded', 'gone')),
  code text not null,
  tried text[] not null default '{}',
  advice text not null,
  request_id text,
  primary key (organisation_id, realm, run_id, problem_key),
  foreign key (organisation_id, realm, run_id) references runs (organisation_id, realm, run_id) on delete cascade,
  foreign key (organisation_id, realm, resource_id) references resources (organisation_id, realm, resource_id)
);
create index run_problems_resource on run_problems (organisation_id, realm, resource_id);
call holdfast.isolate('run_problems');

-- The report of a restore or drill, item by item.
create table run_lines (
  organisation_id uuid not null,
  realm text not null,
  run_id uuid not null,
  line_number bigint not null,
  item_key text not null,
  kind text not null,
  path text not null,
  outcome text not null,
  code text,
  target_id text,
  differences text[] not null default '{}',
  primary key (organisation_id, realm, run_id, line_number),
  foreign key (organisation_id, realm, run_id) references runs (organisation_id, realm, run_id) on delete cascade
);
call holdfast.isolate('run_lines');

-- An occurrence is told by its local time and zone, so that nothing doubles it.
create table job_occurrences (
  organisation_id uuid not null,
  realm text not null,
  job_id uuid not null,
  occurrence text not null,
  due_at timestamptz not null,
  outcome text not null check (outcome in ('run', 'skipped', 'missed')),
  run_id uuid,
  primary key (organisation_id, realm, job_id, occurrence),
  foreign key (organisation_id, realm, job_id) references jobs (organisation_id, realm, job_id) on delete cascade
);
call holdfast.isolate('job_occurrences');

-- Who may commit to a resource in a location, with a number that only grows.
create table resource_leases (
  organisation_id uuid not null,
  realm text not null,
  location_id uuid not null,
  resource_id uuid not null,
  fence bigint not null,
  holder uuid,
  run_id uuid,
  expires_at timestamptz,
  primary key (organisation_id, realm, location_id, resource_id),
  foreign key (organisation_id, realm, location_id) references locations (organisation_id, realm, location_id) on delete cascade
);
call holdfast.isolate('resource_leases');

-- Which packs of a location have been read back intact, and when: what a budgeted verification goes on from.
create table vault_verifications (
  organisation_id uuid not null,
  realm text not null,
  location_id uuid not null,
  progress json not null,
  primary key (organisation_id, realm, location_id),
  foreign key (organisation_id, realm, location_id) references locations (organisation_id, realm, location_id) on delete cascade
);
call holdfast.isolate('vault_verifications');
