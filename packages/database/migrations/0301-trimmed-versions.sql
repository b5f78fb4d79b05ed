-- Which scripts somebody has downloaded, and which versions Microsoft 365 no longer lists since: deleting a version changes no
-- delta, so the files of these scripts are asked for.

create table compliance_clean_up_scripts (
  organisation_id uuid not null,
  realm text not null,
  run_id uuid not null,
  taken_at timestamptz not null,
  primary key (organisation_id, realm, run_id),
  foreign key (organisation_id, realm, run_id) references runs (organisation_id, realm, run_id) on delete cascade
);
call holdfast.isolate('compliance_clean_up_scripts');

alter table compliance_clean_ups add column asked_at timestamptz;
alter table compliance_clean_ups add column gone_at timestamptz;
create index compliance_clean_ups_gone on compliance_clean_ups (organisation_id, realm, source_id, item_key) where gone_at is not null;
