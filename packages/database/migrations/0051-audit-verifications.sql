-- What each night's verification of the audit log found. One row a night, so that one scheduler does it.

create table audit_verifications (
  night date primary key,
  started_at timestamptz not null,
  ended_at timestamptz,
  ok boolean,
  events bigint,
  checkpoints bigint,
  problems jsonb not null default '[]'
);
call holdfast.share('audit_verifications', 'select, insert, update');

alter table notices drop constraint notices_kind_check;
alter table notices add constraint notices_kind_check check (kind in ('run', 'day', 'audit'));
