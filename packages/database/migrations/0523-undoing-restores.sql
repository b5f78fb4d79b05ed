-- What a restore has written into Microsoft 365: where it is, in what state the restore left it, and what it replaced. A restore is undone
-- by these notes alone.

create table restored_things (
  organisation_id uuid not null,
  realm text not null,
  run_id uuid not null,
  part text not null,
  item_key text not null,
  thing_number bigint not null,
  kind text not null,
  name text not null,
  is_container boolean not null,
  -- The mailbox, drive, site or team that it is in, as Microsoft calls it.
  home_kind text not null,
  home_graph_id text not null,
  home_name text not null,
  target_id text not null,
  place text not null,
  mark text not null,
  replaced_id text,
  replaced_mark text,
  primary key (organisation_id, realm, run_id, part, item_key),
  foreign key (organisation_id, realm, run_id) references runs (organisation_id, realm, run_id) on delete cascade
);
call holdfast.isolate('restored_things');

create index restored_things_number on restored_things (organisation_id, realm, run_id, part, thing_number);

-- Runs that undo the restore of another run.
create index runs_undoing on runs (organisation_id, realm, (body ->> 'reportId')) where type = 'undo';
