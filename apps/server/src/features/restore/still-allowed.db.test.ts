import type { Candidate, Source } from '@holdfast/contract/discovery';
import { createTaskQueue, type TaskQueue } from '@holdfast/database';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { systemClock } from '@holdfast/foundation/clock';
import { silentLogger } from '@holdfast/foundation/logger';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { testIds } from '../../testing/rows.ts';
import { startSimulatedServer, type SimulatedServer } from '../../testing/simulated-server.ts';
import { connectSimulated, everyone, type RunRow, type SimulatedTenant } from '../../testing/simulated-tenant.ts';
import type { SignedIn } from '../../testing/test-server.ts';
import { createDueJobsStore } from '../jobs/due-jobs.store.ts';
import { createScheduler, type Scheduler } from '../jobs/scheduler.service.ts';
import { createRunsStore } from '../../runs/index.ts';

/** A27: rights may end between the day a restore to somebody else was asked for and the day it runs. */
const testing = testDatabase(import.meta.url);
const { database } = testing;
let running: SimulatedServer;
let tenant: SimulatedTenant;
let queue: TaskQueue;
let scheduler: Scheduler;
let owner: SignedIn;
let administrator: SignedIn;
let jobId = '';
let body: object = {};

beforeAll(async () => {
  running = await startSimulatedServer(testing);
  const { server, simulator, folder } = running;
  const signedIn = await server.owner();
  owner = signedIn;
  administrator = await server.member(signedIn.organisationId, 'administrator', 'admin@contoso.example');
  tenant = await connectSimulated({ server, owner, simulator, testing, vault: path.join(folder, 'vault') });
  await tenant.finish(await tenant.job({ type: 'backup', name: 'Mail', source: everyone }));
  queue = await createTaskQueue({ database, logger: silentLogger, supervises: false });
  const runs = createRunsStore({ database, queue, clock: systemClock, ids: testIds });
  scheduler = createScheduler({ store: createDueJobsStore(database), runs, clock: systemClock, logger: silentLogger });
  const { tenantId, locationId } = tenant;
  const held = await tenant.call<{ items: Source[] }>(`${tenantId}/discovery/${locationId}/sources?workload=exchange`);
  const people = await tenant.call<{ items: Candidate[] }>(`${tenantId}/discovery/${locationId}/users?limit=200&guests=false`);
  const [source] = held.items;
  const target = people.items.find(({ name }) => name !== source?.name);
  const restore = {
    sourceId: source?.sourceId,
    sourceName: source?.name,
    items: 'all',
    target: { kind: 'elsewhere', graphId: target?.id, name: target?.name, folder: 'From a colleague' },
    reason: 'They stand in for each other.',
  };
  body = {
    type: 'restore',
    workload: 'exchange',
    name: 'Every day',
    locationId,
    restore,
    schedule: { mode: 'interval', everyMinutes: 1_440 },
  };
  jobId = (await as(administrator, 'jobs', body)).jobId;
}, 180_000);
afterAll(async () => {
  await queue.stop(1_000);
  await running.close();
});
beforeEach(async () => {
  await setAccess('open');
  await testing.asSuperuser('update memberships set disabled_at = null');
});

async function as(person: SignedIn, to: string, given: object, method = 'POST'): Promise<{ jobId: string }> {
  const answer = await running.server.send(`/apollo/api/${tenant.tenantId}/${to}`, { token: person.tokens.main, body: given, method });
  expect([answer.status, to]).toEqual([method === 'POST' ? 201 : 200, to]);
  return (await answer.json()) as { jobId: string };
}

async function setAccess(mode: 'open' | 'strict'): Promise<void> {
  await testing.asSuperuser('update organisations set content_access = $1', [mode]);
}

/** Lets the schedule start a run, and waits for its end. */
async function runOnSchedule(): Promise<RunRow> {
  await testing.asSuperuser(
    `update jobs set anchored_at = now() - interval '3 days' - interval '1 minute', next_run_at = now() - interval '1 minute' where job_id = $1`,
    [jobId],
  );
  await testing.asSuperuser('delete from job_occurrences');
  await scheduler.tick();
  const [run] = await testing.asSuperuser('select run_id from runs where job_id = $1 order by number desc limit 1', [jobId]);
  return tenant.ended(String(run?.['run_id']));
}

async function restoredBy(): Promise<string[]> {
  const rows = await testing.asSuperuser(
    `select payload::jsonb->>'actor' as actor from audit_events where event = 'content.restored'
     union all select payload->>'actor' from audit_inbox where event = 'content.restored' order by 1`,
  );
  return rows.map((row) => String(row['actor']));
}

test('A27: what a schedule restores to somebody else uses the right of whoever saved the job, and is logged', async () => {
  const { status, code } = await runOnSchedule();
  expect([status, code]).toEqual(['successful', null]);
  expect(await restoredBy()).toEqual([administrator.email]);
});

test('A27: a scheduled restore to somebody else does not run once the right to it has ended', async () => {
  const before = await restoredBy();
  await setAccess('strict');
  const { status, code, added } = await runOnSchedule();
  expect([status, code, added]).toEqual(['failed', 'restore.right-ended', 0]);
  expect(await restoredBy()).toEqual(before);
});

test('A27: a scheduled restore to somebody else does not run for somebody who has left, until another saves it', async () => {
  const leave = 'update memberships set disabled_at = now() where account_id = $1';
  await testing.asSuperuser(leave, [administrator.accountId]);
  expect((await runOnSchedule()).code).toBe('restore.right-ended');
  await as(owner, `jobs/${jobId}`, { ...body, name: 'Every day again' }, 'PUT');
  expect((await runOnSchedule()).status).toBe('successful');
  expect(await restoredBy()).toContain(owner.email);
});
