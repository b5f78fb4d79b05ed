-- The version that serves the API: workers that are too far from it take no work.

create table served_versions (
  only_one boolean primary key default true check (only_one),
  version text not null,
  since timestamptz not null
);
call holdfast.share('served_versions', 'select, insert, update');
