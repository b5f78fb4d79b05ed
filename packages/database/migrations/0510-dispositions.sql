-- Disposition reviews: people who decide about messages that are past the maximum of a policy, before anything is deleted.

alter table retention_policies
  -- For each stage the accounts, one of whom decides about a message: `[["id", "id"], ["id"]]`. Empty for a policy that asks nobody.
  add column stages jsonb not null default '[]' check (jsonb_typeof(stages) = 'array'),
  -- When reviewers are told next of what waits for them; null where nothing does.
  add column remind_at timestamptz,
  add check (stages = '[]' or maximum_amount is not null);
create index retention_policies_remind on retention_policies (remind_at) where remind_at is not null;
grant select (remind_at) on retention_policies to holdfast_directory;

create table disposition_items (
  organisation_id uuid not null,
  realm text not null,
  policy_id uuid not null,
  -- The archive that the message is in.
  resource_id uuid not null,
  message_id text collate "C" not null,
  -- How often it has come before the first stage.
  round integer not null default 1,
  stage smallint not null,
  -- `deleting`: the last stage has said so, and nothing else lets a message go.
  state text not null check (state in ('open', 'kept', 'moved', 'deleting')),
  -- Since when it is at this stage, or decided.
  since timestamptz not null,
  -- The last day on which it is kept.
  keep_until date,
  moved_to uuid,
  primary key (organisation_id, realm, policy_id, resource_id, message_id),
  foreign key (organisation_id, realm, policy_id) references retention_policies (organisation_id, realm, policy_id) on delete cascade,
  foreign key (organisation_id, realm, moved_to) references retention_policies (organisation_id, realm, policy_id) on delete cascade,
  check ((state = 'kept') = (keep_until is not null)),
  check ((state = 'moved') = (moved_to is not null))
);
create index disposition_items_decided on disposition_items (organisation_id, realm, resource_id, message_id) where state in ('kept', 'moved');
create index disposition_items_moved on disposition_items (organisation_id, realm, moved_to, resource_id, message_id) where moved_to is not null;
create index disposition_items_open on disposition_items (organisation_id, realm, policy_id, stage, since) where state = 'open';
call holdfast.isolate('disposition_items');

-- What reviewers said, message by message. A record: nobody changes or removes one.
create table disposition_decisions (
  organisation_id uuid not null,
  realm text not null,
  policy_id uuid not null,
  resource_id uuid not null,
  message_id text collate "C" not null,
  round integer not null,
  stage smallint not null,
  decision text not null check (decision in ('delete', 'keep', 'move')),
  keep_until date,
  moved_to uuid,
  reason text not null,
  decided_by uuid not null,
  decider text not null,
  decided_at timestamptz not null,
  primary key (organisation_id, realm, policy_id, resource_id, message_id, round, stage),
  foreign key (organisation_id, realm, policy_id) references retention_policies (organisation_id, realm, policy_id) on delete cascade
);
call holdfast.isolate('disposition_decisions', 'select, insert');
