-- What the mail of a review set repeats: its threads, and texts that are nearly alike.

alter table review_sets
  -- The run that last looked for them.
  add column threads_run_id uuid,
  add column threads_at timestamptz,
  -- How many mails, threads, mails to read and near copies it found, and what it could not compare.
  add column threads jsonb;

create table review_threads (
  organisation_id uuid not null,
  realm text not null,
  set_id uuid not null,
  position integer not null,
  -- The first mail of the thread in the set.
  thread integer not null,
  role text not null check (role in ('inclusive', 'inclusiveMinus', 'copy', 'none')),
  -- The mail that says everything that this one says; itself where it is to be read.
  shown_by integer not null,
  -- The mail that this one is nearly a copy of; itself where there is none before it.
  pivot integer not null,
  likeness double precision not null,
  primary key (organisation_id, realm, set_id, position),
  foreign key (organisation_id, realm, set_id, position)
    references review_items (organisation_id, realm, set_id, position) on delete cascade
);
create index review_threads_threads on review_threads (organisation_id, realm, set_id, thread, position);
create index review_threads_shown on review_threads (organisation_id, realm, set_id, shown_by);
create index review_threads_pivots on review_threads (organisation_id, realm, set_id, pivot, position);
call holdfast.isolate('review_threads', 'select, insert, delete');
