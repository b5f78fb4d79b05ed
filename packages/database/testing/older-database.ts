import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, inject } from 'vitest';
import { migrate, migrationsFolder } from '../src/migrations/migrate.ts';
import { databaseUrl, queryOnce } from './test-database.ts';

/** A database as an earlier version left it, to be taken over by this one. */
export interface OlderDatabase {
  readonly ownerUrl: string;
  /** As a superuser, past everything. */
  readonly sql: (text: string) => Promise<Record<string, unknown>[]>;
  /** What an update to this version does, or to one whose migrations have numbers below `before`. */
  readonly update: (before?: string) => ReturnType<typeof migrate>;
}

/** Call at the top of a `.db.test.ts`: the migrations with numbers below `before` have run. */
export function olderDatabase(topic: string, before: string): OlderDatabase {
  const name = `migrate_${topic}_${process.pid}`;
  const ownerUrl = databaseUrl(inject('postgresOwnerUrl'), name);
  let folder: string;
  /** Runs the migrations with numbers below this one. */
  async function migrateBelow(number: string): ReturnType<typeof migrate> {
    for (const file of (await readdir(migrationsFolder)).filter((one) => one < number)) {
      await cp(path.join(migrationsFolder, file), path.join(folder, file));
    }
    return migrate(ownerUrl, { folder });
  }
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), `holdfast-${topic}-`));
    await queryOnce(inject('postgresOwnerUrl'), `create database ${name}`);
    await migrateBelow(before);
  }, 60_000);
  afterAll(async () => {
    await queryOnce(inject('postgresOwnerUrl'), `drop database if exists ${name} with (force)`);
    await rm(folder, { recursive: true, force: true });
  });
  return {
    ownerUrl,
    sql: (text) => queryOnce(databaseUrl(inject('postgresAdministratorUrl'), name), text),
    update: (number) => (number === undefined ? migrate(ownerUrl) : migrateBelow(number)),
  };
}
