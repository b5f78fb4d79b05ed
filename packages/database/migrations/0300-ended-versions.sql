-- What was deleted from a folder is found without reading what is still in it.

create index catalog_items_ended on catalog_items (organisation_id, realm, source_id, parent_key, item_key, from_point desc, to_point)
  where to_point < 9007199254740991;
