-- What could not be read while an export was made, and when. It is tried again on request; its history stays.
create table export_faults (
  organisation_id uuid not null,
  realm text not null,
  export_id uuid not null,
  fault_no bigint not null generated always as identity,
  item_no bigint not null,
  -- Its text alone; else the item itself.
  of_text boolean not null,
  code text not null,
  at timestamptz not null,
  primary key (organisation_id, realm, export_id, fault_no),
  foreign key (organisation_id, realm, export_id, item_no)
    references export_items (organisation_id, realm, export_id, item_no) on delete cascade
);
create index export_faults_item on export_faults (organisation_id, realm, export_id, item_no);
call holdfast.isolate('export_faults');
