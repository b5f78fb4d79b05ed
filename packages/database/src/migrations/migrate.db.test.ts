import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { migrate, migrationsFolder } from './migrate.ts';

let folder: string;
const made: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'holdfast-migrations-'));
  await cp(migrationsFolder, folder, { recursive: true });
});
afterAll(async () => {
  for (const name of made) await query(inject('postgresOwnerUrl'), `drop database if exists ${name} with (force)`);
  await rm(folder, { recursive: true, force: true });
});

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function anEmptyDatabase(): Promise<string> {
  const name = `migrate_${made.length}_${process.pid}`;
  await query(inject('postgresOwnerUrl'), `create database ${name}`);
  made.push(name);
  const url = new URL(inject('postgresOwnerUrl'));
  url.pathname = `/${name}`;
  return url.href;
}

/** Everything that migrations make, as text. */
async function shapeOf(url: string): Promise<string[]> {
  const rows = await query(
    url,
    `select 'column ' || table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || ' ' || coalesce(column_default, '') as line
       from information_schema.columns where table_schema = 'public'
     union all select 'index ' || indexdef from pg_indexes where schemaname = 'public'
     union all select 'constraint ' || conrelid::regclass || ' ' || pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace
     union all select 'policy ' || tablename || ' ' || policyname || ' ' || coalesce(qual, '') from pg_policies where schemaname = 'public'
     order by 1`,
  );
  return rows.map((row) => String(row['line']));
}

test('many processes may migrate at once, and a second time changes nothing', async () => {
  const url = await anEmptyDatabase();
  const reports = await Promise.all([migrate(url), migrate(url), migrate(url)]);
  const names = (await readdir(migrationsFolder)).filter((name) => name.endsWith('.sql'));
  expect(reports.map((report) => report.applied.length).sort((a, b) => a - b)).toEqual([0, 0, names.length]);
  expect((await migrate(url)).applied).toEqual([]);
});

test('a database that grew step by step is equal to a fresh one', async () => {
  const fresh = await anEmptyDatabase();
  await migrate(fresh);
  const grown = await anEmptyDatabase();
  const steps = await mkdtemp(path.join(tmpdir(), 'holdfast-steps-'));
  for (const name of (await readdir(folder)).filter((candidate) => candidate.endsWith('.sql')).sort()) {
    await cp(path.join(folder, name), path.join(steps, name));
    await migrate(grown, { folder: steps });
  }
  await rm(steps, { recursive: true, force: true });
  expect(await shapeOf(grown)).toEqual(await shapeOf(fresh));
});

test('a database of a newer version is refused and not touched', async () => {
  const url = await anEmptyDatabase();
  await writeFile(path.join(folder, '9999-later.sql'), 'create table later (id int);');
  await migrate(url, { folder });
  await rm(path.join(folder, '9999-later.sql'));
  await expect(migrate(url, { folder })).rejects.toMatchObject({ code: 'database.newer-schema' });
  expect(await query(url, `select to_regclass('later') is not null as there`)).toEqual([{ there: true }]);
});

test('a migration that was edited after it was applied is found', async () => {
  const url = await anEmptyDatabase();
  await writeFile(path.join(folder, '9998-edited.sql'), 'create table edited (id int);');
  await migrate(url, { folder });
  await writeFile(path.join(folder, '9998-edited.sql'), 'create table edited (id bigint);');
  await expect(migrate(url, { folder })).rejects.toMatchObject({
    code: 'database.edited-migration',
    details: { migration: '9998-edited' },
  });
  await rm(path.join(folder, '9998-edited.sql'));
});

test('a migration that fails leaves nothing of itself', async () => {
  const url = await anEmptyDatabase();
  await writeFile(path.join(folder, '9997-broken.sql'), 'create table half (id int); select 1 / 0;');
  await expect(migrate(url, { folder })).rejects.toThrow('division by zero');
  expect(await query(url, `select to_regclass('half') is not null as there`)).toEqual([{ there: false }]);
  await rm(path.join(folder, '9997-broken.sql'));
  await expect(migrate(url, { folder })).resolves.toMatchObject({ applied: [] });
});
