-- Files and folders that somebody has added to a case, under the names they had.

create table case_files (
  organisation_id uuid not null,
  realm text not null,
  case_id uuid not null,
  file_id uuid not null,
  resource_id uuid not null,
  item_key text collate "C" not null,
  name text not null,
  is_container boolean not null,
  note text not null,
  adder text not null,
  added_at timestamptz not null,
  primary key (organisation_id, realm, file_id),
  unique (organisation_id, realm, case_id, resource_id, item_key),
  foreign key (organisation_id, realm, case_id) references cases (organisation_id, realm, case_id) on delete cascade,
  foreign key (organisation_id, realm, resource_id) references resources (organisation_id, realm, resource_id)
);
create index case_files_resource on case_files (organisation_id, realm, resource_id);
call holdfast.isolate('case_files', 'select, insert, delete');
