import type { Scope } from '@holdfast/database';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { anItem, aSegment } from '@holdfast/engine/testing/builders';
import { systemClock } from '@holdfast/foundation/clock';
import { expect, test } from 'vitest';
import { createRunsStore, type NewRun } from '../../runs/index.ts';
import { createCatalog } from '../../storage/index.ts';
import { aGround, aResource, testIds as ids } from '../../testing/rows.ts';
import { dueTenants } from './due-scans.store.ts';
import { createScanReportStore } from './scan-report.store.ts';
import { createScanSourcesStore, type OpenSource } from './scan-sources.store.ts';

/** Scans below their runs: how they resume, what they read again, and when they start by themselves. */
const testing = testDatabase(import.meta.url);
const { database } = testing;
const nobody = new Set<string>();
const HOUR_MS = 3_600_000;

async function aDrive() {
  const ground = await aGround(database);
  const resourceId = await aResource(database, ground, { kind: 'drive', workload: 'onedrive' });
  const catalog = createCatalog({ database, scope: ground.scope, locationId: ground.locationId, ids });
  const backUp = (sequence: number, change: { readonly put?: readonly string[]; readonly removed?: readonly string[] }) =>
    catalog.apply({
      ...aSegment(resourceId, sequence),
      put: (change.put ?? []).map((key) => anItem(key, { kind: 'file', sizeBytes: sequence })),
      removed: change.removed ?? [],
    });
  return { ...ground, backUp };
}

/** Reads a source to its end; answers how many items that were. */
async function readOn(scope: Scope, source: OpenSource): Promise<number> {
  const sources = createScanSourcesStore(database);
  let total = 0;
  for (let at = source; ;) {
    const read = await sources.readBatch(scope, at, nobody);
    if (read === undefined || read.count === 0) break;
    total += read.count;
    at = { ...at, position: read.position };
  }
  await sources.finish(scope, source, new Date());
  return total;
}

const behind = (scope: Scope, tenantId: string) => createScanSourcesStore(database).behind(scope, tenantId);
const filesOf = (scope: Scope) =>
  database.within(scope, (tx) =>
    tx.selectFrom('compliance_files').select(['item_key', 'size_bytes', 'is_deleted']).orderBy('item_key').execute(),
  );
const keys = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, at) => `file ${String(from + at).padStart(5, '0')}`);

test('a scan that dies between two batches is resumed where it was, and reads nothing twice', async () => {
  const { scope, tenantId, backUp } = await aDrive();
  await backUp(1, { put: keys(0, 1_201) });
  const [begun] = await behind(scope, tenantId);
  if (!begun) throw new Error('Nothing is to be read.');
  const first = await createScanSourcesStore(database).readBatch(scope, begun, nobody);
  expect(first?.count).toBe(500);
  // A backup commits while nobody reads: that is for the next scan.
  await backUp(2, { put: ['file 00700', 'new'] });
  const [resumed] = await behind(scope, tenantId);
  expect(resumed).toEqual({ ...begun, position: first?.position });
  expect(await readOn(scope, resumed ?? begun)).toBe(701);
  expect(await filesOf(scope)).toHaveLength(1_201);
  const [next] = await behind(scope, tenantId);
  expect(next).toMatchObject({ from: 1, through: 2, position: '' });
  expect(await readOn(scope, next ?? begun)).toBe(2);
  expect((await filesOf(scope)).filter((file) => file.size_bytes === 2).map((file) => file.item_key)).toEqual(['file 00700', 'new']);
});

test('of two workers that read the same site, the slower one writes nothing', async () => {
  const { scope, tenantId, backUp } = await aDrive();
  await backUp(1, { put: keys(0, 600) });
  const [source] = await behind(scope, tenantId);
  if (!source) throw new Error('Nothing is to be read.');
  const sources = createScanSourcesStore(database);
  expect((await sources.readBatch(scope, source, nobody))?.count).toBe(500);
  expect(await sources.readBatch(scope, source, nobody)).toBeUndefined();
  expect(await filesOf(scope)).toHaveLength(500);
});

test('a scan reads only what has changed since the last one, what was deleted included, and then nothing', async () => {
  const { scope, tenantId, backUp } = await aDrive();
  await backUp(1, { put: keys(0, 300) });
  for (const source of await behind(scope, tenantId)) expect(await readOn(scope, source)).toBe(300);
  expect(await behind(scope, tenantId)).toEqual([]);
  await backUp(2, { put: ['file 00001'], removed: ['file 00002'] });
  for (const source of await behind(scope, tenantId)) expect(await readOn(scope, source)).toBe(2);
  const files = await filesOf(scope);
  expect(files.filter((file) => file.is_deleted).map((file) => file.item_key)).toEqual(['file 00002']);
  expect(files).toHaveLength(300);
  expect(await behind(scope, tenantId)).toEqual([]);
});

test('a scan starts by itself after a backup, an hour after the last one, and in each new month; never beside another', async () => {
  const { scope, tenantId, backUp } = await aDrive();
  const runs = createRunsStore({ database, clock: systemClock, ids, queue: { send: () => Promise.resolve(true) } });
  const start = async (plan: Pick<NewRun, 'type' | 'workload' | 'body'>): Promise<string> => {
    const run = { tenantId, jobId: null, jobName: 'Run', locationId: null, trigger: 'schedule', startedBy: null, ...plan } as NewRun;
    return (await database.within(scope, (tx) => runs.enqueue(tx, scope, run)))?.runId ?? '';
  };
  const end = (runId: string, at: Date) =>
    testing.asSuperuser('update runs set ended_at = $2, status = $3 where run_id = $1', [runId, at, 'successful']);
  const isDue = async (at: Date) => (await database.within(scope, (tx) => dueTenants(tx, at))).includes(tenantId);
  const noon = new Date('2026-11-10T12:00:00.000Z');
  const later = (hours: number) => new Date(noon.getTime() + hours * HOUR_MS);
  expect(await isDue(noon)).toBe(false);
  const backup = await start({
    type: 'backup',
    workload: 'onedrive',
    body: { type: 'backup', name: 'Run', schedule: { mode: 'disabled' } } as never,
  });
  await backUp(1, { put: keys(0, 3) });
  expect(await isDue(noon)).toBe(false);
  await end(backup, noon);
  expect(await isDue(noon)).toBe(true);
  const scan = await start({ type: 'scan', workload: null, body: { type: 'scan', name: 'Scan', schedule: { mode: 'disabled' } } as never });
  expect(await isDue(later(48))).toBe(false);
  for (const source of await behind(scope, tenantId)) await readOn(scope, source);
  await createScanReportStore(database).complete(scope, { scanId: scan, tenantId, due: null }, noon);
  await end(scan, noon);
  expect(await isDue(later(48))).toBe(false);
  await backUp(2, { put: ['new'] });
  expect([await isDue(later(0.5)), await isDue(later(1))]).toEqual([false, true]);
  for (const source of await behind(scope, tenantId)) await readOn(scope, source);
  expect([await isDue(later(72)), await isDue(new Date('2026-12-01T12:00:00.000Z'))]).toEqual([false, true]);
});
