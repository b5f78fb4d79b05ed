-- When the counters of an archive were last compared with what it holds.

alter table archive_mailboxes add column recounted_at timestamptz;
