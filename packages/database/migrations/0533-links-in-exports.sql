-- The links of what an export holds, as they were resolved when it was made.
create table export_links (
  organisation_id uuid not null,
  realm text not null,
  export_id uuid not null,
  item_no bigint not null,
  place integer not null,
  link text not null,
  sent_at timestamptz not null,
  -- Null where no file that is kept, and that whoever asked may find, was meant.
  rule text,
  tie text,
  missing text,
  version text,
  modified_at timestamptz,
  sha256 text,
  name text,
  owner text,
  primary key (organisation_id, realm, export_id, item_no, place),
  foreign key (organisation_id, realm, export_id) references exports (organisation_id, realm, export_id) on delete cascade
);
call holdfast.isolate('export_links', 'select, insert, delete');
