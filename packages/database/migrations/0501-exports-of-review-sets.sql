-- What reviewers decided about an item when an export of their set was asked for; null where nothing was reviewed.
alter table search_selection_items add column review text;
alter table export_items add column review text;
