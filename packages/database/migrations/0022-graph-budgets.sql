-- The budgets of Microsoft 365, where every worker sees them. Buckets are named by tenant and application, not by
-- organisation: two organisations that share an application share its limits.

create table graph_pauses (
  bucket text primary key,
  until_at timestamptz not null
);
call holdfast.share('graph_pauses');

create unlogged table graph_spent (
  bucket text not null,
  name text not null,
  slice bigint not null,
  cost double precision not null,
  ends_at timestamptz not null,
  primary key (bucket, name, slice)
);
create index graph_spent_ends_at on graph_spent (ends_at);
call holdfast.share('graph_spent');

create unlogged table graph_slots (
  grant_id uuid not null,
  bucket text not null,
  is_restore boolean not null,
  expires_at timestamptz not null,
  primary key (bucket, grant_id)
);
create index graph_slots_grant on graph_slots (grant_id);
call holdfast.share('graph_slots');
