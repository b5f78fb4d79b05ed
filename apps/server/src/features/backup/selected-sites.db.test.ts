import type { Candidate } from '@holdfast/contract/discovery';
import { testDatabase } from '@holdfast/database/testing/test-database';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSimulatedServer, type SimulatedServer } from '../../testing/simulated-server.ts';
import { connectSimulated, everyone, type SimulatedTenant } from '../../testing/simulated-tenant.ts';

/** An app that was granted two sites and no other role: Microsoft lists no sites to it. */
const testing = testDatabase(import.meta.url);
let running: SimulatedServer;
let tenant: SimulatedTenant;
let granted: Candidate;
let closed: Candidate;

beforeAll(async () => {
  running = await startSimulatedServer(testing);
  const { server, simulator, folder } = running;
  const owner = await server.owner();
  tenant = await connectSimulated({ server, owner, simulator, testing, vault: path.join(folder, 'vault') });
  const { items } = await sites('');
  const team = items.filter(({ address }) => address.includes('/sites/'));
  [granted, closed] = [team[0] as Candidate, team[1] as Candidate];
  const [{ tenantId } = { tenantId: '' }] = simulator.tenants;
  const { control } = simulator;
  control.withdraw(tenantId, Object.values(simulator.simulation.permissions.sets).flat());
  control.grant(tenantId, ['Sites.Selected']);
  control.changeApp(tenantId, { sites: { names: [granted.id], role: 'Sites.Read.All' } });
  control.revokeTokens(tenantId);
}, 120_000);
afterAll(() => running.close());

const sites = (search: string): Promise<{ items: Candidate[] }> =>
  tenant.call(
    `${tenant.tenantId}/discovery/${tenant.locationId}/sites?limit=200${search === '' ? '' : `&search=${encodeURIComponent(search)}`}`,
  );

test('a site that the app may open is found by its address, and no other', async () => {
  expect((await sites(granted.address)).items).toEqual([{ ...granted }]);
  expect((await sites(`${granted.address}/`)).items.map(({ id }) => id)).toEqual([granted.id]);
  expect((await sites(closed.address)).items).toEqual([]);
  expect((await sites('https://elsewhere.example/sites/home')).items).toEqual([]);
});

test('a site that was named by its address is backed up with Sites.Selected alone', async () => {
  const { id, name, address } = granted;
  const source = { ...everyone, everyone: false, sites: [{ id, name, address }] };
  const jobId = await tenant.job({ type: 'backup', workload: 'sharepoint', name: 'One site', source });
  const run = await tenant.finish(jobId);
  expect([run.status, run.code]).toEqual(['successful', null]);
  expect(run.added).toBeGreaterThan(0);
});

test('a job for every site says which permission is missing', async () => {
  const run = await tenant.finish(await tenant.job({ type: 'backup', workload: 'sharepoint', name: 'All sites', source: everyone }));
  expect([run.status, run.code]).toEqual(['failed', 'graph.permission-missing']);
});
