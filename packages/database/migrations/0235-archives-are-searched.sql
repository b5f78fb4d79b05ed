-- Archived messages are searched as well. The hash of its bytes tells an archived message from its copy in a backup, so that a result shows it once.

alter table search_items add column content_hash text collate "C";
update search_items item set content_hash = content.value #>> '{ref,sha256}'
from catalog_items version
cross join lateral json_array_elements(version.detail -> 'contents') content (value)
where version.organisation_id = item.organisation_id and version.realm = item.realm and version.source_id = item.source_id
  and version.item_key = item.item_key and version.from_point = item.from_point and content.value ->> 'role' in ('mime', 'file');
create index search_items_content on search_items (organisation_id, realm, content_hash) where content_hash is not null;
