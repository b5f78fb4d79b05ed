import type { TestDatabase } from '@holdfast/database/testing/test-database';
import { startSimulator, type Simulator } from '@holdfast/m365-simulator';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, vi } from 'vitest';
import { patiently } from '@holdfast/foundation/testing/patiently';
import { startRole, type RoleProcess } from './processes.ts';
import { act, connectSimulated, truthOf, type SimulatedTenant } from './simulated-tenant.ts';

/** How large a cluster's work is, and where its vault lies. */
export interface ClusterOptions {
  readonly testing: TestDatabase;
  readonly messagesEach: number;
  /** The location: a bucket; a folder that all processes share without one. */
  readonly bucket?: object;
  /** How long a silent worker lives; that of the product without it. */
  readonly heartbeatSeconds?: number;
}

/** The first owner, as the settings of a process name one. */
export const owner = { email: 'owner@example.com', password: 'Correct-Horse-1!' };
const MAIL = ['one', 'two', 'three'] as const;

interface Cluster {
  readonly simulator: Simulator;
  readonly tenant: SimulatedTenant;
  readonly workers: readonly RoleProcess[];
  readonly mailboxes: readonly string[];
  close(): Promise<void>;
}

/** The owner, over HTTP alone. */
export async function signedIn(address: string): Promise<Pick<Parameters<typeof connectSimulated>[0], 'server' | 'owner'>> {
  const json = { 'content-type': 'application/json' };
  const answer = await patiently(() => fetch(`${address}/apollo/login`, { method: 'POST', headers: json, body: JSON.stringify(owner) }));
  if (!answer.ok) throw new Error(`The owner could not sign in: ${answer.status} ${await answer.text()}`);
  const { accessToken: main } = (await answer.json()) as { accessToken: string };
  return {
    owner: { tokens: { main } },
    server: {
      send: (to, { token, body } = {}) =>
        patiently(() =>
          fetch(`${address}${to}`, {
            method: body === undefined ? 'GET' : 'POST',
            headers: { ...json, authorization: `Bearer ${token}` },
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          }),
        ),
    },
  };
}

/** Mailboxes so large that there is a middle of each. */
function fill(simulator: Simulator, messagesEach: number): string[] {
  const [directory] = [...simulator.simulation.tenants.values()].map((one) => one.directory);
  const people = (directory?.users() ?? []).filter((person) => person.hasMailbox && person.kind === 'member').slice(0, MAIL.length);
  for (const { id: user } of people) {
    for (let at = 0; at < messagesEach; at += 1) act(simulator, 'mail.deliver', { user, subject: `Message ${at}` });
  }
  return people.map(({ id }) => id);
}

interface RolePlace {
  readonly folder: string;
  readonly simulator: Simulator;
  readonly testing: TestDatabase;
  readonly name: string;
}

/** What every process of one installation has in common, each with a folder of its own. */
export function settingsOfRole({ folder, simulator, testing, name }: RolePlace): Record<string, string> {
  return {
    HOLDFAST_DATA_DIR: path.join(folder, name),
    HOLDFAST_MASTER_KEY: Buffer.alloc(32, 9).toString('base64'),
    HOLDFAST_GRAPH_URL: simulator.graph,
    HOLDFAST_LOGIN_URL: simulator.login,
    HOLDFAST_GRAPH_CA_FILE: simulator.ca,
    HOLDFAST_LOCATION_ROOTS: folder,
    HOLDFAST_DATABASE_URL: testing.ownerUrl,
    HOLDFAST_DATABASE_APPLICATION_URL: testing.applicationUrl,
    HOLDFAST_PORT: '0',
    HOLDFAST_OWNER_EMAIL: owner.email,
    HOLDFAST_OWNER_PASSWORD: owner.password,
    HOLDFAST_OWNER_ORGANISATION: 'Contoso',
  };
}

/** An API, a scheduler and three workers, each a process of its own that takes one run at a time. */
async function startCluster({ testing, messagesEach, bucket }: ClusterOptions): Promise<Cluster> {
  const folder = await mkdtemp(path.join(tmpdir(), 'holdfast-cluster-'));
  const simulator = await startSimulator({ recipes: ['tiny'], limits: 'off' });
  const started: RoleProcess[] = [];
  const close = async (): Promise<void> => {
    for (const one of started) await one.kill();
    await simulator.close();
    await rm(folder, { recursive: true, force: true });
  };
  const settingsOf = (name: string): Record<string, string> => ({
    ...settingsOfRole({ folder, simulator, testing, name }),
    HOLDFAST_ALLOWED_HOSTS: '127.0.0.1',
    HOLDFAST_DATABASE_POOL: '8',
    HOLDFAST_WORKER_SLOTS: '1',
  });
  const start = async (role: 'api' | 'worker' | 'scheduler', name: string): Promise<RoleProcess> => {
    const one = await startRole(role, name, settingsOf(name));
    started.push(one);
    return one;
  };
  try {
    const mailboxes = fill(simulator, messagesEach);
    const api = await start('api', 'api');
    const [, ...workers] = await Promise.all([
      start('scheduler', 'scheduler'),
      ...['first', 'second', 'third'].map((name) => start('worker', name)),
    ]);
    const vault = bucket ?? path.join(folder, 'vault');
    const tenant = await connectSimulated({ ...(await signedIn(api.address)), simulator, testing, vault });
    return { simulator, tenant, workers, mailboxes, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The hashes of the messages that the newest point has, of one mailbox. */
export async function recordedMessages(sql: TestDatabase['asSuperuser'], mailbox: string): Promise<string[]> {
  const rows = await sql(
    `select content -> 'ref' ->> 'sha256' as sha256 from catalog_items
       join catalog_sources using (organisation_id, realm, source_id) join resources using (organisation_id, realm, resource_id),
       json_array_elements(detail -> 'contents') content
     where graph_id = $1 and catalog_items.kind = 'message' and to_point = 9007199254740991 and content ->> 'role' = 'mime'`,
    [mailbox],
  );
  return rows.map((row) => String(row['sha256'])).sort();
}

/** Lets the scheduler start one job a mailbox, and answers the runs when each worker is in the middle of one. */
async function beginAll({ tenant, mailboxes }: Cluster, { asSuperuser }: TestDatabase): Promise<{ runId: string; jobId: string }[]> {
  for (const [at, id] of mailboxes.entries()) {
    const source = { everyone: false, users: [{ id, name: id, address: '' }], groups: [], sites: [], teams: [] };
    await tenant.job({ type: 'backup', name: `Mail ${MAIL[at]}`, source, schedule: { mode: 'interval', everyMinutes: 1_440 } });
  }
  // Their first occurrence is now instead of tomorrow.
  await asSuperuser(`update jobs set next_run_at = next_run_at - interval '1 day', anchored_at = anchored_at - interval '1 day'`);
  const middles = (): Promise<Record<string, unknown>[]> =>
    asSuperuser(`select run_id, job_id from runs where status = 'running' and processed > 20 order by run_id`);
  return vi.waitFor(
    async () => {
      const rows = await middles();
      expect(rows).toHaveLength(mailboxes.length);
      return rows.map((row) => ({ runId: String(row['run_id']), jobId: String(row['job_id']) }));
    },
    { timeout: 90_000, interval: 50 },
  );
}

/** Every message once, told once, readable; and a run after it finds nothing to do. */
async function requireWhole({ tenant, simulator, mailboxes }: Cluster, testing: TestDatabase, jobId: string): Promise<void> {
  for (const mailbox of mailboxes) {
    const truth = (await truthOf(simulator, 'mail', mailbox)).filter((record) => record.kind === 'message');
    expect(await recordedMessages(testing.asSuperuser, mailbox)).toEqual(truth.map((record) => record.sha256 ?? '').sort());
  }
  const [counted] = await testing.asSuperuser(
    `select (select count(*)::int from runs) as runs, (select sum(added)::int from runs) as added, (select count(*)::int from catalog_items) as items`,
  );
  expect(counted).toMatchObject({ runs: mailboxes.length, added: counted?.['items'] });
  // What came into the vault is told for all holders of a run together.
  const [brought] = await testing.asSuperuser(
    `select (select sum(new_bytes)::float8 from runs) as told, (select sum(new_bytes)::float8 from catalog_points) as plain`,
  );
  expect(brought?.['told']).toBe(brought?.['plain']);
  const verified = await tenant.finish(await tenant.job({ type: 'verify', name: 'Verify', budgetPercent: 100 }));
  expect(verified).toMatchObject({ status: 'successful', result: { deviations: 0, complete: true } });
  const again = await tenant.finish(jobId);
  expect(again).toMatchObject({ status: 'successful', added: 0, changed: 0, removed: 0 });
}

/**
 * One worker is killed and one is cut off for as long as another needs to finish its run, then wakes up
 * again: every job finishes exactly once, and what the sleeper still does changes nothing.
 */
export async function proveCluster(options: ClusterOptions): Promise<void> {
  const { testing, heartbeatSeconds } = options;
  if (heartbeatSeconds !== undefined) await testing.asSuperuser(`update pgboss.queue set heartbeat_seconds = ${heartbeatSeconds}`);
  const cluster = await startCluster(options);
  const { tenant, workers, simulator } = cluster;
  try {
    // Slow enough that all are in the middle of something at once.
    simulator.control.setFaults([{ match: { method: 'GET', path: '*/$value' }, do: 'delay', ms: 25, times: 1_000_000 }]);
    const runs = await beginAll(cluster, testing);
    const holderOf = (runId: string): RoleProcess => {
      const holders = workers.filter((worker) => worker.log().includes(runId));
      expect(holders).toHaveLength(1);
      return holders[0] as RoleProcess;
    };
    const [killed = { runId: '' }, asleep = { runId: '' }, spared = { runId: '' }] = runs;
    const sleeper = holderOf(asleep.runId);
    const survivor = holderOf(spared.runId);
    const [dead] = workers.filter((worker) => worker !== sleeper && worker !== survivor);
    sleeper.signal('SIGSTOP');
    await dead?.kill();
    simulator.control.setFaults([]);

    for (const { runId } of runs) {
      const run = await tenant.ended(runId, 180_000);
      const fence = runId === spared.runId ? 1 : 2;
      expect(run).toMatchObject({ status: 'successful', code: null, errors: 0, fence });
    }
    expect(survivor.log()).toContain(killed.runId);
    expect(survivor.log()).toContain(asleep.runId);
    const settled = await testing.asSuperuser('select resource_id, head_sequence, head_hash from catalog_sources order by 1');

    sleeper.signal('SIGCONT');
    await vi.waitFor(() => expect(ended(sleeper, asleep.runId)).toBe(true), { timeout: 60_000, interval: 100 });
    expect(await testing.asSuperuser('select resource_id, head_sequence, head_hash from catalog_sources order by 1')).toEqual(settled);
    expect(await tenant.run(asleep.runId)).toMatchObject({ status: 'successful', fence: 2 });

    await requireWhole(cluster, testing, String(runs[0]?.jobId));
  } finally {
    await cluster.close();
  }
}

/** Whether a worker has let go of a run. */
function ended(worker: RoleProcess, runId: string): boolean {
  return worker
    .log()
    .split('\n')
    .some((line) => line.includes(runId) && line.includes('run finished on this worker'));
}
