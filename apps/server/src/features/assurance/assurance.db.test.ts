import { testDatabase } from '@holdfast/database/testing/test-database';
import type { Simulator } from '@holdfast/m365-simulator';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSimulatedServer, type SimulatedServer } from '../../testing/simulated-server.ts';
import { connectSimulated, everyone, truthOf, type RunRow, type SimulatedTenant } from '../../testing/simulated-tenant.ts';
import type { TestServer } from '../../testing/test-server.ts';

/** Runs that prove what is stored, over a mailbox tenant that was really backed up. */
const testing = testDatabase(import.meta.url);
let simulator: Simulator;
let running: SimulatedServer;
let server: TestServer;
let tenant: SimulatedTenant;
let firstBackup: RunRow;
let verifyJob = '';
let drillJob = '';
let folder = '';

interface EvidenceItem {
  readonly runId: string;
  readonly kind: string;
  readonly state: string;
  readonly checked: number;
  readonly checkedBytes: number;
  readonly deviations: number;
  readonly findings: readonly { readonly code: string; readonly count: number }[];
  readonly leftOut: number;
}

beforeAll(async () => {
  running = await startSimulatedServer(testing);
  ({ simulator, server, folder } = running);
  const owner = await server.owner();
  tenant = await connectSimulated({ server, owner, simulator, testing, vault: path.join(folder, 'vault') });
  firstBackup = await tenant.finish(await tenant.job({ type: 'backup', name: 'Mail', source: everyone }));
  verifyJob = await tenant.job({ type: 'verify', name: 'Verify', budgetPercent: 100 });
  drillJob = await tenant.job({ type: 'drill', name: 'Drill', source: everyone, samples: 12 });
}, 240_000);
afterAll(() => running.close());

async function evidenceOf(run: RunRow): Promise<EvidenceItem | undefined> {
  const { items } = await tenant.call<{ items: EvidenceItem[] }>(`${tenant.tenantId}/reporting/evidence`);
  return items.find((item) => item.runId === run.run_id);
}

/** What all mailboxes hold, without what only an administrator finds. */
async function held(): Promise<readonly string[]> {
  const people = [...simulator.simulation.tenants.values()][0]?.directory.users() ?? [];
  const all: string[] = [];
  for (const { id } of people.filter((person) => person.hasMailbox))
    for (const kind of ['mail', 'calendar', 'contacts', 'todo'])
      for (const record of await truthOf(simulator, kind, id)) all.push(`${id} ${kind} ${record.kind} ${record.path} ${record.id}`);
  return all.filter((one) => !/(?:Wiederherstellbare|Recoverable)/u.test(one)).sort();
}

async function packs(): Promise<string[]> {
  const entries = await readdir(path.join(folder, 'vault'), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.parentPath.includes(`${path.sep}packs`))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}

/** Turns one bit over in every kilobyte of a file. */
async function flip(file: string): Promise<void> {
  const bytes = await readFile(file);
  for (let at = 512; at < bytes.byteLength; at += 1024) bytes[at] = (bytes[at] ?? 0) ^ 1;
  await rm(file);
  await writeFile(file, bytes);
}

test('a first backup stores less than it has read', () => {
  expect(firstBackup).toMatchObject({ status: 'successful', code: null });
  expect(firstBackup.added).toBeGreaterThan(0);
  expect(firstBackup.stored_bytes).toBeGreaterThan(0);
  expect(firstBackup.stored_bytes).toBeLessThan(firstBackup.new_bytes);
});

test('a verify run reads the whole vault back, and the next one does so again', async () => {
  const sizes = await Promise.all((await packs()).map(async (file) => (await readFile(file)).byteLength));
  const stored = sizes.reduce((sum, size) => sum + size, 0);
  expect(stored).toBeGreaterThan(0);
  for (const round of [1, 2]) {
    const run = await tenant.finish(verifyJob);
    expect(run, `round ${round}`).toMatchObject({ status: 'successful', code: null, result: { complete: true, damages: [] } });
    const evidence = await evidenceOf(run);
    expect(evidence).toMatchObject({ kind: 'verify', state: 'verified', checkedBytes: stored, deviations: 0 });
    expect(evidence?.checked).toBeGreaterThan(sizes.length);
  }
});

test('a drill puts samples back and compares them byte by byte', async () => {
  const before = await held();
  const run = await tenant.finish(drillJob);
  expect(run).toMatchObject({ status: 'successful', code: null, errors: 0, result: { remaining: 0 } });
  expect(await held(), 'its copies are taken away again').toEqual(before);
  const evidence = await evidenceOf(run);
  expect(evidence).toMatchObject({ kind: 'drill', state: 'verified', checked: 12, deviations: 0 });
  expect(evidence?.checkedBytes).toBeGreaterThan(0);
  const { items } = await tenant.call<{ items: { outcome: string }[] }>(`${tenant.tenantId}/monitoring/${run.run_id}/items`);
  expect(items.map((item) => item.outcome)).toEqual(Array.from({ length: 12 }, () => 'restored'));
  expect([...simulator.simulation.tenants.values()][0]?.outbox.list()).toEqual([]);
});

test('a drill says how many chats it leaves out', async () => {
  const [access] = simulator.simulation.tenants.values();
  const { id, displayName: name } = access?.directory.users().find((person) => person.hasMailbox) ?? { id: '', displayName: '' };
  const job = { workload: 'teams', source: { users: [{ id, name }], options: { chats: true } } };
  const chats = await tenant.finish(await tenant.job({ ...job, type: 'backup', name: 'Chats' }));
  expect(chats.status).toBe('successful');
  const [row] = await testing.asSuperuser(`select count(*)::int as chats from resources where kind = 'chat'`, []);
  const run = await tenant.finish(await tenant.job({ ...job, type: 'drill', name: 'Drill of chats', samples: 5 }));
  expect(run).toMatchObject({ status: 'failed', code: 'drill.nothing-to-check' });
  expect(row?.['chats']).toBeGreaterThan(0);
  expect(await evidenceOf(run)).toMatchObject({ checked: 0, leftOut: row?.['chats'] });
});

test('a rehearsal of chosen items reports each of them, compared byte by byte', async () => {
  const place = `${tenant.tenantId}/discovery/${tenant.locationId}`;
  const sources = await tenant.call<{ items: { sourceId: string; items: number }[] }>(
    `${place}/sources?workload=exchange&sort=-items&limit=1`,
  );
  const [source] = sources.items;
  const found = await tenant.call<{ items: { nodeId: string }[] }>(
    `${place}/source/${source?.sourceId ?? ''}/items/root?search=e&everywhere=true&kind=message&limit=3`,
  );
  const items = found.items.map((item) => item.nodeId);
  expect(items.length).toBeGreaterThan(0);
  const restore = { sourceId: source?.sourceId, items, target: { kind: 'rehearsal' } };
  const run = await tenant.finish(
    await tenant.job({ type: 'restore', name: 'Rehearsal of mail', restore, schedule: { mode: 'disabled' } }),
  );
  expect(run).toMatchObject({ status: 'successful', result: { remaining: 0 } });
  const report = await tenant.call<{ items: { itemId: string; outcome: string }[] }>(`${tenant.tenantId}/monitoring/${run.run_id}/items`);
  expect(new Set(report.items.map((line) => line.itemId))).toEqual(new Set(items));
  expect(report.items.every((line) => line.outcome === 'restored')).toBe(true);
  const lines = (query: string) =>
    tenant.call<{ items: { path: string }[]; total: number }>(`${tenant.tenantId}/monitoring/${run.run_id}/items?${query}`);
  const paths = (await lines('sort=-path')).items.map((line) => line.path);
  expect((await lines('sort=path')).items.map((line) => line.path)).toEqual(paths.toReversed());
  const [last = ''] = paths;
  expect(await lines(`search=${encodeURIComponent(last)}`)).toMatchObject({ total: 1, items: [{ path: last }] });
});

test('a drill finds what the vault gives back damaged, and a verify names it', async () => {
  const files = await packs();
  for (const file of files) await flip(file);
  const drill = await tenant.finish(drillJob);
  expect(drill.status).toBe('defective');
  const proof = await evidenceOf(drill);
  expect(proof?.state).toBe('deviation');
  expect(proof?.deviations).toBeGreaterThan(0);
  const { items: lines } = await tenant.call<{ items: { outcome: string; code: string | null }[] }>(
    `${tenant.tenantId}/monitoring/${drill.run_id}/items`,
  );
  expect(lines.filter((line) => line.outcome === 'failed')).toHaveLength(proof?.deviations ?? -1);
  expect(lines.every((line) => line.outcome !== 'failed' || line.code !== null)).toBe(true);

  const verify = await tenant.finish(verifyJob);
  expect(verify).toMatchObject({ status: 'defective', code: 'vault.damaged' });
  const evidence = await evidenceOf(verify);
  expect(evidence).toMatchObject({ kind: 'verify', state: 'deviation' });
  const damages = verify.result?.['damages'] as { object: string; name: string }[];
  expect(damages.filter((damage) => damage.object === 'pack').map((damage) => path.basename(damage.name))).toEqual(
    expect.arrayContaining(files.map((file) => path.basename(file))),
  );
  const problems = await tenant.call<{ total: number; items: { code: string; path: string }[] }>(
    `${tenant.tenantId}/monitoring/${verify.run_id}/problems`,
  );
  expect(problems.items.length).toBeGreaterThan(0);
  expect(problems.items.every((problem) => problem.code === 'vault.damaged' && problem.path !== '')).toBe(true);
  expect(verify.errors).toBe(verify.result?.['deviations']);
  expect(verify.errors).toBe(evidence?.deviations);
  const findings = new Map(evidence?.findings.map(({ code, count }) => [code, count]));
  expect(verify.errors).toBe([...findings.values()].reduce((sum, count) => sum + count, 0));
  expect(findings.get('vault.items-lost')).toBe(verify.result?.['affectedItems']);
});
