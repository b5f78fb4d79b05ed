import type { OwnerRow } from '@holdfast/contract/compliance-values';
import type { Page } from '@holdfast/contract/paging';
import { testDatabase } from '@holdfast/database/testing/test-database';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSimulatedServer, type SimulatedServer } from '../../testing/simulated-server.ts';
import { act, connectSimulated, everyone, type SimulatedTenant } from '../../testing/simulated-tenant.ts';
import { scanTenant } from './testing/scan-tenant.ts';

/** Owners of files of whom nothing else is protected: only the directory knows whether they are still there. */
const testing = testDatabase(import.meta.url);
let running: SimulatedServer;
let tenant: SimulatedTenant;

beforeAll(async () => {
  running = await startSimulatedServer(testing);
  const { server, simulator } = running;
  const owner = await server.owner();
  tenant = await connectSimulated({ server, owner, simulator, testing, vault: path.join(running.folder, 'vault') });
  await tenant.finish(await tenant.job({ name: 'Sites', type: 'backup', workload: 'sharepoint', source: everyone }));
}, 240_000);
afterAll(() => running.close());

const directory = () => {
  const [inside] = running.simulator.simulation.tenants.values();
  if (!inside) throw new Error('The simulator has no tenant.');
  return inside.directory;
};
const owners = async (narrowed = ''): Promise<readonly OwnerRow[]> =>
  (await tenant.call<Page<OwnerRow>>(`${tenant.tenantId}/data-management/owners?limit=200${narrowed}`)).items;
const gone = async (): Promise<readonly (readonly [string, boolean])[]> =>
  (await owners('&gone=true')).map(({ ownerId, goneSince }) => [ownerId, goneSince !== null]);
/** A day later, so that everybody is asked for again. */
async function nextDay(): Promise<void> {
  await testing.asSuperuser(`update compliance_owners set asked_at = asked_at - interval '2 days'`);
  await scanTenant(tenant);
}

test('an owner who leaves is found by the next scan of another day, and is there again when the account comes back', async () => {
  await scanTenant(tenant);
  const [leaving, staying] = await owners();
  if (!leaving || !staying) throw new Error('There are fewer than two owners.');
  expect(await gone()).toEqual([]);
  const person = directory().user(leaving.ownerId);
  if (!person) throw new Error('The directory does not know the owner.');
  act(running.simulator, 'directory.removeUser', { user: leaving.ownerId });
  await scanTenant(tenant);
  expect(await gone()).toEqual([]);
  await nextDay();
  expect(await gone()).toEqual([[leaving.ownerId, true]]);
  const [since] = (await owners('&gone=true')).map(({ goneSince }) => goneSince);
  await nextDay();
  expect((await owners('&gone=true')).map(({ goneSince }) => goneSince)).toEqual([since]);
  directory().putUser(person);
  await nextDay();
  expect(await gone()).toEqual([]);
}, 240_000);

test('while the directory cannot be asked the scan makes its report, and nobody is called gone', async () => {
  const [someone] = await owners();
  act(running.simulator, 'directory.removeUser', { user: someone?.ownerId });
  running.simulator.control.setFaults([{ match: { method: 'GET', path: '/users/*' }, do: 'status', status: 403 }]);
  await nextDay();
  expect(await gone()).toEqual([]);
  running.simulator.control.setFaults([]);
  await nextDay();
  expect(await gone()).toEqual([[someone?.ownerId, true]]);
}, 240_000);
