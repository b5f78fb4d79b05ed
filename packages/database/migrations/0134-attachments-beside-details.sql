-- Whether a message has attachments, in a column of its own: PostgreSQL cannot look into details that hold a NUL, as
-- subjects of real mail do, and an index over them refused to store such a message at all.
drop index catalog_items_attachments;
alter table catalog_items add column has_attachments boolean not null default false;
update catalog_items set has_attachments = true where kind = 'message' and detail::text like '%"hasAttachments":true%';
create index catalog_items_attachments on catalog_items (organisation_id, realm, source_id)
  where has_attachments and to_point = 9007199254740991;
