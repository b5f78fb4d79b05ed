-- Exports for review tools, for tax auditors and for machines without Holdfast: load files with the texts of items, packages of
-- tax audits, and an index that is searched offline.
alter table exports drop constraint exports_format_check;
alter table exports add constraint exports_format_check check (format in ('eml', 'mbox', 'loadFile', 'z3', 'searchable'));

-- A file that is made of the words of items says of which: of one item its text, of many the index.
alter table export_files drop constraint export_files_kind_check;
alter table export_files add constraint export_files_kind_check check (kind in ('item', 'mbox', 'text', 'index', 'paper'));
alter table export_files add column first_item bigint;
alter table export_files add column last_item bigint;
alter table export_files add constraint export_files_of_items
  check ((kind in ('text', 'index')) = (first_item is not null) and (first_item is null) = (last_item is null));
create unique index export_files_texts on export_files (organisation_id, realm, export_id, first_item) where kind = 'text';
