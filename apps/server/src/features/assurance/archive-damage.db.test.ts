import { testDatabase } from '@holdfast/database/testing/test-database';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSimulatedServer, type SimulatedServer } from '../../testing/simulated-server.ts';
import { connectSimulated, type RunRow, type SimulatedTenant } from '../../testing/simulated-tenant.ts';

/** An archive in a vault of its own: what is done to it is told with the archive's name and its messages. */
const testing = testDatabase(import.meta.url);
let running: SimulatedServer;
let tenant: SimulatedTenant;
let vault = '';
let verifyJob = '';
let person = '';

beforeAll(async () => {
  running = await startSimulatedServer(testing);
  const { server, simulator, folder } = running;
  tenant = await connectSimulated({ server, owner: await server.owner(), simulator, testing, vault: path.join(folder, 'backups') });
  vault = path.join(folder, 'archives');
  const { locationId } = await tenant.call<{ locationId: string }>(`${tenant.tenantId}/locations`, {
    kind: 'filesystem',
    name: 'Archives',
    path: vault,
  });
  const [directory] = [...simulator.simulation.tenants.values()].map((one) => one.directory);
  const [{ id, displayName: name } = { id: '', displayName: '' }] = (directory?.users() ?? []).filter((one) => one.hasMailbox);
  person = name;
  const source = { users: [{ id, name }] };
  await successful(await tenant.job({ type: 'backup', name: 'Mail', source }));
  await successful(await tenant.job({ type: 'archive', name: 'Archive', source, locationId }));
  verifyJob = await tenant.job({ type: 'verify', name: 'Verify', budgetPercent: 100, locationId });
  await successful(verifyJob);
}, 240_000);
afterAll(() => running.close());

async function successful(jobId: string): Promise<void> {
  const { status, code } = await tenant.finish(jobId);
  if (status !== 'successful') throw new Error(`A run of the ground ended ${status}: ${code}.`);
}

interface Named {
  readonly accountName: string;
  readonly path: string;
  readonly code: string;
}

/** Does something to the vault, verifies, and puts back what there was. */
async function after(work: () => Promise<unknown>): Promise<{ run: RunRow; named: readonly Named[] }> {
  const kept = path.join(running.folder, 'kept');
  await rm(kept, { recursive: true, force: true });
  await cp(vault, kept, { recursive: true });
  await work();
  const run = await tenant.finish(verifyJob);
  const { items: named } = await tenant.call<{ items: Named[] }>(`${tenant.tenantId}/monitoring/${run.run_id}/problems?limit=200`);
  await cp(kept, vault, { recursive: true, force: true });
  return { run, named };
}

async function eachFile(folder: string, work: (file: string) => Promise<unknown>): Promise<void> {
  const entries = await readdir(path.join(vault, folder), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) await work(file);
}

test('an archive whose journal is gone is missed by name', async () => {
  const { run, named } = await after(async () => {
    for (const folder of ['journal', 'copies']) await rm(path.join(vault, folder), { recursive: true });
  });
  expect(run).toMatchObject({ status: 'defective', code: 'vault.journal-missing' });
  expect(named.map(({ accountName, code }) => [accountName, code])).toEqual(
    expect.arrayContaining([
      [person, 'vault.journal-missing'],
      [person, 'vault.points-lost'],
    ]),
  );
});

test.each([
  ['flipped', (data: Buffer) => data.map((byte, at) => (at === data.length >> 1 ? byte ^ 4 : byte))],
  ['cut', (data: Buffer) => data.subarray(0, data.length >> 1)],
  ['emptied', () => Buffer.alloc(0)],
])('messages of an archive whose packs are %s are named', async (_, change) => {
  const { run, named } = await after(() => eachFile('packs', async (file) => writeFile(file, change(await readFile(file)))));
  expect(run.status).toBe('defective');
  expect(run.result).toMatchObject({ findings: expect.arrayContaining([expect.objectContaining({ code: 'vault.items-lost' })]) });
  const lost = named.filter(({ code }) => code === 'vault.damaged' || code === 'vault.commit-lost');
  expect(lost.filter(({ accountName, path: name }) => accountName === person && name !== '').length).toBeGreaterThan(0);
});

test('an archive that was put back as it was verifies again', async () => {
  expect(await tenant.finish(verifyJob)).toMatchObject({ status: 'successful', result: { deviations: 0, complete: true } });
});
