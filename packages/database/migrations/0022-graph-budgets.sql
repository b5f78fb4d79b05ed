-- The budgets of Microsoft 365, where every worker sees them. Buckets are named by tenant and application, not by
-- organisation: two organisations that share an application share its limits. Times are milliseconds.

create table graph_buckets (
  bucket text primary key,
  paused_until double precision not null default 0,
  -- While this lies ahead, a restore uses the bucket and its slots are kept free for it.
  restore_until double precision not null default 0
);
call holdfast.share('graph_buckets');

-- What was spent, in slices of time. A slice counts until its last moment has left the window.
create unlogged table graph_spent (
  bucket text not null,
  name text not null,
  slice bigint not null,
  cost double precision not null,
  ends_at double precision not null,
  primary key (bucket, name, slice)
);
call holdfast.share('graph_spent');

create unlogged table graph_slots (
  bucket text not null,
  grant_id uuid not null,
  ends_at double precision not null,
  primary key (bucket, grant_id)
);
create index graph_slots_grant on graph_slots (grant_id);
call holdfast.share('graph_slots');

-- How long until the window has room: 0 when it has. p_room is what may have been spent before.
create function holdfast.graph_window_wait(p_bucket text, p_name text, p_room double precision, p_now double precision)
  returns double precision
  language sql stable
as $$
  with counted as (
    select ends_at, cost from graph_spent where bucket = p_bucket and name = p_name and ends_at > p_now),
  remaining as (
    select ends_at, (sum(cost) over ()) - (sum(cost) over (order by ends_at)) as cost_afterwards from counted)
  select case when (select coalesce(sum(cost), 0) from counted) <= p_room then 0
    else coalesce((select min(ends_at) from remaining where cost_afterwards <= p_room), p_now) - p_now end;
$$;

-- Takes all charges of a claim, or none. Answers {granted} or {bucket, reason, waitMs}. Buckets are locked in the
-- order of their names, so that claims over the same buckets never wait for each other in a circle.
create function holdfast.take_graph_budget(p_claim jsonb, p_grant uuid, p_now double precision) returns jsonb
  language plpgsql
as $$
declare
  charge jsonb;
  wanted jsonb;
  state graph_buckets;
  worst jsonb;
  refused jsonb;
  wait double precision;
  granule double precision;
  is_restore boolean := p_claim->>'priority' = 'restore';
begin
  for charge in select value from jsonb_array_elements(p_claim->'charges') order by value->>'bucket' loop
    insert into graph_buckets (bucket, restore_until)
      values (charge->>'bucket', case when is_restore then p_now + 30000 else 0 end)
      on conflict (bucket) do update set restore_until = greatest(graph_buckets.restore_until, excluded.restore_until)
      returning * into state;
    refused := null;
    if state.paused_until > p_now then
      refused := jsonb_build_object('reason', 'paused', 'waitMs', ceil(state.paused_until - p_now));
    end if;
    if refused is null then
      for wanted in select value from jsonb_array_elements(charge->'windows') loop
        wait := holdfast.graph_window_wait(charge->>'bucket', wanted->>'name',
          greatest(0, (wanted->>'limit')::float8 - (wanted->>'cost')::float8
            - (case when is_restore then 0 else coalesce((wanted->>'heldForRestores')::float8, 0) end)),
          p_now);
        if wait > 0 then
          refused := jsonb_build_object('reason', 'window', 'waitMs', ceil(wait));
          exit;
        end if;
      end loop;
    end if;
    if refused is null and charge ? 'slots' then
      delete from graph_slots where bucket = charge->>'bucket' and ends_at <= p_now;
      if (select count(*) from graph_slots where bucket = charge->>'bucket') >= (charge->'slots'->>'limit')::int
        - (case when not is_restore and state.restore_until > p_now then (charge->'slots'->>'heldForRestores')::int else 0 end) then
        refused := jsonb_build_object('reason', 'slots', 'waitMs', 50);
      end if;
    end if;
    if refused is not null and (worst is null or (refused->>'waitMs')::float8 > (worst->>'waitMs')::float8) then
      worst := refused || jsonb_build_object('bucket', charge->>'bucket');
    end if;
  end loop;
  if worst is not null then return worst; end if;
  for charge in select value from jsonb_array_elements(p_claim->'charges') order by value->>'bucket' loop
    for wanted in select value from jsonb_array_elements(charge->'windows') loop
      granule := greatest(1, (wanted->>'windowMs')::float8 / 200);
      delete from graph_spent where bucket = charge->>'bucket' and name = wanted->>'name' and ends_at <= p_now;
      insert into graph_spent (bucket, name, slice, cost, ends_at)
        values (charge->>'bucket', wanted->>'name', floor(p_now / granule), least((wanted->>'cost')::float8, (wanted->>'limit')::float8),
          (floor(p_now / granule) + 1) * granule + (wanted->>'windowMs')::float8)
        on conflict (bucket, name, slice) do update set cost = graph_spent.cost + excluded.cost;
    end loop;
    if charge ? 'slots' then
      insert into graph_slots (bucket, grant_id, ends_at)
        values (charge->>'bucket', p_grant, p_now + (charge->'slots'->>'leaseMs')::float8);
    end if;
  end loop;
  return jsonb_build_object('granted', true);
end $$;
