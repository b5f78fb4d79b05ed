import { silentLogger } from '@holdfast/foundation/logger';
import { secureRandom } from '@holdfast/foundation/random';
import { createIds } from '@holdfast/foundation/ids';
import { systemClock } from '@holdfast/foundation/clock';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, inject, onTestFailed, beforeEach } from 'vitest';
import { openDatabase, organisationId, type Database, type OrganisationId } from '../src/index.ts';
import { templateName } from './postgres.setup.ts';

/** A database for one test file, named after it; kept when one of its tests failed. */
export interface TestDatabase {
  readonly database: Database;
  readonly ownerUrl: string;
  readonly applicationUrl: string;
  /** SQL as the owner of the tables, past the application's rights but not past row-level security. */
  readonly asOwner: (sql: string, values?: readonly unknown[]) => Promise<Record<string, unknown>[]>;
  /** SQL as a superuser, past everything: for looking at what is really there. */
  readonly asSuperuser: (sql: string, values?: readonly unknown[]) => Promise<Record<string, unknown>[]>;
}

const ids = createIds(systemClock, secureRandom);

/** A new organisation's id. */
export function anOrganisationId(): OrganisationId {
  return organisationId(ids.uuid());
}

function nameFor(fileUrl: string): string {
  const file = path.basename(new URL(fileUrl).pathname).replace(/\.(db|long)?\.?test\.ts$/, '');
  return `test_${file.replaceAll(/[^a-z0-9]+/gi, '_').toLowerCase()}_${secureRandom.bytes(3).toString('hex')}`.slice(0, 60);
}

/** The address of another database of the same server. */
export function databaseUrl(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}

/** One statement over a connection of its own. */
export async function queryOnce(url: string, sql: string, values: readonly unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  // A connection that breaks is told of by the statement that fails; nobody else listens.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const result = await client.query<Record<string, unknown>>(sql, [...values]);
    return Array.isArray(result) ? [] : result.rows;
  } finally {
    await client.end();
  }
}

/** Call at the top of a `.db.test.ts` with `import.meta.url`; the database is there in every test and hook. */
export function testDatabase(fileUrl: string): TestDatabase {
  const name = nameFor(fileUrl);
  const ownerUrl = databaseUrl(inject('postgresOwnerUrl'), name);
  const applicationUrl = databaseUrl(inject('postgresApplicationUrl'), name);
  const database = openDatabase({ url: applicationUrl, role: 'holdfast_application', poolSize: 8, logger: silentLogger });
  let isKept = false;
  beforeAll(async () => {
    await queryOnce(inject('postgresOwnerUrl'), `create database ${name} template ${templateName} strategy file_copy`);
  });
  beforeEach(() => {
    onTestFailed(() => {
      isKept = true;
    });
  });
  afterAll(async () => {
    await database.close();
    if (!isKept) await queryOnce(inject('postgresAdministratorUrl'), `drop database if exists ${name} with (force)`);
  });
  return {
    database,
    ownerUrl,
    applicationUrl,
    asOwner: (sql, values) => queryOnce(ownerUrl, sql, values),
    asSuperuser: (sql, values) => queryOnce(databaseUrl(inject('postgresAdministratorUrl'), name), sql, values),
  };
}
