-- Retention policies on sites, folders and files beside those on archived mailboxes, and events of what they are on.

alter table retention_policies add column about text not null default 'messages' check (about in ('messages', 'files'));
-- Of files only their last change and events count: the first restore point that had a version need not be there any more.
alter table retention_policies add check (about = 'messages' or (anchor <> 'archived' and not is_everything));

-- What a policy on files is on: whole sites and drives, and files and folders of them.
create table retention_policy_places (
  organisation_id uuid not null,
  realm text not null,
  policy_id uuid not null,
  resource_id uuid not null,
  -- Empty for the whole site or drive.
  item_key text collate "C" not null,
  -- As it was named when it was chosen: the record stays readable whatever becomes of the item.
  name text not null,
  is_container boolean not null,
  primary key (organisation_id, realm, policy_id, resource_id, item_key),
  foreign key (organisation_id, realm, policy_id) references retention_policies (organisation_id, realm, policy_id) on delete cascade,
  foreign key (organisation_id, realm, resource_id) references resources (organisation_id, realm, resource_id)
);
create index retention_policy_places_resource on retention_policy_places (organisation_id, realm, resource_id);
call holdfast.isolate('retention_policy_places');

-- The files and folders that an event is about; none for the whole resource.
create table retention_event_items (
  organisation_id uuid not null,
  realm text not null,
  event_id uuid not null,
  item_key text collate "C" not null,
  name text not null,
  is_container boolean not null,
  primary key (organisation_id, realm, event_id, item_key),
  foreign key (organisation_id, realm, event_id) references retention_events (organisation_id, realm, event_id) on delete cascade
);
call holdfast.isolate('retention_event_items', 'select, insert');
