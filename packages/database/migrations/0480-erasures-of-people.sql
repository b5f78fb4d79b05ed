-- Deletions reach backups and files: everything of a person, or what somebody has chosen, in every restore point.

alter table message_deletions
  -- Whether backups and files are part of it, and not the archive alone.
  add column is_everywhere boolean not null default false,
  -- The person whose everything it is about, by mailbox or OneDrive, as they were called when it was drafted.
  add column person_id uuid,
  add column person_name text,
  add column person_address text;

-- The bytes of a message that a backup named by an id: an archive of the same mailbox leaves them out as well.
alter table tombstones add column content_hash text collate "C";
create index tombstones_content on tombstones (organisation_id, realm, resource_id, content_hash) where content_hash is not null;
