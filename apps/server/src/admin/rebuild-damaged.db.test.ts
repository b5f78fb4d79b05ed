import { testDatabase } from '@holdfast/database/testing/test-database';
import { silentLogger as logger } from '@holdfast/foundation/logger';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openMasterKey } from '../keys/master-key.ts';
import { readConfig } from '../settings/config.ts';
import { aGround } from '../testing/rows.ts';
import { startSimulatedServer, type SimulatedServer } from '../testing/simulated-server.ts';
import { act, connectSimulated } from '../testing/simulated-tenant.ts';
import { INCOMPLETE } from './command.ts';
import { rebuildCatalog } from './rebuild-catalog.ts';

/** The database is lost, and the vault is damaged as well. */
const before = testDatabase(import.meta.url);
const fresh = testDatabase(import.meta.url);
let running: SimulatedServer;
let vault = '';
/** Holds the master key: all that is left beside the vault. */
let data = '';
let mailboxes = 0;

const inVault = (...parts: readonly string[]): string => path.join(vault, ...parts);

beforeAll(async () => {
  data = await mkdtemp(path.join(tmpdir(), 'holdfast-rebuild-'));
  const masterKey = await openMasterKey({ HOLDFAST_DATA_DIR: data, HOLDFAST_MASTER_KEY: undefined }, before.database);
  running = await startSimulatedServer(before, {}, { recipe: 'tiny' }, { masterKey });
  const { server, simulator, folder } = running;
  const backedUp = path.join(folder, 'vault');
  const tenant = await connectSimulated({ server, owner: await server.owner(), simulator, testing: before, vault: backedUp });
  const [directory] = [...simulator.simulation.tenants.values()].map((one) => one.directory);
  const people = (directory?.users() ?? []).filter(({ hasMailbox }) => hasMailbox);
  mailboxes = people.length;
  const users = people.map(({ id, displayName: name }) => ({ id, name }));
  const jobId = await tenant.job({ type: 'backup', name: 'Mail', source: { users } });
  for (const subject of ['One', 'Two', 'Three']) {
    for (const { id: user } of users) act(simulator, 'mail.deliver', { user, subject });
    const { status, code } = await tenant.finish(jobId);
    if (status !== 'successful') throw new Error(`A run of the ground ended ${status}: ${code}.`);
  }
  vault = path.join(folder, 'damaged');
  await cp(backedUp, vault, { recursive: true });
}, 240_000);
afterAll(async () => {
  await running.close();
  await rm(data, { recursive: true, force: true });
});

/** The journals of the vault, with the names of their segments in order. */
async function journals() {
  const keys = await readdir(inVault('journal'));
  return Promise.all(
    keys.toSorted().map(async (key) => {
      const names = (await readdir(inVault('journal', key))).toSorted();
      return { key, segments: names.filter((name) => !name.endsWith('.marker')) };
    }),
  );
}

/** Runs the console over the new database; answers its exit code and its lines in columns. */
async function rebuilt(locationId: string): Promise<{ readonly code: number | void; readonly lines: readonly (readonly string[])[] }> {
  const config = readConfig({
    HOLDFAST_DATA_DIR: data,
    HOLDFAST_DATABASE_URL: fresh.ownerUrl,
    HOLDFAST_DATABASE_APPLICATION_URL: fresh.applicationUrl,
    HOLDFAST_LOCATION_ROOTS: running.folder,
  });
  const lines: string[] = [];
  const code = await rebuildCatalog.run({ config, logger, print: (line) => void lines.push(line) }, { location: locationId });
  return { code, lines: lines.map((line) => line.split('\t')) };
}

/** Every version of every item and every point that a catalog has of some resources. */
async function catalogOf({ asSuperuser }: typeof before, resourceIds: readonly string[]): Promise<unknown[]> {
  const of = 'join catalog_sources s using (organisation_id, realm, source_id) where s.resource_id = any($1)';
  return [
    await asSuperuser(`select resource_id, sequence, committed_at from catalog_points ${of} order by 1, 2`, [resourceIds]),
    await asSuperuser(`select resource_id, item_key, from_point, to_point, name, detail from catalog_items ${of} order by 1, 2, 3`, [
      resourceIds,
    ]),
  ];
}

test('a damaged vault is rebuilt but for the commits that are lost, and the console names who lacks them', async () => {
  const [gone, gap, saved] = await journals();
  if (!gone || !gap || !saved) throw new Error('The vault has too few journals.');
  for (const { segments } of [gone, gap, saved]) expect(segments.length).toBeGreaterThan(2);
  for (const kind of ['journal', 'copies']) {
    for (const name of gone.segments) await rm(inVault(kind, gone.key, name));
    await rm(inVault(kind, gap.key, gap.segments[1] ?? ''));
  }
  await rm(inVault('journal', saved.key, saved.segments[1] ?? ''));

  const { locationId } = await aGround(fresh.database, { folder: vault });
  const { code, lines } = await rebuilt(locationId);
  expect(code).toBe(INCOMPLETE);
  expect(lines.at(-1)).toEqual([`${mailboxes - 1} resources rebuilt, 1 skipped, 2 with lost commits.`]);
  const told = (what: RegExp): string[] => lines.flatMap(([id = '', said = '']) => (what.test(said) ? [id] : []));
  expect(told(/^skipped: none of its commits can be read$/)).toEqual([`journal/${gone.key}`]);
  const lost = Number(gap.segments[1]?.slice(0, 10));
  expect(told(new RegExp(`restore points; commit ${lost} is lost; .* until the next backup$`))).toHaveLength(1);
  const whole = told(/restore points$/);
  expect(whole).toHaveLength(mailboxes - 2);
  expect(whole.length).toBeGreaterThan(0);
  expect(await catalogOf(fresh, whole)).toEqual(await catalogOf(before, whole));
});
