-- Whether an archive has what the backups of its mailbox have: both compared once a day, message by message.

-- When, and how many messages an archive job has passed that the archive does not have.
alter table archive_mailboxes add column compared_at timestamptz;
alter table archive_mailboxes add column missing bigint not null default 0;

-- By the day of receipt (`2026-11-23`, by UTC); '' for messages without one.
-- Of what backups have: in_backups = in the archive as well + missing + waiting + without_original + erased.
create table archive_days (
  organisation_id uuid not null,
  realm text not null,
  source_id uuid not null,
  day text collate "C" not null,
  in_backups bigint not null,
  archived bigint not null,
  -- Of the archived messages: those that journaling brought, and those that the search index has not read yet.
  journaled bigint not null,
  not_searchable bigint not null,
  missing bigint not null,
  -- The next run of the archive job takes these.
  waiting bigint not null,
  -- Backups have parts of these alone.
  without_original bigint not null,
  -- Were in the archive and were erased from it.
  erased bigint not null,
  primary key (organisation_id, realm, source_id, day),
  foreign key (organisation_id, realm, source_id) references catalog_sources (organisation_id, realm, source_id) on delete cascade
);
call holdfast.isolate('archive_days');

-- The messages that are missing, by name.
create table archive_gaps (
  organisation_id uuid not null,
  realm text not null,
  source_id uuid not null,
  -- The SHA-256 of its bytes; without an original what the provider calls it.
  message_key text collate "C" not null,
  day text collate "C" not null,
  reason text not null check (reason in ('missing', 'withoutOriginal')),
  received_at timestamptz,
  size_bytes bigint not null,
  primary key (organisation_id, realm, source_id, message_key),
  foreign key (organisation_id, realm, source_id) references catalog_sources (organisation_id, realm, source_id) on delete cascade
);
call holdfast.isolate('archive_gaps');
