-- A job's type, workload and location belong to its kind. The server's registry of kinds refuses types that nothing
-- handles, and it knows more than a list here could: which of them this version runs. Kinds that read no workload or
-- store nothing have neither of the two.

alter table jobs drop constraint jobs_type_check;
alter table jobs alter column workload drop not null;
alter table jobs alter column location_id drop not null;
alter table runs alter column workload drop not null;
