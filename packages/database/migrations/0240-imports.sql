-- Mail that is imported into archives. Uploaded files and the pieces that could not be taken in are sealed objects in the
-- vault of a location, under the ids of their rows.

create table import_files (
  organisation_id uuid not null,
  realm text not null,
  file_id uuid not null,
  tenant_id uuid not null,
  location_id uuid not null,
  name text not null,
  size_bytes bigint not null check (size_bytes > 0),
  uploader text not null,
  created_at timestamptz not null,
  -- When the last part came: a file goes a week later.
  touched_at timestamptz not null,
  primary key (organisation_id, realm, file_id),
  foreign key (organisation_id, realm, location_id) references locations (organisation_id, realm, location_id) on delete cascade
);
create index import_files_location on import_files (organisation_id, realm, location_id);
call holdfast.isolate('import_files');

create table import_parts (
  organisation_id uuid not null,
  realm text not null,
  file_id uuid not null,
  part integer not null check (part >= 0),
  object_id uuid not null,
  -- False until the object is in the vault.
  is_stored boolean not null default false,
  primary key (organisation_id, realm, file_id, part),
  foreign key (organisation_id, realm, file_id) references import_files (organisation_id, realm, file_id) on delete cascade
);
call holdfast.isolate('import_parts');

-- Pieces of files that are no messages. One that is met again after an interruption is the same row.
create table import_faults (
  organisation_id uuid not null,
  realm text not null,
  fault_id uuid not null,
  run_id uuid not null,
  -- File, entry of a zip, offset: where the piece is, in the order of the import.
  place bigint[] not null,
  file_name text not null,
  offset_at bigint not null,
  code text not null,
  size_bytes bigint not null,
  location_id uuid not null,
  primary key (organisation_id, realm, fault_id),
  unique (organisation_id, realm, run_id, place),
  foreign key (organisation_id, realm, location_id) references locations (organisation_id, realm, location_id) on delete cascade
);
create index import_faults_location on import_faults (organisation_id, realm, location_id);
call holdfast.isolate('import_faults');
