-- The words of documents are searched: what was indexed without them is read again, in the background and from the vault.

alter table search_items drop constraint search_items_state_check;
alter table search_items
  add constraint search_items_state_check check (state in ('indexed', 'noText', 'encrypted', 'unsupported', 'tooLarge', 'failed'));

delete from search_items;
delete from search_sources;
delete from search_vocabulary;
