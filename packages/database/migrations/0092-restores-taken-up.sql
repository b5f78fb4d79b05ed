-- A restore that is taken up from a dead worker knows what that one had begun, and asks what is done by the page.

create table run_beginnings (
  organisation_id uuid not null,
  realm text not null,
  run_id uuid not null,
  item_key text not null,
  -- What lay in the item's place before, by the service's ids.
  there text[] not null default '{}',
  primary key (organisation_id, realm, run_id, item_key),
  foreign key (organisation_id, realm, run_id) references runs (organisation_id, realm, run_id) on delete cascade
);
call holdfast.isolate('run_beginnings');

create index run_lines_item on run_lines (organisation_id, realm, run_id, item_key);
