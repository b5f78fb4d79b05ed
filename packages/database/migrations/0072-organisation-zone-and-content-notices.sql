-- The clock of an organisation, and what its people were told of their mailboxes.

alter table organisations add column time_zone text;

alter table notices drop constraint notices_kind_check;
alter table notices add constraint notices_kind_check check (kind in ('run', 'day', 'audit', 'content'));
