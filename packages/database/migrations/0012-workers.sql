-- Workers as an organisation sees them. The address is an identifier and is never dialled.

create table workers (
  organisation_id uuid not null,
  realm text not null,
  worker_id uuid not null,
  name text not null,
  ip text not null,
  index_ip text not null,
  version text not null default '',
  load double precision not null default 0,
  running_runs integer not null default 0,
  last_seen_at timestamptz,
  heartbeat_hash bytea,
  is_local boolean not null default false,
  created_at timestamptz not null,
  primary key (organisation_id, realm, worker_id),
  unique (organisation_id, realm, ip),
  foreign key (organisation_id, realm) references organisations (organisation_id, realm) on delete cascade
);
call holdfast.isolate('workers');
call holdfast.publish('workers', array['organisation_id', 'realm', 'worker_id', 'last_seen_at']);

create table worker_join_tokens (
  organisation_id uuid not null,
  realm text not null,
  token_hash bytea not null,
  expires_at timestamptz not null,
  primary key (organisation_id, realm, token_hash),
  foreign key (organisation_id, realm) references organisations (organisation_id, realm) on delete cascade
);
call holdfast.isolate('worker_join_tokens');

-- One row an hour: how often a worker answered in time and how often it did not.
create table worker_checks (
  organisation_id uuid not null,
  realm text not null,
  worker_id uuid not null,
  hour_at timestamptz not null,
  reachable integer not null default 0,
  missed integer not null default 0,
  load double precision not null default 0,
  primary key (organisation_id, realm, worker_id, hour_at),
  foreign key (organisation_id, realm, worker_id) references workers (organisation_id, realm, worker_id) on delete cascade
);
call holdfast.isolate('worker_checks');
