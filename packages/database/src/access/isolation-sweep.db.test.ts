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

async function tables(): Promise<string[]> {
  const rows = await db.asSuperuser(
    "select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'organisation_id' order by 1",
  );
  return rows.map((row) => String(row['name']));
}

/** An insert of one row that fits the types of a table. */
async function anyRow(name: string, scope: Scope): Promise<string> {
  const columns = await db.asSuperuser(
    `select column_name as name, data_type as type from information_schema.columns where table_schema = 'public' and table_name = $1
     and is_generated = 'NEVER' and identity_generation is null and (is_nullable = 'NO' or column_name in ('organisation_id', 'realm'))`,
    [name],
  );
  const value = (column: Record<string, unknown>): string => {
    if (column['name'] === 'organisation_id') return `'${scope.organisationId}'`;
    return column['name'] === 'realm' ? `'${scope.realm}'` : (SAMPLES[String(column['type'])] ?? 'default');
  };
  return `insert into ${name} (${columns.map((column) => `"${String(column['name'])}"`).join(', ')}) values (${columns.map(value).join(', ')})`;
}

/** Checks of single columns are not what this is about. */
async function dropChecks(name: string): Promise<void> {
  const checks = await db.asSuperuser("select conname as name from pg_constraint where conrelid = $1::regclass and contype = 'c'", [name]);
  for (const check of checks) await db.asSuperuser(`alter table ${name} drop constraint "${String(check['name'])}"`);
}

async function count(tx: Tx, name: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${sql.table(name)}`.execute(tx);
  return rows[0]?.n ?? -1;
}

test('no table shows a row without a scope or within another, and none takes or loses a foreign row', async () => {
  const names = await tables();
  const own: Scope = { organisationId: anOrganisationId(), realm: 'production' };
  const others: readonly Scope[] = [
    { organisationId: anOrganisationId(), realm: 'production' },
    { ...own, realm: 'staging' },
  ];
  const findings: string[] = [];
  for (const name of names) {
    await dropChecks(name);
    const insert = await anyRow(name, own);
    await db.asSuperuser(`begin; set local session_replication_role = replica; ${insert}; commit`);
    if ((await db.database.within(own, (tx) => count(tx, name))) !== 1) findings.push(`${name}: its own scope does not see it`);
    if ((await db.database.installation((tx) => count(tx as unknown as Tx, name))) !== 0) findings.push(`${name}: seen without a scope`);
    for (const scope of others) {
      if ((await db.database.within(scope, (tx) => count(tx, name))) !== 0) findings.push(`${name}: seen from another scope`);
      const written = await db.database.within(scope, (tx) => sql.raw(insert).execute(tx)).catch((error: unknown) => error);
      if ((written as { code?: string }).code !== '42501') findings.push(`${name}: a foreign row was not refused as such`);
      await db.database.within(scope, (tx) => sql`delete from ${sql.table(name)}`.execute(tx)).catch(() => undefined);
    }
    if ((await db.asSuperuser(`select count(*)::int as n from ${name}`))[0]?.['n'] !== 1)
      findings.push(`${name}: a foreign row was lost or added`);
  }
  expect(findings).toEqual([]);
  expect(names.length).toBeGreaterThan(15);
  process.stdout.write(`isolation: ${names.length} tables swept, 0 foreign rows seen, written or lost\n`);
});
