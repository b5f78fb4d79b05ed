import type { Candidate, Source } from '@holdfast/contract/discovery';
import { testDatabase } from '@holdfast/database/testing/test-database';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSimulatedServer, type SimulatedServer } from '../../testing/simulated-server.ts';
import { connectSimulated, everyone, unscheduled, type SimulatedTenant } from '../../testing/simulated-tenant.ts';

/** A guest has neither mailbox nor OneDrive, so that nothing can be restored to them. */
const testing = testDatabase(import.meta.url);
let running: SimulatedServer;
let tenant: SimulatedTenant;
let token = '';

beforeAll(async () => {
  running = await startSimulatedServer(testing);
  const { server, simulator, folder } = running;
  const owner = await server.owner();
  token = owner.tokens.main;
  tenant = await connectSimulated({ server, owner, simulator, testing, vault: path.join(folder, 'vault') });
  await tenant.finish(await tenant.job({ type: 'backup', name: 'Mail', source: everyone }));
  await tenant.finish(await tenant.job({ type: 'backup', name: 'Files', workload: 'onedrive', source: everyone }));
}, 120_000);
afterAll(() => running.close());

const people = async (query = ''): Promise<Candidate[]> => {
  const answer = await tenant.call<{ items: Candidate[] }>(`${tenant.tenantId}/discovery/${tenant.locationId}/users?limit=200${query}`);
  return answer.items;
};

test('guests are listed, and not where somebody chooses the target of a restore', async () => {
  const all = await people();
  expect(all.some(({ kind }) => kind === 'guest')).toBe(true);
  expect(await people('&guests=false')).toEqual(all.filter(({ kind }) => kind !== 'guest'));
});

test.each([
  ['exchange', 'mailbox'],
  ['onedrive', 'OneDrive'],
] as const)('a restore of %s to a guest is refused at the target, with the reason', async (workload, lacking) => {
  const guest = (await people()).find(({ kind }) => kind === 'guest');
  const held = await tenant.call<{ items: Source[] }>(`${tenant.tenantId}/discovery/${tenant.locationId}/sources?workload=${workload}`);
  const restore = {
    sourceId: held.items[0]?.sourceId,
    items: 'all',
    target: { kind: 'elsewhere', graphId: guest?.id, name: guest?.name },
    reason: 'They asked for it.',
  };
  const answer = await running.server.send(`/apollo/api/${tenant.tenantId}/restore/plan`, {
    token,
    body: { locationId: tenant.locationId, restore },
  });
  await expectRefused(answer, lacking);
  const name = `Back to a guest ${workload}`;
  const body = { type: 'restore', workload, name, locationId: tenant.locationId, restore, schedule: unscheduled };
  await expectRefused(await running.server.send(`/apollo/api/${tenant.tenantId}/jobs`, { token, body }), lacking);
  const { items } = await tenant.call<{ items: { name: string }[] }>(`${tenant.tenantId}/jobs?limit=200`);
  expect(items.some((job) => job.name === name)).toBe(false);
});

async function expectRefused(answer: Response, lacking: string): Promise<void> {
  const { code, errors } = (await answer.json()) as { code: string; errors: Record<string, string[]> };
  expect([answer.status, code, Object.keys(errors)]).toEqual([400, 'restore.target-unusable', ['restore.target.graphId']]);
  expect(errors['restore.target.graphId']?.[0]).toContain(lacking);
}
