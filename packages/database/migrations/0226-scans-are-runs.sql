-- A scan is a run like any other: its progress is the run's, and what stays here is the report that it made.

delete from compliance_scans where status <> 'successful';
drop index compliance_scans_open;
alter table compliance_scans drop column status;
alter table compliance_scans drop column started_by;
alter table compliance_scans drop column queued_at;
alter table compliance_scans drop column started_at;
alter table compliance_scans drop column seen_at;
alter table compliance_scans drop column sites;
alter table compliance_scans drop column sites_done;
alter table compliance_scans drop column processed;
alter table compliance_scans drop column code;
alter table compliance_scans alter column ended_at set not null;
alter table compliance_scans alter column figures set not null;

-- Two scans of a tenant would read the same changes.
create unique index runs_open_scan on runs (organisation_id, realm, tenant_id) where type = 'scan' and ended_at is null;
