-- The ground: roles, the helpers that put isolation on a table by construction, idempotency keys.
-- Three roles. The owner (whoever runs this) makes tables. holdfast_application owns nothing and is
-- what the program runs as. holdfast_directory may read published ids and times of all organisations.

do $$
begin
  if not exists (select from pg_roles where rolname = 'holdfast_application') then
    create role holdfast_application nologin nosuperuser nobypassrls nocreatedb nocreaterole noinherit;
  end if;
exception when duplicate_object or unique_violation then null;
end $$;

do $$
begin
  if not exists (select from pg_roles where rolname = 'holdfast_directory') then
    create role holdfast_directory nologin nosuperuser nobypassrls nocreatedb nocreaterole noinherit;
  end if;
exception when duplicate_object or unique_violation then null;
end $$;

do $$
begin
  if not pg_has_role(current_user, 'holdfast_application', 'set') then
    grant holdfast_application to current_user with inherit false, set true;
  end if;
  if not pg_has_role('holdfast_application', 'holdfast_directory', 'set') then
    grant holdfast_directory to holdfast_application with inherit false, set true;
  end if;
exception when unique_violation then null;
end $$;

create extension if not exists pg_trgm;
create extension if not exists unaccent;
create extension if not exists btree_gin;

revoke create on schema public from public;
grant usage on schema public to holdfast_application, holdfast_directory;

create schema holdfast;
grant usage on schema holdfast to holdfast_application, holdfast_directory;

-- The organisation and the realm of this transaction; null when none is set. After a transaction that
-- set one, the setting of a pooled connection is '', not null: hence nullif.
create function holdfast.organisation() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('holdfast.organisation', true), '')::uuid;

create function holdfast.realm() returns text
  language sql stable parallel safe
  return nullif(current_setting('holdfast.realm', true), '');

-- Isolates a table: enables and forces row-level security with one policy for reading and writing, fills
-- both columns from the scope when a statement leaves them out, and grants the application its rights
-- (never TRUNCATE). p_rights lets a migration grant less, e.g. 'select, insert' for what is only appended.
create procedure holdfast.isolate(p_table regclass, p_rights text default 'select, insert, update, delete')
  language plpgsql
as $$
begin
  execute format('alter table %s alter column organisation_id set default holdfast.organisation()', p_table);
  execute format('alter table %s alter column realm set default holdfast.realm()', p_table);
  execute format('alter table %s enable row level security', p_table);
  execute format('alter table %s force row level security', p_table);
  execute format(
    'create policy isolation on %s as permissive for all to public '
    'using (organisation_id = nullif(current_setting(''holdfast.organisation'', true), '''')::uuid and realm = nullif(current_setting(''holdfast.realm'', true), '''')) '
    'with check (organisation_id = nullif(current_setting(''holdfast.organisation'', true), '''')::uuid and realm = nullif(current_setting(''holdfast.realm'', true), ''''))',
    p_table);
  execute format('grant %s on %s to holdfast_application', p_rights, p_table);
end $$;

-- A table of the installation: rights for the application, no row-level security.
create procedure holdfast.share(p_table regclass, p_rights text default 'select, insert, update, delete')
  language plpgsql
as $$
begin
  execute format('grant %s on %s to holdfast_application', p_rights, p_table);
end $$;

-- Publishes columns (ids and times, nothing else) of an isolated table to the directory role, so that
-- the organisation of a row can be found before it is known.
create procedure holdfast.publish(p_table regclass, p_columns text[])
  language plpgsql
as $$
begin
  execute format('grant select (%s) on %s to holdfast_directory',
    (select string_agg(quote_ident(name), ', ') from unnest(p_columns) as name), p_table);
  execute format('create policy directory on %s for select to holdfast_directory using (true)', p_table);
end $$;

create table idempotency_keys (
  key text primary key,
  fingerprint text not null,
  answer text,
  created_at timestamptz not null default now(),
  finished_at timestamptz
);
create index idempotency_keys_created_at on idempotency_keys (created_at);
call holdfast.share('idempotency_keys');
