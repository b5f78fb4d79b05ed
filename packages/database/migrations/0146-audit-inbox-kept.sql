-- An event leaves the inbox only for the log: whoever has the application's rights can neither lose nor change one that waits.

create index audit_events_at on audit_events (organisation_id, realm, at);

create function holdfast.refuse_loss() returns trigger
  language plpgsql
as $$
begin
  if not exists (
    select from audit_events
    where organisation_id = old.organisation_id and realm = old.realm and at = old.at and event = old.event
      and outcome = old.outcome and payload::jsonb = old.payload
      and subject_kind is not distinct from old.subject_kind and subject_id is not distinct from old.subject_id
  ) then
    raise exception 'an event that has no number yet can not be removed' using errcode = 'insufficient_privilege';
  end if;
  return old;
end $$;

create trigger audit_inbox_kept before delete on audit_inbox
  for each row execute function holdfast.refuse_loss();
create trigger audit_inbox_frozen before update or truncate on audit_inbox
  for each statement execute function holdfast.refuse_change();
