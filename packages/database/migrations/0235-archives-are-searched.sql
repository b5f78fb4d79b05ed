-- Archived messages are searched as well. The hash of its bytes tells an archived message from its copy in a backup, so that a result shows it once.

alter table search_items add column content_hash text collate "C";
create index search_items_content on search_items (organisation_id, realm, content_hash) where content_hash is not null;
