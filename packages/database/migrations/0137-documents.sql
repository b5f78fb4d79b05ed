-- Reports and documents of an organisation. The file itself is a sealed object in the vault of a location, under the id of its row.

create table documents (
  organisation_id uuid not null,
  realm text not null,
  document_id uuid not null,
  kind text not null check (kind in ('report', 'document')),
  file_name text not null,
  size_bytes bigint not null check (size_bytes > 0),
  location_id uuid not null,
  -- `storing`: the object may not be whole yet. `leaving`: the object may not be deleted yet. Both are finished or undone later.
  state text not null check (state in ('storing', 'stored', 'leaving')),
  uploaded_by uuid,
  uploader text not null,
  uploaded_at timestamptz not null,
  primary key (organisation_id, realm, document_id),
  foreign key (organisation_id, realm, location_id) references locations (organisation_id, realm, location_id)
);
create unique index documents_name on documents (organisation_id, realm, kind, lower(file_name)) where state <> 'leaving';
create index documents_location on documents (organisation_id, realm, location_id);
call holdfast.isolate('documents');

-- Files are addressed by the abbreviation of their organisation: it must name one organisation alone, so a later
-- organisation whose name begins like an earlier one's gets a number behind it.
grant select (abbr) on organisations to holdfast_directory;
alter table organisations no force row level security;
update organisations set abbr = numbered.abbr || numbered.place
from (select organisation_id, abbr, dense_rank() over (partition by abbr order by first_at, organisation_id) as place
  from (select organisation_id, abbr, min(created_at) over (partition by organisation_id) as first_at from organisations) named) numbered
where numbered.organisation_id = organisations.organisation_id and numbered.place > 1;
alter table organisations force row level security;
