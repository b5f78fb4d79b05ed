import type { Tx } from '@holdfast/database';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { anItem, aSegment } from '@holdfast/engine/testing/builders';
import { systemClock as clock } from '@holdfast/foundation/clock';
import { startSimulator, type Simulator } from '@holdfast/m365-simulator';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunContext, RunOf } from '../../runs/handler.ts';
import { createRunAccountsStore } from '../../runs/index.ts';
import { createCatalog, type KeptPlace } from '../../storage/index.ts';
import { reachSimulated } from '../../testing/backup-ground.ts';
import { aGround, aResource, testIds as ids, type Ground } from '../../testing/rows.ts';
import { createAssuranceStore, createDeletionHandler } from '../assurance/index.ts';
import { createMinimums } from './minimums.service.ts';
import { createRetentionStore } from './retention.store.ts';

/**
 * A deletion run that is let loose on archives. No job can choose them, so that here its workload is theirs: what keeps
 * their restore points then is the minimum of a policy alone.
 */
const testing = testDatabase(import.meta.url);
const { database } = testing;
const store = createRetentionStore(database);
const minimums = createMinimums(store, { recognisesScans: false });
let folder = '';
let simulator: Simulator;
let ground: Ground;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'holdfast-minimums-'));
  simulator = await startSimulator({ recipes: ['tiny'], limits: 'off' });
  ground = await aGround(database);
}, 120_000);
afterAll(async () => {
  await simulator.close();
  await rm(folder, { recursive: true, force: true });
});

/** An archive with a point for each message, received on these days. */
async function anArchive(...days: readonly string[]): Promise<string> {
  const resourceId = await aResource(database, ground, { workload: 'archive', kind: 'archive' });
  const catalog = createCatalog({ database, scope: ground.scope, locationId: ground.locationId, ids });
  for (const [index, day] of days.entries()) {
    const item = anItem(`message ${index}`, { modifiedAt: `${day}T10:00:00.000Z` });
    await catalog.apply({ ...aSegment(resourceId, index + 1), committedAt: `2025-01-0${index + 1}T12:00:00.000Z`, put: [item] });
  }
  return resourceId;
}

async function aPolicy(name: string, years: number): Promise<string> {
  const policyId = ids.uuid();
  const terms = { anchor: 'received', event_kind: null, amount: years, unit: 'years', starts: 'day', fiscal_year_end: 12 } as const;
  const made = { created_by: ids.uuid(), creator: 'ann@contoso.example', created_at: new Date(), end_reason: null, preview: null };
  const row = { policy_id: policyId, tenant_id: ground.tenantId, name, is_everything: true, replaces: null, ...terms, ...made };
  await store.within(ground.scope, (tx) => store.add(tx, { ...row, activated_at: new Date() }, { mailboxIds: [], places: [], labels: [] }));
  return policyId;
}

/** Keeps the newest point of every archive and nothing else, unless something speaks for the others. */
async function deletion(asked: { readonly decides: boolean; readonly forgets: boolean }): Promise<void> {
  const { scope, tenantId, locationId } = ground;
  const keptWithin = async (tx: Tx, place: KeptPlace) => ({ holds: [], minimums: asked.forgets ? await minimums.within(tx, place) : [] });
  const handler = createDeletionHandler({
    ...reachSimulated({ database, simulator, folder }),
    store: createAssuranceStore(database),
    accounts: createRunAccountsStore({ database, clock }),
    clock,
    catalogOf: () => createCatalog({ database, scope, locationId, ids, keptWithin }),
    keptOn: async (_scope, place) => ({
      holds: [],
      minimums: asked.decides ? await store.within(scope, (tx) => minimums.on(tx, place)) : [],
    }),
    awaitedIn: async () => async () => [],
  });
  const source = { everyone: true, users: [], groups: [], sites: [], teams: [], excluded: [] };
  const body = { workload: 'archive', source, retention: { mode: 'count', count: 1 }, schedule: { mode: 'disabled' } };
  const run = { runId: ids.uuid(), tenantId, locationId, body };
  const progress = { stage: () => undefined, waitForMicrosoft: () => undefined };
  await handler({ scope, run, progress, signal: new AbortController().signal } as unknown as RunContext<RunOf<'deletion'>>);
}

async function pointsOf(resourceId: string): Promise<number[]> {
  const rows = await testing.asSuperuser(
    `select sequence::int from catalog_points join catalog_sources using (source_id) where resource_id = $1 order by 1`,
    [resourceId],
  );
  return rows.map((row) => Number(row['sequence']));
}

test.each([
  ['decides', { decides: true, forgets: false }],
  ['forgets in the catalog', { decides: false, forgets: true }],
])('a deletion run spares what a minimum keeps when it %s, and takes it when the policy has ended', async (_when, asked) => {
  const resourceId = await anArchive('1955-01-01', '2025-01-01', '2026-01-01');
  const policyId = await aPolicy('Sixty years', 60);
  await deletion(asked);
  expect(await pointsOf(resourceId)).toEqual([2, 3]);
  await store.within(ground.scope, (tx) => store.change(tx, policyId, { ended_at: new Date() }));
  await deletion(asked);
  expect(await pointsOf(resourceId)).toEqual([3]);
});
