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
  /** What an update to this version does. */
  readonly update: () => ReturnType<typeof migrate>;
}

/** Call at the top of a `.db.test.ts`: the migrations with numbers below `before` have run. */
export function olderDatabase(topic: string, before: string): OlderDatabase {
  const name = `migrate_${topic}_${process.pid}`;
  const ownerUrl = databaseUrl(inject('postgresOwnerUrl'), name);
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), `holdfast-${topic}-`));
    await queryOnce(inject('postgresOwnerUrl'), `create database ${name}`);
    for (const file of (await readdir(migrationsFolder)).filter((one) => one < before)) {
      await cp(path.join(migrationsFolder, file), path.join(folder, file));
    }
    await migrate(ownerUrl, { folder });
  }, 60_000);
  afterAll(async () => {
    await queryOnce(inject('postgresOwnerUrl'), `drop database if exists ${name} with (force)`);
    await rm(folder, { recursive: true, force: true });
  });
  return {
    ownerUrl,
    sql: (text) => queryOnce(databaseUrl(inject('postgresAdministratorUrl'), name), text),
    update: () => migrate(ownerUrl),
  };
}
