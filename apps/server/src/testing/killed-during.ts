import { queryOnce, type TestDatabase } from '@holdfast/database/testing/test-database';
import path from 'node:path';
import pg from 'pg';
import { expect } from 'vitest';
import { startRole, type RoleProcess } from './processes.ts';

const LOCK = 7_230_114;
const waiting = `select pid from pg_locks where locktype = 'advisory' and objid = ${LOCK} and not granted`;

export interface Killing {
  readonly testing: TestDatabase;
  readonly folder: string;
  readonly settings: Readonly<Record<string, string>>;
}

/** Once for a database: what a transaction waits in until its process is gone. */
export async function prepareKills(testing: TestDatabase): Promise<void> {
  await testing.asSuperuser(`create function wait_for_the_test() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock(${LOCK}); return case tg_op when 'DELETE' then old else new end; end $$`);
}

/**
 * Sends a request to a server, or starts a worker that finds work waiting, and ends it by SIGKILL in the middle of the
 * transaction in which `written` (`insert on runs`) has changed.
 */
export async function killedDuring(
  { testing, folder, settings }: Killing,
  written: string,
  send?: (address: string) => Promise<Response>,
): Promise<void> {
  const holder = new pg.Client({ connectionString: testing.ownerUrl });
  let victim: RoleProcess | undefined;
  try {
    // A worker takes what waits as soon as it lives: everything is laid out for it before that.
    await holder.connect();
    await holder.query('select pg_advisory_lock($1)', [LOCK]);
    await testing.asSuperuser(`create trigger wait_for_the_test after ${written} for each row execute function wait_for_the_test()`);
    victim = await startRole(send ? 'api' : 'worker', 'victim', {
      ...settings,
      HOLDFAST_DATA_DIR: path.join(folder, 'victim'),
      HOLDFAST_PORT: '0',
      HOLDFAST_LOCATION_ROOTS: folder,
      HOLDFAST_DATABASE_URL: testing.ownerUrl,
      HOLDFAST_DATABASE_APPLICATION_URL: testing.applicationUrl,
      HOLDFAST_DATABASE_POOL: '4',
    });
    const answer = send?.(victim.address).then(
      ({ status }) => `answered ${status}`,
      () => 'died',
    );
    await expect.poll(() => testing.asSuperuser(waiting), { timeout: 90_000 }).toHaveLength(1);
    const [backend] = await testing.asSuperuser(waiting);
    await victim.kill();
    expect(await answer).toBe(send && 'died');
    await holder.query('select pg_advisory_unlock($1)', [LOCK]);
    const alive = `select 1 from pg_stat_activity where pid = ${Number(backend?.['pid'])}`;
    await expect.poll(() => queryOnce(testing.ownerUrl, alive), { timeout: 30_000 }).toEqual([]);
  } finally {
    await victim?.kill();
    await testing.asSuperuser(`drop trigger if exists wait_for_the_test on ${written.split(' on ')[1] ?? ''}`);
    await holder.end();
  }
}
