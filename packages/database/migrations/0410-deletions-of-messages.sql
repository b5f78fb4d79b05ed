-- Deletion of archived messages: a list that does not change, decided by two people, and what is left of each message that
-- was erased. A tombstone says that there was a message and who wanted it gone; it names neither its subject nor an address.

create table message_deletions (
  organisation_id uuid not null,
  realm text not null,
  deletion_id uuid not null,
  tenant_id uuid not null,
  -- A deletion whose run has ended without success counts as failed.
  state text not null check (state in ('draft', 'waiting', 'approved', 'rejected', 'running', 'finished')),
  basis text not null check (basis in ('erasure', 'expiry', 'mistake')),
  reason text not null,
  -- What was searched for, as it was read.
  query text not null,
  -- Chosen items that are not in the archive.
  not_archived bigint not null,
  requester_id uuid not null,
  requester text not null,
  created_at timestamptz not null,
  previewed_at timestamptz not null,
  asked_at timestamptz,
  approver text,
  decided_at timestamptz,
  rejection text,
  -- The end of its quarantine.
  due_at timestamptz,
  -- Why it is a draft again.
  returned text check (returned in ('withdrawn', 'expired', 'listChanged', 'stopped')),
  returned_by text,
  run_id uuid,
  started_at timestamptz,
  ended_at timestamptz,
  -- Copies of what was erased that remain, as they were counted last.
  remains jsonb,
  -- When what the vaults still store of it is looked at again; null when nothing is left, or it has not run.
  sweep_at timestamptz,
  swept_at timestamptz,
  primary key (organisation_id, realm, deletion_id),
  foreign key (organisation_id, realm, tenant_id) references tenants (organisation_id, realm, tenant_id) on delete cascade
);
create index message_deletions_tenant on message_deletions (organisation_id, realm, tenant_id, created_at);
create index message_deletions_due on message_deletions (due_at) where state = 'approved';
create index message_deletions_sweep on message_deletions (sweep_at) where sweep_at is not null;
call holdfast.isolate('message_deletions');
call holdfast.publish('message_deletions', array['organisation_id', 'realm', 'deletion_id', 'state', 'due_at', 'sweep_at']);

create table message_deletion_items (
  organisation_id uuid not null,
  realm text not null,
  deletion_id uuid not null,
  resource_id uuid not null,
  location_id uuid not null,
  item_key text collate "C" not null,
  -- The version that was previewed: another one means that the list has changed.
  from_point bigint not null,
  size_bytes bigint not null,
  -- A receiver took it in: its journal has it as well.
  is_journaled boolean not null,
  state text not null default 'listed' check (state in ('listed', 'kept', 'erased', 'gone')),
  -- The holds and minimums that keep it: `[{"kind", "name", "until"}]`.
  kept_by jsonb not null default '[]',
  primary key (organisation_id, realm, deletion_id, resource_id, location_id, item_key),
  foreign key (organisation_id, realm, deletion_id) references message_deletions (organisation_id, realm, deletion_id) on delete cascade
);
call holdfast.isolate('message_deletion_items');

create table tombstones (
  organisation_id uuid not null,
  realm text not null,
  resource_id uuid not null,
  location_id uuid not null,
  -- The SHA-256 of the bytes that there were.
  message_id text collate "C" not null,
  deletion_id uuid not null,
  size_bytes bigint not null,
  received_at timestamptz,
  archived_at timestamptz,
  erased_at timestamptz not null,
  basis text not null,
  reason text not null,
  requester text not null,
  approver text not null,
  -- The segment of the journal that erased it.
  sequence bigint not null,
  -- The segments that captured it: the proofs of what was captured with it need its name.
  captured bigint[] not null,
  -- Of that segment; the audit log names it, so that a place in the log attests what was erased together.
  segment_hash text not null,
  primary key (organisation_id, realm, resource_id, message_id, location_id),
  foreign key (organisation_id, realm, resource_id) references resources (organisation_id, realm, resource_id) on delete cascade
);
create index tombstones_deletion on tombstones (organisation_id, realm, deletion_id, resource_id, message_id);
call holdfast.isolate('tombstones', 'select, insert');

-- Why somebody refused a request.
alter table approvals add column decision_reason text;

-- Journaled messages that stay erased.
alter table receivers add column erased_before bigint not null default 0;
