import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { silentLogger as logger } from '@holdfast/foundation/logger';
import { startSimulator, type Simulator } from '@holdfast/m365-simulator';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../settings/config.ts';
import { openMasterKey } from '../keys/master-key.ts';
import { connectSimulated } from '../testing/simulated-tenant.ts';
import { testServer, type TestServer } from '../testing/test-server.ts';
import { checkTenant } from './check-tenant.ts';

const testing = testDatabase(import.meta.url);
let folder = '';
let simulator: Simulator;
let server: TestServer;
let tenantId = '';

const settings = () => ({
  HOLDFAST_DATA_DIR: folder,
  HOLDFAST_DATABASE_URL: testing.ownerUrl,
  HOLDFAST_DATABASE_APPLICATION_URL: testing.applicationUrl,
  HOLDFAST_GRAPH_URL: simulator.graph,
  HOLDFAST_LOGIN_URL: simulator.login,
  HOLDFAST_GRAPH_CA_FILE: simulator.ca,
  HOLDFAST_LOCATION_ROOTS: folder,
});

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'holdfast-check-tenant-'));
  simulator = await startSimulator({ recipes: ['tiny'], limits: 'off' });
  const masterKey = await openMasterKey(readConfig(settings()), testing.database);
  server = await testServer(testing, { settings: settings(), masterKey });
  const owner = await server.owner();
  ({ tenantId } = await connectSimulated({ server, owner, simulator, testing, vault: path.join(folder, 'vault') }));
}, 120_000);

afterAll(async () => {
  await server.close();
  await simulator.close();
  await rm(folder, { recursive: true, force: true });
});

/** The command as the console runs it: what it prints, and what it fails with. */
async function check(given: Readonly<Record<string, string>>): Promise<{ readonly lines: readonly string[]; readonly code: unknown }> {
  const lines: string[] = [];
  const print = (line: string): void => void lines.push(line);
  const context = { config: readConfig(settings()), logger, print };
  const code = await checkTenant.run(context, given).then(
    () => undefined,
    (error: unknown) => (error as { readonly code: string }).code,
  );
  return { lines, code };
}

test('lists the tenants when none is named, and refuses one that is not here', async () => {
  expect((await check({})).lines[0]).toBe(`${tenantId}\tproduction\tContoso`);
  expect((await check({ tenant: 'nonsense' })).code).toBe('admin.bad-option');
  expect((await check({ tenant: '00000000-0000-4000-8000-000000000000' })).code).toBe('admin.bad-option');
});

test('finds nothing different at the simulator, and changes nothing there', async () => {
  const before = simulator.simulation.log.total;
  const { lines, code } = await check({ tenant: tenantId });
  expect(code).toBeUndefined();
  expect(lines.at(-1)).toMatch(/^\d+ as expected, 0 different, 0 not asked\.$/u);
  const sent = simulator.simulation.log.list({ after: before }).filter(({ host }) => host === 'graph');
  expect(sent.length).toBeGreaterThan(20);
  expect(sent.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('names what a service does differently, and fails', async () => {
  simulator.control.setFaults([{ match: { method: 'GET', path: '/users/$count' }, do: 'status', status: 403 }]);
  onTestFinished(() => simulator.control.setFaults([]));
  const { lines, code } = await check({ tenant: tenantId });
  expect(code).toBe('admin.service-differs');
  const at = lines.findIndex((line) => line.startsWith('different\tcount-segment\t'));
  expect(lines[at + 1]).toContain('it answered 403');
  expect(lines.at(-1)).toMatch(/, 1 different, 0 not asked\.$/u);
});
