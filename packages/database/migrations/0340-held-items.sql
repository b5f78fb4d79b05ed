-- Legal holds on files and folders: every version of what they name stays, and of everything that ever was in a named folder.

create table hold_items (
  organisation_id uuid not null,
  realm text not null,
  hold_id uuid not null,
  item_key text collate "C" not null,
  -- As it was named when the hold was placed: the record stays readable whatever becomes of the item.
  name text not null,
  is_container boolean not null,
  primary key (organisation_id, realm, hold_id, item_key),
  foreign key (organisation_id, realm, hold_id) references holds (organisation_id, realm, hold_id) on delete cascade
);
create index hold_items_item on hold_items (organisation_id, realm, item_key);
call holdfast.isolate('hold_items', 'select, insert');
