-- What a run decides when it begins, once for all workers that come to do it: the restore point that "the newest" stands for.

create table run_decisions (
  organisation_id uuid not null,
  realm text not null,
  run_id uuid not null,
  name text not null,
  value jsonb not null,
  primary key (organisation_id, realm, run_id, name),
  foreign key (organisation_id, realm, run_id) references runs (organisation_id, realm, run_id) on delete cascade
);
call holdfast.isolate('run_decisions');
