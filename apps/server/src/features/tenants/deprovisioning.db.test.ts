import { jobBody, type Job } from '@holdfast/contract/jobs';
import type { Page } from '@holdfast/contract/paging';
import { createTaskQueue } from '@holdfast/database';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { systemClock } from '@holdfast/foundation/clock';
import { silentLogger } from '@holdfast/foundation/logger';
import path from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { testIds } from '../../testing/rows.ts';
import { startSimulatedServer, type SimulatedServer } from '../../testing/simulated-server.ts';
import { connectSimulated, everyone, type SimulatedTenant } from '../../testing/simulated-tenant.ts';
import type { SignedIn } from '../../testing/test-server.ts';
import { createRunsStore } from '../../runs/index.ts';

const testing = testDatabase(import.meta.url);
let running: SimulatedServer;
let owner: SignedIn & Awaited<ReturnType<SimulatedServer['server']['owner']>>;
let tenant: SimulatedTenant;

beforeAll(async () => {
  running = await startSimulatedServer(testing);
  owner = await running.server.owner();
  const { server, simulator, folder } = running;
  tenant = await connectSimulated({ server, owner, simulator, testing, vault: path.join(folder, 'vault') });
  await task('POST');
}, 120_000);
afterAll(() => running.close());

const send = (to: string, method: string, body?: object) =>
  running.server.send(`/apollo/api/${to}`, { method, token: owner.tokens.main, ...(body ? { body } : {}) });
const legacy = (to: string) =>
  running.server.send(`/api/${to}`, { method: 'POST', token: owner.tokens.legacy, audience: 'legacy', body: {} });

async function codeOf(answer: Promise<Response>): Promise<unknown[]> {
  const { status, ...rest } = await answer.then(async (got) => ({ status: got.status, ...((await got.json()) as { code?: string }) }));
  return [status, rest.code];
}

/** Provisions or deprovisions, and waits for the end of the task. */
async function task(method: 'POST' | 'DELETE'): Promise<void> {
  const { taskId } = (await (await send(`Tenants/${tenant.tenantId}/provision`, method)).json()) as { taskId: string };
  await vi.waitFor(
    async () => expect(await tenant.call(`Tenants/${tenant.tenantId}/${taskId}`)).toMatchObject({ status: 'finished', message: null }),
    { timeout: 30_000, interval: 50 },
  );
}

const jobs = async (): Promise<readonly Job[]> => (await tenant.call<Page<Job>>(`${tenant.tenantId}/jobs?limit=200`)).items;
const backup = (name: string) => ({ type: 'backup', name, source: everyone });
const refused = [409, 'tenants.deprovisioned'];

test('deprovisioning ends the run at work, gives jobs no next run and starts none until the tenant is provisioned again', async () => {
  const { control } = running.simulator;
  expect((await jobs()).every((job) => job.nextRun !== null)).toBe(true);
  const jobId = await tenant.job(backup('Mail now'));
  control.setFaults([{ match: { path: '*/messages*' }, do: 'delay', seconds: 60 }]);
  onTestFinished(() => control.setFaults([]));
  const runId = await tenant.start(jobId);
  await vi.waitFor(async () => expect(await tenant.run(runId)).toMatchObject({ status: 'running' }), { timeout: 20_000 });
  await task('DELETE');
  expect((await tenant.ended(runId)).status).toBe('cancelled');
  expect((await jobs()).filter((job) => job.nextRun !== null)).toEqual([]);

  expect(await codeOf(send(`${tenant.tenantId}/jobs/${jobId}/start`, 'POST'))).toEqual(refused);
  const atOnce = { ...backup('Mail at once'), locationId: tenant.locationId, workload: 'exchange', schedule: { mode: 'afterCreation' } };
  expect(await codeOf(send(`${tenant.tenantId}/jobs`, 'POST', atOnce))).toEqual(refused);
  const daily = { mode: 'daily', time: '21:00', timeZone: 'UTC' };
  const saved = await tenant.job({ ...backup('Mail daily'), schedule: daily });
  const changed = { ...backup('Mail later'), locationId: tenant.locationId, workload: 'exchange', schedule: { ...daily, time: '22:00' } };
  expect((await send(`${tenant.tenantId}/jobs/${saved}`, 'PUT', changed)).status).toBe(200);
  expect((await jobs()).find((job) => job.jobId === saved)).toMatchObject({ name: 'Mail later', nextRun: null });

  await task('POST');
  const resting = (await jobs()).filter((job) => job.nextRun === null).map(({ name }) => name);
  expect(resting).toEqual(['Mail now']);
  control.setFaults([]);
  expect((await tenant.finish(jobId)).status).toBe('successful');
});

test('the credential of a deprovisioned tenant is not used, neither by a page nor by a worker that finds a run of it', async () => {
  const jobId = await tenant.job(backup('Left in the queue'));
  await task('DELETE');
  const { log } = running.simulator.simulation;
  const before = log.total;
  expect(await codeOf(legacy('test-onedrive-connection'))).toEqual(refused);
  expect(await codeOf(legacy('sync-user-config'))).toEqual(refused);
  expect(await codeOf(send(`${tenant.tenantId}/discovery/${tenant.locationId}/sites`, 'GET'))).toEqual(refused);
  expect(await codeOf(send(`Tenants/${tenant.tenantId}`, 'PUT', { clientId: testIds.uuid() }))).toEqual(refused);

  const { database } = testing;
  const queue = await createTaskQueue({ database, logger: silentLogger, supervises: false });
  onTestFinished(() => queue.stop(1_000));
  const runs = createRunsStore({ database, queue, clock: systemClock, ids: testIds });
  const scope = { organisationId: owner.organisationId, realm: 'production' } as const;
  const { tenantId, locationId } = tenant;
  const body = jobBody.parse({ ...backup('Left in the queue'), workload: 'exchange', locationId, schedule: { mode: 'disabled' } });
  const whose = { tenantId, jobId, jobName: 'Left in the queue', type: 'backup', workload: 'exchange', locationId, body } as const;
  const queued = await database.within(scope, (tx) => runs.enqueue(tx, scope, { ...whose, trigger: 'manual', startedBy: null }));
  expect(await tenant.ended(String(queued?.runId))).toMatchObject({ status: 'cancelled', code: 'tenants.deprovisioned' });
  expect(log.total).toBe(before);
  await task('POST');
});
