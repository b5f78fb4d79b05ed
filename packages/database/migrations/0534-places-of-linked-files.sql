-- What a linked file is called whatever its address and name become: the id of its drive or site in Microsoft 365, and its own.
-- An export that was made before does not say it.
alter table export_links
  add column owner_graph_id text,
  add column item_key text;
