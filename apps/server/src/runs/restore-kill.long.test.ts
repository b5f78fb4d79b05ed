import { testDatabase } from '@holdfast/database/testing/test-database';
import { startSimulator, type Simulator } from '@holdfast/m365-simulator';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startRole, type RoleProcess } from '../testing/processes.ts';
import { settingsOfRole, signedIn } from '../testing/prove-cluster.ts';
import { act, connectSimulated, truthOf, type SimulatedTenant } from '../testing/simulated-tenant.ts';

const testing = testDatabase(import.meta.url);
const MESSAGES = 120;
let folder = '';
let simulator: Simulator;
let tenant: SimulatedTenant;
let user = '';
let backup = '';
let sourceId = '';
const started: RoleProcess[] = [];

async function start(role: 'api' | 'worker', name: string): Promise<RoleProcess> {
  const one = await startRole(role, name, settingsOfRole({ folder, simulator, testing, name }));
  started.push(one);
  return one;
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'holdfast-restore-kill-'));
  simulator = await startSimulator({ recipes: ['tiny'], limits: 'off' });
  const [directory] = [...simulator.simulation.tenants.values()].map((one) => one.directory);
  user = (directory?.users() ?? []).find((person) => person.hasMailbox && person.kind === 'member')?.id ?? '';
  for (let at = 0; at < MESSAGES; at += 1) act(simulator, 'mail.deliver', { user, subject: `Message ${at}` });
  const api = await start('api', 'api');
  await testing.asSuperuser('update pgboss.queue set heartbeat_seconds = 10');
  tenant = await connectSimulated({ ...(await signedIn(api.address)), simulator, testing, vault: path.join(folder, 'vault') });
  const source = { everyone: false, users: [{ id: user, name: user, address: '' }], groups: [], sites: [], teams: [] };
  backup = await tenant.job({ type: 'backup', name: 'Mail', source });
});
afterAll(async () => {
  for (const one of started) await one.kill();
  await simulator.close();
  await rm(folder, { recursive: true, force: true });
});

/** What the mailbox holds, by place and subject; what is purged is not held. */
async function held(): Promise<readonly string[]> {
  const records = (await truthOf(simulator, 'mail', user)).filter((record) => record.kind === 'message');
  const all = records.map((record) => `${record.path} ${JSON.stringify(record.metadata['subject'])}`);
  return all.filter((one) => !/^(?:Wiederherstellbare|Recoverable)/u.test(one)).sort();
}

/** Starts a restore, kills its worker in the middle and lets another one finish it. */
async function killInTheMiddle(restore: object, names: readonly [string, string]): Promise<string> {
  const worker = await start('worker', names[0]);
  const runId = await tenant.start(await tenant.job({ type: 'restore', name: names[0], restore: { sourceId, items: 'all', ...restore } }));
  const told = async (): Promise<number> => {
    const [row] = await testing.asSuperuser('select count(*)::int as lines from run_lines where run_id = $1', [runId]);
    return Number(row?.['lines']);
  };
  await vi.waitFor(async () => expect(await told()).toBeGreaterThan(20), { timeout: 60_000, interval: 20 });
  await worker.kill();
  expect(await told()).toBeLessThan(MESSAGES);
  const other = await start('worker', names[1]);
  expect(await tenant.ended(runId, 120_000)).toMatchObject({ status: 'successful', errors: 0, fence: 2 });
  await other.kill();
  const keys = await testing.asSuperuser('select item_key, count(*)::int as lines from run_lines where run_id = $1 group by 1', [runId]);
  expect(keys.filter((row) => row['lines'] !== 1)).toEqual([]);
  expect(await testing.asSuperuser('select * from run_beginnings')).toEqual([]);
  return runId;
}

test('a restore whose worker is killed in the middle is finished by another: everything once, and told once', async () => {
  const first = await start('worker', 'backup');
  await tenant.finish(backup);
  await first.kill();
  const [source] = await testing.asSuperuser('select source_id from catalog_sources');
  sourceId = String(source?.['source_id']);
  const before = await held();
  for (const { id, kind } of await truthOf(simulator, 'mail', user)) if (kind === 'message') act(simulator, 'mail.purge', { user, id });
  expect(await held()).toEqual([]);

  const skipped = await killInTheMiddle({ target: { kind: 'original' }, collisions: 'skip' }, ['skip', 'skip again']);
  expect(await held()).toEqual(before);
  const outcomes = await testing.asSuperuser(`select distinct outcome from run_lines where run_id = $1 and kind = 'message'`, [skipped]);
  expect(outcomes).toEqual([{ outcome: 'restored' }]);

  await killInTheMiddle({ target: { kind: 'original' }, collisions: 'keepBoth' }, ['both', 'both again']);
  expect(await held()).toEqual([...before, ...before].sort());
});
