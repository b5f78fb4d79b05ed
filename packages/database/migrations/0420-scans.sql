-- Documents of the index that have no text and may show some: pictures, and PDF files of scanned pages.

create table search_scans (
  organisation_id uuid not null,
  realm text not null,
  item_no bigint not null,
  document_hash text not null check (document_hash ~ '^[0-9a-f]{64}$'),
  -- Those of the item: coverage counts scans without reading items, and the newest are read first.
  source_id uuid not null,
  at timestamptz not null,
  state text not null default 'waiting' check (state in ('waiting', 'read', 'failed')),
  attempts integer not null default 0,
  -- Nobody else takes it until then.
  taken_until timestamptz,
  reason text check ((reason is not null) = (state = 'failed')),
  -- What was recognised: another copy of the document is not read again, and the text around words can be shown.
  text text check ((text is not null) = (state = 'read')),
  primary key (organisation_id, realm, item_no, document_hash),
  foreign key (organisation_id, realm, item_no) references search_items (organisation_id, realm, item_no) on delete cascade
);
create index search_scans_waiting on search_scans (organisation_id, realm, at desc, item_no desc) where state = 'waiting';
create index search_scans_state on search_scans (organisation_id, realm, source_id, state, at);
create index search_scans_read on search_scans (organisation_id, realm, document_hash) where state = 'read';
call holdfast.isolate('search_scans');

-- What was indexed without counting them is read again, in the background and from the vault: files without text, and items that
-- carry others. Row-level security is forced, so that the owner sees these rows only while it is not.
alter table search_items no force row level security;
alter table search_sources no force row level security;
delete from search_items where state = 'noText' or attachments > 0;
update search_sources set read_through = 0;
alter table search_items force row level security;
alter table search_sources force row level security;
