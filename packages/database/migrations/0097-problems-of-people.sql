-- Somebody, or a group, that a run could not look up stands in its error list by name: there is no resource of theirs to point at.

alter table run_problems alter column resource_id drop not null;
alter table run_problems add column name text;
alter table run_problems add constraint run_problems_of_something check (resource_id is not null or name is not null);
