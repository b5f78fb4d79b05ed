-- Maximums of retention policies: what is older is deleted by the deletion of messages, from lists that wait a day. A
-- policy has a minimum, a maximum or both, counted from the same moment.

alter table retention_policies alter column amount drop not null;
alter table retention_policies alter column unit drop not null;
alter table retention_policies
  add column maximum_amount integer check (maximum_amount between 1 and 36500),
  add column maximum_unit text check (maximum_unit in ('days', 'months', 'years')),
  -- The two people who have brought it into force: each deletion that it lists bears their names. Not known of policies before this.
  add column asked_by uuid,
  add column asker text,
  add column approver text,
  -- When what is past the maximum is looked for next; null where nothing is.
  add column look_at timestamptz,
  -- Since then it deletes nothing any longer. Its minimum stays in force.
  add column stopped_at timestamptz,
  add column stopper text,
  add check ((amount is null) = (unit is null)),
  add check ((maximum_amount is null) = (maximum_unit is null)),
  add check (amount is not null or maximum_amount is not null),
  -- Deletions are of archived messages.
  add check (about = 'messages' or maximum_amount is null),
  add check (look_at is null or (maximum_amount is not null and activated_at is not null and ended_at is null and stopped_at is null));
create index retention_policies_look on retention_policies (look_at) where look_at is not null;
call holdfast.publish('retention_policies', array['organisation_id', 'realm', 'policy_id', 'look_at']);

-- The policy that has listed what is to be deleted; null for what a person has chosen.
alter table message_deletions add column policy_id uuid;
alter table message_deletions add foreign key (organisation_id, realm, policy_id)
  references retention_policies (organisation_id, realm, policy_id) on delete set null (policy_id);
create index message_deletions_policy on message_deletions (organisation_id, realm, policy_id) where policy_id is not null;
alter table message_deletions drop constraint message_deletions_returned_check;
alter table message_deletions add check (returned in ('withdrawn', 'expired', 'listChanged', 'stopped', 'policyEnded'));
