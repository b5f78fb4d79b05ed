-- Journaling: receivers take in journal reports by SMTP. What a receiver takes in is a resource of its own in the vault of a
-- location; from there the messages are placed in the archives of their owners.

alter table resources drop constraint resources_workload_check;
alter table resources add constraint resources_workload_check
  check (workload in ('exchange', 'onedrive', 'sharepoint', 'teams', 'archive', 'journal'));
alter table resources drop constraint resources_kind_check;
alter table resources add constraint resources_kind_check check (kind in ('mailbox', 'drive', 'site', 'team', 'chat', 'archive', 'journal'));
alter table resources add constraint resources_journal_check check ((kind = 'journal') = (workload = 'journal'));

create table receivers (
  organisation_id uuid not null,
  realm text not null,
  receiver_id uuid not null,
  tenant_id uuid not null,
  location_id uuid not null,
  -- What it takes in, as a resource of the location.
  resource_id uuid not null,
  name text not null,
  is_enabled boolean not null,
  -- The local part of its address: whoever knows it can send to it.
  sealed_address bytea not null,
  -- Networks that clients may come from; every network where empty.
  networks text[] not null,
  max_bytes bigint not null check (max_bytes > 0),
  -- Alarm after so many minutes of business without a mail; 0: never.
  silence_minutes integer not null check (silence_minutes >= 0),
  business_days integer[] not null,
  business_from text not null,
  business_to text not null,
  created_at timestamptz not null,
  creator text not null,
  last_received_at timestamptz,
  -- Silence counts from here: a receiver that was paused or changed starts again.
  watched_since timestamptz not null,
  -- Since when the alarm of silence is on.
  silent_since timestamptz,
  last_failed_at timestamptz,
  last_failure text,
  -- Up to where owners were looked for, in the order of the segments, and what came of it.
  resolved_sequence bigint not null default 0,
  resolved_key text collate "C" not null default '',
  resolved bigint not null default 0,
  placed bigint not null default 0,
  broken bigint not null default 0,
  exempt bigint not null default 0,
  -- The worker that listens for it.
  listening_at timestamptz,
  listening_host text,
  listening_port integer,
  certificate_ends_at timestamptz,
  certificate_sha256 text,
  certificate text,
  primary key (organisation_id, realm, receiver_id),
  foreign key (organisation_id, realm, tenant_id) references tenants (organisation_id, realm, tenant_id) on delete cascade,
  foreign key (organisation_id, realm, location_id) references locations (organisation_id, realm, location_id) on delete cascade
);
create index receivers_tenant on receivers (organisation_id, realm, tenant_id);
create index receivers_location on receivers (organisation_id, realm, location_id);
call holdfast.isolate('receivers');

-- Every address that a person of the directory has had: an address that is given to somebody else changes hands from then on.
create table receiver_addresses (
  organisation_id uuid not null,
  realm text not null,
  tenant_id uuid not null,
  address text collate "C" not null,
  graph_id text not null,
  name text not null,
  mailbox_address text not null,
  -- A member of a group that archive jobs exempt.
  is_exempt boolean not null default false,
  -- Somebody said so by hand; the directory overrules it.
  is_manual boolean not null default false,
  seen_at timestamptz not null,
  primary key (organisation_id, realm, tenant_id, address),
  foreign key (organisation_id, realm, tenant_id) references tenants (organisation_id, realm, tenant_id) on delete cascade
);
call holdfast.isolate('receiver_addresses');

-- Mails whose owners are known and whose archives do not have them yet.
create table receiver_pending (
  organisation_id uuid not null,
  realm text not null,
  receiver_id uuid not null,
  graph_id text not null,
  report_key text collate "C" not null,
  -- The addresses that made somebody an owner.
  addresses text[] not null,
  primary key (organisation_id, realm, receiver_id, graph_id, report_key),
  foreign key (organisation_id, realm, receiver_id) references receivers (organisation_id, realm, receiver_id) on delete cascade
);
call holdfast.isolate('receiver_pending');

-- Mails that nobody owns until somebody assigns them.
create table receiver_unassigned (
  organisation_id uuid not null,
  realm text not null,
  receiver_id uuid not null,
  report_key text collate "C" not null,
  -- Null: nobody of the directory is in the envelope. Otherwise why the report is broken.
  broken text,
  addresses text[] not null,
  arrived_at timestamptz not null,
  size_bytes bigint not null,
  primary key (organisation_id, realm, receiver_id, report_key),
  foreign key (organisation_id, realm, receiver_id) references receivers (organisation_id, realm, receiver_id) on delete cascade
);
call holdfast.isolate('receiver_unassigned');

create index catalog_items_journal on catalog_items (organisation_id, realm, source_id, from_point, item_key) where kind = 'journalReport';
