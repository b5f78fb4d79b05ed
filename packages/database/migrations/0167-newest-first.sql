-- Mail and conversations are read newest first: the newest page of a folder of 400,000 messages comes from the index.

create index catalog_items_newest on catalog_items
  (organisation_id, realm, source_id, parent_key, (coalesce(modified_at, timestamptz '-infinity')), item_key, from_point, to_point)
  where kind in ('message', 'post', 'chatMessage');
