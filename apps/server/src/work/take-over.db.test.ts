import { testDatabase } from '@holdfast/database/testing/test-database';
import { startSimulator, type Simulator } from '@holdfast/m365-simulator';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readConfig } from '../config.ts';
import { openMasterKey } from '../master-key.ts';
import { act, connectSimulated, everyone, truthOf, type SimulatedTenant } from '../testing/simulated-tenant.ts';
import { testServer, type TestServer } from '../testing/test-server.ts';

/** Two workers as processes of their own; the one that holds a run is killed in the middle of it. */
const testing = testDatabase(import.meta.url);
const main = fileURLToPath(new URL('../main.ts', import.meta.url));
const MANY = 1_500;
let simulator: Simulator;
let server: TestServer;
let tenant: SimulatedTenant;
let folder = '';
let mailbox = '';
const workers: WorkerProcess[] = [];

interface WorkerProcess {
  readonly child: ChildProcess;
  /** What it has logged. */
  log(): string;
}

function settingsOf(name: string): Record<string, string> {
  return {
    HOLDFAST_DATA_DIR: path.join(folder, name),
    HOLDFAST_MASTER_KEY: Buffer.alloc(32, 9).toString('base64'),
    HOLDFAST_GRAPH_URL: simulator.graph,
    HOLDFAST_LOGIN_URL: simulator.login,
    HOLDFAST_GRAPH_CA_FILE: simulator.ca,
    HOLDFAST_LOCATION_ROOTS: folder,
  };
}

async function startWorker(name: string): Promise<WorkerProcess> {
  const settings = {
    ...settingsOf(name),
    HOLDFAST_DATABASE_URL: testing.ownerUrl,
    HOLDFAST_DATABASE_APPLICATION_URL: testing.applicationUrl,
    HOLDFAST_DATABASE_POOL: '8',
  };
  const child = spawn(process.execPath, [main, 'worker'], { env: settings, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (part: string) => (text += part));
  const worker = { child, log: () => text };
  workers.push(worker);
  await vi.waitFor(() => expect(text).toContain('"event":"ready"'), { timeout: 30_000, interval: 100 });
  return worker;
}

async function stop({ child }: WorkerProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

/** One mailbox is made so large that there is a middle of it. */
function fillOne(): void {
  const [directory] = [...simulator.simulation.tenants.values()].map((one) => one.directory);
  mailbox = directory?.users().find((person) => person.hasMailbox && person.kind === 'member')?.id ?? '';
  for (let at = 0; at < MANY; at += 1) act(simulator, 'mail.deliver', { user: mailbox, subject: `Message ${at}` });
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'holdfast-take-over-'));
  simulator = await startSimulator({ recipes: ['tiny'], limits: 'off' });
  const settings = settingsOf('api');
  const masterKey = await openMasterKey(readConfig(settings), testing.database);
  server = await testServer(testing, { masterKey, settings });
  const owner = await server.owner();
  tenant = await connectSimulated({ server, owner, simulator, testing, vault: path.join(folder, 'vault') });
  fillOne();
}, 240_000);
afterAll(async () => {
  for (const worker of workers) await stop(worker);
  await server.close();
  await simulator.close();
  await rm(folder, { recursive: true, force: true });
});

/** The hashes of the messages that the newest point has, of one mailbox. */
async function recorded(): Promise<string[]> {
  const rows = await testing.asSuperuser(
    `select content -> 'ref' ->> 'sha256' as sha256 from catalog_items
       join catalog_sources using (organisation_id, realm, source_id) join resources using (organisation_id, realm, resource_id),
       json_array_elements(detail -> 'contents') content
     where graph_id = $1 and catalog_items.kind = 'message' and to_point = 9007199254740991 and content ->> 'role' = 'mime'`,
    [mailbox],
  );
  return rows.map((row) => String(row['sha256'])).sort();
}

test('the run of a worker that was killed in the middle is finished by another, nothing lost and nothing doubled', async () => {
  await startWorker('one');
  await startWorker('two');
  const jobId = await tenant.job({ type: 'backup', name: 'Mail', source: everyone });
  const runId = await tenant.start(jobId);
  const middle = async (): Promise<number> =>
    Number((await testing.asSuperuser('select processed::int as n from runs where run_id = $1', [runId]))[0]?.['n']);
  await vi.waitFor(async () => expect(await middle()).toBeGreaterThan(100), { timeout: 60_000, interval: 50 });
  const holder = workers.find((worker) => worker.log().includes(runId));
  const other = workers.find((worker) => worker !== holder);
  if (!holder || !other) throw new Error('No worker says that it has the run.');
  await stop(holder);
  expect(await tenant.run(runId)).toMatchObject({ status: 'running', fence: 1 });
  expect(other.log()).not.toContain(runId);

  const run = await tenant.ended(runId, 100_000);
  expect(run).toMatchObject({ status: 'successful', code: null, errors: 0, fence: 2 });
  expect(other.log()).toContain('"isResumed":true');
  const truth = (await truthOf(simulator, 'mail', mailbox)).filter((record) => record.kind === 'message');
  expect(truth.length).toBeGreaterThanOrEqual(MANY);
  expect(await recorded()).toEqual(truth.map((record) => record.sha256 ?? '').sort());
  // Of a first backup everything that is there was added by the run, whichever worker did it.
  const [held] = await testing.asSuperuser('select count(*)::int as items from catalog_items');
  expect(run.added).toBe(held?.['items']);
  // What came into the vault is told for both workers together.
  const [brought] = await testing.asSuperuser(
    'select sum(new_bytes)::float8 as plain, sum(stored_bytes)::float8 as stored from catalog_points',
  );
  expect(brought?.['plain']).toBeGreaterThan(0);
  expect([run.new_bytes, run.stored_bytes]).toEqual([brought?.['plain'], brought?.['stored']]);

  const verified = await tenant.finish(await tenant.job({ type: 'verify', name: 'Verify', budgetPercent: 100 }));
  expect(verified).toMatchObject({ status: 'successful', result: { deviations: 0, complete: true } });
  const again = await tenant.finish(jobId);
  expect(again).toMatchObject({ status: 'successful', added: 0, changed: 0, removed: 0 });
}, 240_000);
