-- The mailboxes with the most attachments are found without reading every message.
create index catalog_items_attachments on catalog_items (organisation_id, realm, source_id)
  where kind = 'message' and to_point = 9007199254740991 and detail #>> '{properties,hasAttachments}' = 'true';
