-- The audit log. Events wait in the inbox of the transaction that made them; one sequencer numbers them
-- without gaps and appends each as a leaf to a Merkle tree. What is numbered can't be changed.

create table audit_inbox (
  organisation_id uuid not null,
  realm text not null,
  id uuid not null,
  at timestamptz not null,
  event text not null,
  outcome text not null,
  subject_kind text,
  subject_id text,
  payload jsonb not null,
  primary key (organisation_id, realm, id)
);
call holdfast.isolate('audit_inbox', 'select, insert, delete');
call holdfast.publish('audit_inbox', array['organisation_id', 'realm', 'id', 'at']);

create table audit_events (
  organisation_id uuid not null,
  realm text not null,
  sequence bigint not null,
  at timestamptz not null,
  event text not null,
  outcome text not null,
  subject_kind text,
  subject_id text,
  -- The personal part and its salt can be erased; the hash keeps the proof.
  payload text,
  salt bytea,
  payload_hash bytea not null,
  actor_id uuid,
  primary key (organisation_id, realm, sequence)
);
create index audit_events_event on audit_events (organisation_id, realm, event, sequence);
create index audit_events_actor on audit_events (organisation_id, realm, actor_id, sequence);
call holdfast.isolate('audit_events', 'select, insert');
call holdfast.publish('audit_events', array['organisation_id', 'realm', 'sequence', 'at']);

-- Complete subtrees: level 0 are the leaves. Hashes only.
create table audit_nodes (
  level smallint not null,
  position bigint not null,
  hash bytea not null,
  primary key (level, position)
);
call holdfast.share('audit_nodes', 'select, insert');

create table audit_checkpoints (
  size bigint primary key,
  root bytea not null,
  at timestamptz not null,
  note text not null
);
call holdfast.share('audit_checkpoints', 'select, insert');

create function holdfast.refuse_change() returns trigger
  language plpgsql
as $$
begin
  raise exception 'the audit log is only ever appended to' using errcode = 'insufficient_privilege';
end $$;

create trigger audit_events_frozen before update or delete or truncate on audit_events
  for each statement execute function holdfast.refuse_change();
create trigger audit_nodes_frozen before update or delete or truncate on audit_nodes
  for each statement execute function holdfast.refuse_change();
create trigger audit_checkpoints_frozen before update or delete or truncate on audit_checkpoints
  for each statement execute function holdfast.refuse_change();
