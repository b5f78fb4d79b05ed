import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { jobBody } from '@holdfast/contract/jobs';
import { problemsQuery } from '@holdfast/contract/monitoring';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { systemClock as clock } from '@holdfast/foundation/clock';
import { silentLogger as logger } from '@holdfast/foundation/logger';
import { startSimulator, type Simulator } from '@holdfast/m365-simulator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backupHandlerOver, reachSimulated } from '../../testing/backup-ground.ts';
import { aGround, aResource, testIds as ids, type Ground } from '../../testing/rows.ts';
import { act } from '../../testing/simulated-tenant.ts';
import type { RunHandler, RunOf } from '../../runs/handler.ts';
import { createRunWorker } from '../../runs/run-worker.ts';
import { createJobsStore } from '../jobs/index.ts';
import { createJobResourcesStore } from './job-resources.store.ts';
import { createRunAccountsStore, createRunsStore, createRunsViews } from '../../runs/index.ts';

const testing = testDatabase(import.meta.url);
const { database } = testing;
const jobs = createJobsStore(database);
const runs = createRunsStore({ database, queue: { send: () => Promise.resolve(true) }, clock, ids });
const accounts = createRunAccountsStore({ database, clock });
let folder: string;
let simulator: Simulator;
let ground: Ground;
let handler: RunHandler<RunOf<'backup'>>;
let user: { readonly id: string; readonly name: string; readonly address: string };
let group: typeof user;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'holdfast-job-resources-'));
  simulator = await startSimulator({ recipes: ['tiny'], limits: 'off' });
  ground = await aGround(database);
  handler = backupHandlerOver({ database, simulator, folder });
  await reachSimulated({ database, simulator, folder }).graph.use(ground.scope, ground.tenantId, async (graph) => {
    for await (const { id, displayName, mail, userType } of graph.directory.users())
      if (userType === 'Member') user ??= { id, name: displayName ?? '', address: mail ?? '' };
    act(simulator, 'directory.createGroup', { displayName: 'Sales' });
    for await (const { id, displayName } of graph.directory.groups())
      if (displayName === 'Sales') group = { id, name: 'Sales', address: '' };
  });
  act(simulator, 'directory.joinGroup', { group: group.id, user: user.id });
});
afterAll(async () => {
  await simulator.close();
  await rm(folder, { recursive: true, force: true });
});

/** A job over mail alone, and what runs it. */
async function aJob(source: object) {
  const { scope, tenantId, locationId } = ground;
  const jobId = ids.uuid();
  const options = { calendars: false, contacts: false, tasks: false };
  const given = { type: 'backup', workload: 'exchange', name: jobId, schedule: { mode: 'disabled' }, locationId };
  const body = jobBody.parse({ ...given, source: { options, ...source } });
  await database.within(scope, (tx) =>
    jobs.insert(tx, { jobId, tenantId, body, nextRunAt: null, creator: 'test', createdBy: null, at: new Date() }),
  );
  async function run(): Promise<string | undefined> {
    const queued = await database.within(scope, (tx) =>
      runs.enqueue(tx, scope, {
        tenantId,
        jobId,
        jobName: jobId,
        type: 'backup',
        workload: 'exchange',
        locationId,
        body,
        trigger: 'manual',
        startedBy: 'test',
      }),
    );
    const runId = queued?.runId ?? '';
    const work = createRunWorker({ runs, accounts, handlers: { backup: handler }, worker: 'test', clock, logger });
    await work({ key: runId, scope, payload: { runId }, attempt: 1, signal: new AbortController().signal });
    return (await createRunsViews(database).get(scope, tenantId, runId))?.status;
  }
  return { jobId, run };
}

/** The folders of the newest point that hold messages. */
async function folders(): Promise<string[]> {
  const [resource] = await testing.asSuperuser('select resource_id from resources where graph_id = $1', [user.id]);
  const catalog = reachSimulated({ database, simulator, folder }).catalogOf(ground.scope, ground.locationId);
  const items = await Array.fromAsync(catalog.items(String(resource?.['resource_id']), undefined, {}));
  const holding = new Set(items.filter(({ kind }) => kind === 'message').map(({ parentKey }) => parentKey));
  return items
    .filter(({ key }) => holding.has(key))
    .flatMap(({ properties: { wellKnown } }) => (typeof wellKnown === 'string' ? [wellKnown] : []))
    .toSorted();
}

const INBOX = { includeFolders: ['Inbox'] };
const SENT = { includeFolders: ['Sent Items'] };
const both = ['inbox', 'sentitems'];

test('the newest point has what all jobs over a mailbox choose of it, as long as they are there and cover it', async () => {
  const inbox = await aJob({ users: [user], ...INBOX });
  const sent = await aJob({ groups: [group], ...SENT });
  await aJob({ users: [user] });
  expect(await inbox.run()).toBe('successful');
  expect(await folders(), 'what has never run covers nothing yet').toEqual(['inbox']);
  expect(await sent.run()).toBe('successful');
  expect(await folders(), 'members of a group are covered').toEqual(both);
  expect(await inbox.run()).toBe('successful');
  expect(await folders()).toEqual(both);

  simulator.control.setFaults([{ match: { method: 'GET', path: '/groups/{id}/transitiveMembers' }, do: 'status', status: 423 }]);
  expect(await sent.run(), 'who is in the group could not be asked').not.toBe('successful');
  simulator.control.setFaults([]);
  await inbox.run();
  expect(await folders(), 'a fault loses nothing').toEqual(both);

  act(simulator, 'directory.leaveGroup', { group: group.id, user: user.id });
  await sent.run();
  await inbox.run();
  expect(await folders(), 'who has left the group is not covered any more').toEqual(['inbox']);

  act(simulator, 'directory.joinGroup', { group: group.id, user: user.id });
  await sent.run();
  expect(await folders()).toEqual(both);
  await database.within(ground.scope, (tx) => tx.deleteFrom('jobs').where('job_id', '=', inbox.jobId).execute());
  await sent.run();
  expect(await folders(), 'a job that was removed').toEqual(['sentitems']);
});

test('what a job covers in part is told so, of this location alone, until it covers it no more', async () => {
  const { scope, locationId } = ground;
  const store = createJobResourcesStore(database);
  const { jobId } = await aJob({ users: [user] });
  const team = await aResource(database, ground, { kind: 'team', workload: 'teams' });
  const besides = async (at = locationId) =>
    (await store.besides(scope, { resourceId: team, locationId: at, jobId: null })).map((job) => job.inPart);
  await store.note(scope, jobId, { resourceIds: [team], inPart: new Set([team]), isWhole: true });
  expect([await besides(), await besides(ids.uuid())]).toEqual([[true], []]);
  await store.note(scope, jobId, { resourceIds: [team], inPart: new Set(), isWhole: true });
  expect(await besides()).toEqual([false]);
  expect(await store.besides(scope, { resourceId: team, locationId, jobId }), 'its own run knows what it covers').toEqual([]);
  await store.note(scope, jobId, { resourceIds: [], inPart: new Set(), isWhole: false });
  expect(await besides()).toEqual([false]);
  await store.note(scope, jobId, { resourceIds: [], inPart: new Set(), isWhole: true });
  expect(await besides()).toEqual([]);
  await store.note(scope, ids.uuid(), { resourceIds: [team], inPart: new Set(), isWhole: true });
  expect(await besides(), 'a job that is not there covers nothing').toEqual([]);
});

test('an upgrade knows of each job what its newest run covered', async () => {
  const known = () => testing.asSuperuser('select job_id, resource_id, in_part from job_resources order by 1, 2');
  const before = await known();
  expect(before.length).toBeGreaterThan(0);
  const migrations = path.join(import.meta.dirname, '../../../../../packages/database/migrations/0096-job-resources.sql');
  const seed = /^insert into[^;]+;/mu.exec(await readFile(migrations, 'utf8'))?.[0] ?? '';
  await testing.asSuperuser('delete from job_resources');
  await testing.asSuperuser(seed);
  expect(await known()).toEqual(before);
});

test('a group that could not be looked up stands in the error list of the run by its name', async () => {
  const gone = { id: '00000000-0000-4000-8000-000000000000', name: 'Dissolved', address: 'dissolved@example.com' };
  const { jobId, run } = await aJob({ users: [user], groups: [gone] });
  expect(await run()).toBe('defective');
  const { scope } = ground;
  const runId = await database.within(scope, async (tx) => {
    const row = await tx.selectFrom('runs').select('run_id').where('job_id', '=', jobId).executeTakeFirstOrThrow();
    return row.run_id;
  });
  const told = await createRunsViews(database).problems(scope, runId, problemsQuery.parse({}));
  expect(told.items).toEqual([
    {
      accountId: null,
      accountName: gone.name,
      path: gone.address,
      kind: null,
      outcome: 'recorded',
      code: 'graph.resource-gone',
      tried: [],
      advice: 'none',
      requestId: null,
    },
  ]);
  await accounts.addNotFound(scope, runId, [{ graphId: gone.id, name: gone.name, address: gone.address, code: 'graph.resource-gone' }]);
  expect((await createRunsViews(database).problems(scope, runId, problemsQuery.parse({}))).total, 'told of once').toBe(1);
});
