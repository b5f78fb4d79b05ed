-- Who owns what is shared, and what owners are called: reports are narrowed to one of them. Earlier scans have not read it.

alter table compliance_files add column owner_name text;
alter table compliance_files add column owner_address text;
alter table compliance_shares add column owner_id text;
create index compliance_files_owner on compliance_files (organisation_id, realm, owner_id) where not is_deleted and owner_id is not null;

-- The owner of the tables sees every organisation's rows for as long as this takes.
alter table compliance_sources no force row level security;
update compliance_sources set scanned_through = 0, target = null, position = null;
alter table compliance_sources force row level security;
