-- The mail archive: a resource of its own kind for each mailbox, and what it holds in numbers. Its workload is none of
-- Microsoft 365, so that whatever asks for the mailboxes of a workload, a deletion above all, never takes an archive for one.

alter table resources drop constraint resources_workload_check;
alter table resources add constraint resources_workload_check check (workload in ('exchange', 'onedrive', 'sharepoint', 'teams', 'archive'));
alter table resources drop constraint resources_kind_check;
alter table resources add constraint resources_kind_check check (kind in ('mailbox', 'drive', 'site', 'team', 'chat', 'archive'));
alter table resources add constraint resources_archive_check check ((kind = 'archive') = (workload = 'archive'));

-- What is archived of a mailbox in a location. Changes in the transaction that takes a segment into the catalog.
create table archive_mailboxes (
  organisation_id uuid not null,
  realm text not null,
  source_id uuid not null,
  messages bigint not null default 0,
  -- Messages with attachments.
  attachments bigint not null default 0,
  bytes bigint not null default 0,
  stored_bytes bigint not null default 0,
  oldest_at timestamptz,
  newest_at timestamptz,
  captured_at timestamptz,
  primary key (organisation_id, realm, source_id),
  foreign key (organisation_id, realm, source_id) references catalog_sources (organisation_id, realm, source_id) on delete cascade
);
call holdfast.isolate('archive_mailboxes');

-- The same by the hour of the capture (`2026-11-23T13`), by the month of the receipt (`2026-11`) and by folder path.
create table archive_counts (
  organisation_id uuid not null,
  realm text not null,
  source_id uuid not null,
  dimension text not null check (dimension in ('hour', 'month', 'folder')),
  name text collate "C" not null,
  messages bigint not null default 0,
  attachments bigint not null default 0,
  bytes bigint not null default 0,
  primary key (organisation_id, realm, source_id, dimension, name),
  foreign key (organisation_id, realm, source_id) references catalog_sources (organisation_id, realm, source_id) on delete cascade
);
call holdfast.isolate('archive_counts');

-- What backups stored since an archive last looked, in the order of their segments.
create index catalog_items_capture on catalog_items (organisation_id, realm, source_id, from_point, item_key) where kind = 'message';
