-- A message of a chat or channel in an export of a case comes with a transcript of what was said around it. Which messages those are is
-- fixed when the export is listed: each by its key and its version, without a word of what it says.
alter table export_files add column conversation jsonb;
alter table export_files drop constraint export_files_kind_check;
alter table export_files add constraint export_files_kind_check
  check (kind in ('item', 'mbox', 'text', 'index', 'paper', 'conversation'));
alter table export_files drop constraint export_files_of_items;
alter table export_files add constraint export_files_of_items check (
  (kind in ('text', 'index', 'conversation')) = (first_item is not null) and (first_item is null) = (last_item is null)
  and (kind = 'conversation') = (conversation is not null)
);
