-- What the segments of a restore point brought into the vault: a run that several workers had is told whole.

alter table catalog_sources
  add column pending_new_bytes bigint not null default 0,
  add column pending_stored_bytes bigint not null default 0;
alter table catalog_points
  add column new_bytes bigint not null default 0,
  add column stored_bytes bigint not null default 0;
