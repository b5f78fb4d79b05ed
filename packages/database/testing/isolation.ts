import pg from 'pg';

/** A table that breaks the rules of isolation, and how. */
export interface IsolationFault {
  readonly table: string;
  readonly fault: string;
}

/** Policies that migrations may make. */
const POLICIES = ['isolation', 'directory', 'lookup'];

/** Their words are looked up by functions of the owner, for one organisation: see the migration of search by day. */
const LOOKED_UP = ['search_words', 'search_vocabulary'];

/** Functions that run with the rights of the owner. Each is one statement for the organisation of its transaction. */
const OF_THE_OWNER = ['items_with_words', 'words_like'];

/**
 * Looks at a migrated database and names every table that breaks the rules: one with an organisation
 * whose row-level security is not enabled and forced, whose policies are not the known ones, whose
 * primary key does not begin with the organisation, or which the application may truncate; and every function that passes over all this.
 */
export async function findIsolationFaults(ownerUrl: string): Promise<IsolationFault[]> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const { rows } = await client.query<IsolationFault>(
      `
      with isolated as (
        select class.oid, class.relname::text as name, class.relrowsecurity, class.relforcerowsecurity
        from pg_class class
        join pg_namespace space on space.oid = class.relnamespace and space.nspname = 'public'
        where class.relkind in ('r', 'p')
          and exists (select from pg_attribute a where a.attrelid = class.oid and a.attname = 'organisation_id' and not a.attisdropped))
      select name as table, 'row-level security is not enabled and forced' as fault from isolated where not (relrowsecurity and relforcerowsecurity)
      union all
      select name, 'it has no policy of isolation' from isolated
        where not exists (select from pg_policy p where p.polrelid = isolated.oid and p.polname = 'isolation' and p.polcmd = '*')
      union all
      select name, 'the policy ' || p.polname || ' is not a known one' from isolated join pg_policy p on p.polrelid = isolated.oid
        where not (p.polname = any($1) and case p.polname when 'directory' then p.polroles = array['holdfast_directory'::regrole::oid] and p.polcmd = 'r'
          when 'lookup' then p.polrelid::regclass::text = any($2) and p.polcmd = 'r'
            and p.polroles = array[(select relowner from pg_class owned where owned.oid = p.polrelid)]
          else p.polroles = array[0::oid] end)
      union all
      select name, 'its primary key does not begin with organisation_id' from isolated
        where not exists (select from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
          where i.indrelid = isolated.oid and i.indisprimary and a.attname = 'organisation_id')
      union all
      select name, 'it has no realm' from isolated
        where not exists (select from pg_attribute a where a.attrelid = isolated.oid and a.attname = 'realm' and a.attnotnull)
      union all
      select class.relname::text, 'the application may truncate it' from pg_class class
        join pg_namespace space on space.oid = class.relnamespace and space.nspname in ('public', 'pgboss')
        where class.relkind in ('r', 'p') and has_table_privilege('holdfast_application', class.oid, 'truncate')
      union all
      select f.proname::text, 'it runs with the rights of its owner and is not a known one' from pg_proc f
        join pg_namespace space on space.oid = f.pronamespace and space.nspname in ('public', 'holdfast')
        where f.prosecdef and not (f.proname = any($3) and f.proconfig @> array['search_path=public, pg_temp'])
      order by 1, 2`,
      [POLICIES, LOOKED_UP, OF_THE_OWNER],
    );
    return rows;
  } finally {
    await client.end();
  }
}
