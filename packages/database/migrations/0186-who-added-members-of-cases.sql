-- What a case finds opens to its members, but to nobody on their own word alone: somebody else has to have added them.

alter table case_members add column added_by uuid;

-- The owner of the tables sees every organisation's rows for as long as this takes. Whoever opened a case added themselves;
-- who added the others is in the audit log alone, and for whoever opened the case it was somebody else in any case.
alter table case_members no force row level security;
alter table cases no force row level security;
update case_members set added_by = (select created_by from cases where cases.organisation_id = case_members.organisation_id
  and cases.realm = case_members.realm and cases.case_id = case_members.case_id);
alter table case_members force row level security;
alter table cases force row level security;
