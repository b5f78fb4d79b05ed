import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { anOrganisationId, testDatabase } from '../../testing/test-database.ts';
import type { Scope } from './scope.ts';
import type { Tx } from './database.ts';

/** Every table with an organisation, as the application: without a scope, or with another's, there is nothing and nothing can be written. */
const db = testDatabase(import.meta.url);

const SAMPLES: Readonly<Record<string, string>> = {
  uuid: 'gen_random_uuid()',
  text: `'x'`,
  'timestamp with time zone': 'now()',
  date: 'current_date',
  jsonb: `'{}'`,
  json: `'{}'`,
  tsvector: `''`,
  bytea: String.raw`'\x00'`,
  integer: '1',
  bigint: '1',
  smallint: '1',
  'double precision': '1',
  numeric: '1',
  boolean: 'false',
  ARRAY: `'{}'`,
};

/** The columns of every table with an organisation that a row has to have, by table. */
async function tables(): Promise<ReadonlyMap<string, readonly Record<string, unknown>[]>> {
  const columns = await db.asSuperuser(
    `select owned.table_name as "table", needed.column_name as name, needed.data_type as type
     from information_schema.columns owned join information_schema.columns needed using (table_schema, table_name)
     where table_schema = 'public' and owned.column_name = 'organisation_id' and needed.is_generated = 'NEVER'
       and needed.identity_generation is null and (needed.is_nullable = 'NO' or needed.column_name in ('organisation_id', 'realm'))
     order by 1, needed.ordinal_position`,
  );
  return Map.groupBy(columns, (column) => String(column['table']));
}

/** An insert of one row that fits the types of a table. */
function anyRow(name: string, columns: readonly Record<string, unknown>[], scope: Scope): string {
  const value = (column: Record<string, unknown>): string => {
    if (column['name'] === 'organisation_id') return `'${scope.organisationId}'`;
    return column['name'] === 'realm' ? `'${scope.realm}'` : (SAMPLES[String(column['type'])] ?? 'default');
  };
  return `insert into ${name} (${columns.map((column) => `"${String(column['name'])}"`).join(', ')}) values (${columns.map(value).join(', ')})`;
}

/** Checks of single columns are not what this is about. */
async function dropChecks(): Promise<void> {
  await db.asSuperuser(`do $$ declare one record; begin
    for one in select conrelid::regclass as relation, conname from pg_constraint join pg_class on pg_class.oid = conrelid
      join pg_attribute on attrelid = conrelid and attname = 'organisation_id'
      where contype = 'c' and relnamespace = 'public'::regnamespace and coninhcount = 0 loop
      execute format('alter table %s drop constraint %I', one.relation, one.conname);
    end loop; end $$`);
}

/** How many rows each table has, past every policy. */
async function counts(names: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await db.asSuperuser(names.map((name) => `select '${name}' as name, count(*)::int as n from ${name}`).join(' union all '));
  return new Map(rows.map((row) => [String(row['name']), Number(row['n'])]));
}

async function count(tx: Tx, name: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${sql.table(name)}`.execute(tx);
  return rows[0]?.n ?? -1;
}

test('no table shows a row without a scope or within another, and none takes or loses a foreign row', async () => {
  const columns = await tables();
  const names = [...columns.keys()];
  const own: Scope = { organisationId: anOrganisationId(), realm: 'production' };
  const others: readonly Scope[] = [
    { organisationId: anOrganisationId(), realm: 'production' },
    { ...own, realm: 'staging' },
  ];
  const inserts = new Map([...columns].map(([name, needed]) => [name, anyRow(name, needed, own)]));
  await dropChecks();
  await db.asSuperuser(`begin; set local session_replication_role = replica; ${[...inserts.values()].join('; ')}; commit`);
  const findings: string[] = [];
  for (const [name, insert] of inserts) {
    if ((await db.database.within(own, (tx) => count(tx, name))) !== 1) findings.push(`${name}: its own scope does not see it`);
    if ((await db.database.installation((tx) => count(tx as unknown as Tx, name))) !== 0) findings.push(`${name}: seen without a scope`);
    for (const scope of others) {
      if ((await db.database.within(scope, (tx) => count(tx, name))) !== 0) findings.push(`${name}: seen from another scope`);
      const written = await db.database.within(scope, (tx) => sql.raw(insert).execute(tx)).catch((error: unknown) => error);
      if ((written as { code?: string }).code !== '42501') findings.push(`${name}: a foreign row was not refused as such`);
      await db.database.within(scope, (tx) => sql`delete from ${sql.table(name)}`.execute(tx)).catch(() => undefined);
    }
  }
  for (const [name, rows] of await counts(names)) if (rows !== 1) findings.push(`${name}: a foreign row was lost or added`);
  expect(findings).toEqual([]);
  expect(names.length).toBeGreaterThan(15);
  process.stdout.write(`isolation: ${names.length} tables swept, 0 foreign rows seen, written or lost\n`);
});
