-- What has been told by mail, so that nothing is told twice: runs by their id, days by their date.

create table notices (
  organisation_id uuid not null,
  realm text not null,
  kind text not null check (kind in ('run', 'day')),
  subject text not null,
  noticed_at timestamptz not null,
  primary key (organisation_id, realm, kind, subject)
);
call holdfast.isolate('notices');
create index runs_ended on runs (organisation_id, realm, ended_at) where ended_at is not null;
