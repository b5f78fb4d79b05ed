-- Versions that a clean-up has read back from the vault: those alone are in its script.

create table compliance_clean_ups (
  organisation_id uuid not null,
  realm text not null,
  run_id uuid not null,
  source_id uuid not null,
  item_key text collate "C" not null,
  label text not null,
  size_bytes bigint not null,
  is_read boolean not null default false,
  primary key (organisation_id, realm, run_id, source_id, item_key, label),
  foreign key (organisation_id, realm, run_id) references runs (organisation_id, realm, run_id) on delete cascade
);
call holdfast.isolate('compliance_clean_ups');
