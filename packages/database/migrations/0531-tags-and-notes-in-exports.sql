-- The tags and notes of an item when an export of its review set was asked for, as they are written into the export; null where
-- nothing was reviewed.
alter table search_selection_items add column review_tags text, add column review_notes text;
alter table export_items add column review_tags text, add column review_notes text;
