import { jobBody } from '@holdfast/contract/jobs';
import type { Database } from '@holdfast/database';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { createBackup, createRetention, graphWorkloads, silentProgress, type RunResult } from '@holdfast/engine';
import { createHurriedClock } from '@holdfast/engine/testing/hurried-clock';
import { systemClock } from '@holdfast/foundation/clock';
import { silentLogger } from '@holdfast/foundation/logger';
import { secureRandom } from '@holdfast/foundation/random';
import { Secret } from '@holdfast/foundation/secrets';
import { createGraphClient, createMemoryBudgets, type GraphClient } from '@holdfast/m365';
import { startSimulator, type Simulator } from '@holdfast/m365-simulator';
import { createFilesystemBlobStore } from '@holdfast/vault';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rebuildCatalog } from '../../admin/rebuild-catalog.ts';
import { vaultLs } from '../../admin/vault-ls.ts';
import { readConfig } from '../../settings/config.ts';
import { createKeysStore } from '../../keys/keys.store.ts';
import { createMasterKeys } from '../../keys/master-keys.ts';
import { createSealing } from '../../keys/sealing.ts';
import { createVaultKeyRings } from '../../keys/vault-key-rings.ts';
import { openMasterKey, rotateMasterKey } from '../../keys/master-key.ts';
import { aGround, aResource, aRunRow, testIds as ids, type Ground } from '../../testing/rows.ts';
import { coveredResources } from '../../features/backup/index.ts';
import {
  createCatalog,
  createCatalogRebuild,
  createLease,
  createResourcesStore,
  createVaults,
  createFirstUse,
  openBlobIndex,
  renewVaultKeys,
  resourceOf,
  type CatalogRebuild,
  type RebuiltResource,
  type Vaults,
} from '../index.ts';

const lost = testDatabase(import.meta.url);
const fresh = testDatabase(import.meta.url);
const clock = systemClock;
/** What Teams allows in a second is kept without waiting for it. */
const hurried = createHurriedClock();
const logger = silentLogger;
const signal = new AbortController().signal;

/** An installation as far as backups need it: its database, its master key, the vaults it opens with both. */
interface Installed extends Ground {
  readonly database: Database;
  readonly vaults: Vaults;
  readonly rebuild: CatalogRebuild;
}

let folder = '';
let simulator: Simulator;
let graph: GraphClient;
let old: Installed;
let anew: Installed;
const dataFolder = () => ({ HOLDFAST_DATA_DIR: path.join(folder, 'data'), HOLDFAST_MASTER_KEY: undefined });
const vaultFolder = () => path.join(folder, 'vault');

async function vaultsOf(database: Database): Promise<Vaults> {
  const masterKey = await openMasterKey(dataFolder(), database);
  const sealing = createSealing({
    masterKeys: createMasterKeys(masterKey, masterKey.others),
    store: createKeysStore(database),
    ids,
  });
  return createVaults({
    storage: {
      storeOf: async () => ({ store: createFilesystemBlobStore({ root: vaultFolder(), sync: false }), name: 'Vault' }),
      noteVault: async () => undefined,
      checkPlace: async () => undefined,
    },
    keyRingOf: createVaultKeyRings({ masterKey, sealing }),
    firstUse: createFirstUse(database),
    indexOf: (scope, locationId) => openBlobIndex({ database, scope, locationId }),
    clock,
    ids,
    random: secureRandom,
    logger,
    threads: 0,
  });
}

async function installed(database: Database): Promise<Installed> {
  const ground = await aGround(database, { folder: vaultFolder() });
  const vaults = await vaultsOf(database);
  const rebuild = createCatalogRebuild({
    database,
    vaults,
    resources: createResourcesStore({ database, ids }),
    catalogOf: (scope, locationId) => createCatalog({ database, scope, locationId, ids }),
    allScopes: async () => [ground.scope],
  });
  return { ...ground, database, vaults, rebuild };
}

const catalogOf = ({ database, scope, locationId }: Installed) => createCatalog({ database, scope, locationId, ids });

/** A run over every mailbox, drive, site, team and chat, as the handler of backup runs does it. */
async function backUp(on: Installed): Promise<RunResult[]> {
  const { database, scope, tenantId, locationId } = on;
  const store = createResourcesStore({ database, ids });
  const results: RunResult[] = [];
  for (const workload of ['exchange', 'onedrive', 'sharepoint', 'teams'] as const) {
    const body = jobBody.parse({
      type: 'backup',
      name: 'Everything',
      workload,
      schedule: { mode: 'afterCreation' },
      locationId,
      source: { everyone: true, options: { chats: true } },
    });
    if (body.type !== 'backup') throw new Error('This is a backup job.');
    const { resources } = await coveredResources(graph, workload, body.source);
    for (const resource of await store.remember(scope, tenantId, resources)) {
      const run = (vault: Parameters<typeof createBackup>[0]['vault']): Promise<RunResult> =>
        createBackup({
          vault,
          workloadOf: graphWorkloads(graph),
          catalog: catalogOf(on),
          lease: createLease({ database, scope, locationId, clock, ids }),
          progress: silentProgress,
          problems: { add: async () => undefined },
          clock,
          logger,
          checkpoint: { items: 5, bytes: 1024 * 1024 },
        }).run({ runId: ids.uuid(), resource: resourceOf(resource), selections: [{}], signal });
      results.push(await on.vaults.use(scope, locationId, run));
    }
  }
  return results;
}

/** A run that has failed, with what it tells of one resource. */
async function aFailedRun(installed: Installed, resourceId: string): Promise<string> {
  const runId = ids.uuid();
  const row = aRunRow(installed, { run_id: runId, job_name: 'Daily', status: 'failed', trigger: 'schedule', code: 'vault.foreign' });
  await installed.database.within(installed.scope, async (tx) => {
    await tx.insertInto('runs').values(row).execute();
    await tx
      .insertInto('run_accounts')
      .values({
        run_id: runId,
        resource_id: resourceId,
        status: 'failed',
        code: 'vault.foreign',
        total: null,
        sequence: null,
        started_at: null,
        ended_at: null,
      })
      .execute();
  });
  return runId;
}

const TABLES = {
  resources: `select resource_id, workload, kind, graph_id, name, address from resources order by resource_id`,
  sources: `select resource_id, head_sequence, head_hash, head_cursor, items, bytes, points, pending_added, pending_changed,
    pending_removed, pending_new_bytes, pending_stored_bytes, oldest_point_at, newest_point_at from catalog_sources order by resource_id`,
  points: `select s.resource_id, p.sequence, p.run_id, p.committed_at, p.status, p.added, p.changed, p.removed,
      p.new_bytes, p.stored_bytes
    from catalog_points p join catalog_sources s using (organisation_id, realm, source_id) order by s.resource_id, p.sequence`,
  items: `select s.resource_id, i.item_key, i.from_point, i.to_point, i.parent_key, i.kind, i.is_container, i.name, i.sort_name,
    i.size_bytes, i.created_at, i.modified_at, i.author, i.not_protected, i.detail
    from catalog_items i join catalog_sources s using (organisation_id, realm, source_id) order by s.resource_id, i.item_key, i.from_point`,
  children: `select s.resource_id, c.parent_key, p.sequence, c.kind, sum(c.change) as children
    from catalog_folder_counts c join catalog_sources s using (organisation_id, realm, source_id)
    join catalog_points p on p.source_id = c.source_id and p.sequence >= c.sequence
    group by 1, 2, 3, 4 having sum(c.change) <> 0 order by 1, 2, 3, 4`,
} as const;

/** The same as `children`, counted. */
const CHILDREN_COUNTED = `select s.resource_id, coalesce(i.parent_key, '') as parent_key, p.sequence, i.kind, count(*)::text as children
  from catalog_items i join catalog_sources s using (organisation_id, realm, source_id)
  join catalog_points p on p.source_id = i.source_id and p.sequence >= i.from_point and p.sequence < i.to_point
  group by 1, 2, 3, 4 order by 1, 2, 3, 4`;

async function tablesOf(database: typeof lost): Promise<Record<keyof typeof TABLES, Record<string, unknown>[]>> {
  const read = (name: keyof typeof TABLES) => database.asSuperuser(TABLES[name]);
  return {
    resources: await read('resources'),
    sources: await read('sources'),
    points: await read('points'),
    items: await read('items'),
    children: await read('children'),
  };
}

async function linesOfVaultLs(): Promise<string[]> {
  const lines: string[] = [];
  const context = { config: readConfig({}), logger, print: (line: string) => void lines.push(line) };
  await vaultLs.run(context, { folder: vaultFolder(), 'key-file': path.join(folder, 'data', 'master.key') });
  return lines;
}

function simulatedGraph(): GraphClient {
  const [tenant] = simulator.tenants;
  if (!tenant) throw new Error('The simulator has no tenant.');
  return createGraphClient({
    tenantId: tenant.tenantId,
    credential: { kind: 'secret', clientId: tenant.clientId, clientSecret: new Secret(tenant.clientSecret) },
    endpoints: {
      loginUrl: simulator.login,
      graphUrl: simulator.graph,
      ca: simulator.caPem,
      contentHosts: [new URL(simulator.graph).hostname],
    },
    budgets: createMemoryBudgets({ clock: hurried, ids }),
    clock: hurried,
    random: secureRandom,
    ids,
    logger,
    userAgentVersion: '0.0.0',
  });
}

/** A new message in the first mailbox. */
function deliver(user: string, subject: string): void {
  const { workloads, tenants } = simulator.simulation;
  const activity = workloads.flatMap((workload) => workload.activities).find((entry) => entry.name === 'mail.deliver');
  const [tenant] = tenants.values();
  if (!activity || !tenant) throw new Error('The simulator delivers no mail.');
  activity.run(tenant, { user, subject });
}

let firstUser = '';

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'holdfast-rebuild-'));
  simulator = await startSimulator({ recipes: ['tiny'], limits: 'off' });
  graph = simulatedGraph();
  old = await installed(lost.database);
  await backUp(old);
  const [mailbox] = await lost.asSuperuser(`select graph_id from resources where kind = 'mailbox' order by graph_id`);
  firstUser = String(mailbox?.['graph_id']);
  for (const subject of ['Second point', 'Third point']) {
    deliver(firstUser, subject);
    await backUp(old);
  }
  // A rule has given up the first points: they must not come back.
  await old.vaults.use(old.scope, old.locationId, async (vault) => {
    const held = await Array.fromAsync(vault.resources());
    const rules = held.map(({ resourceId }) => ({ resourceId, rule: { keepLast: 2, timeZone: 'UTC' }, holds: [] }));
    await createRetention({ vault, catalog: catalogOf(old), clock }).run(rules, signal);
  });
  await old.vaults.close();
  anew = await installed(fresh.database);
});
afterAll(async () => {
  await anew.vaults.close();
  await graph.close();
  await simulator.close();
  await rm(folder, { recursive: true, force: true });
});

test('a vault that the product made opens with its folder and the master key alone', async () => {
  expect((await readdir(path.join(folder, 'data'))).toSorted()).toEqual(['master.key']);
  const lines = await linesOfVaultLs();
  const { resources } = await tablesOf(lost);
  expect(lines.map((line) => line.split('\t')[0])).toEqual(expect.arrayContaining(resources.map((row) => row['resource_id'])));
  for (const { name } of resources) expect(lines.some((line) => line.endsWith(`\t${String(name)}`))).toBe(true);
});

test('a vault of an organisation that this installation serves is not taken from it', async () => {
  const { database, vaults, scope, locationId } = anew;
  const owner = { ...scope, organisationId: old.scope.organisationId };
  const rebuild = createCatalogRebuild({
    database,
    vaults,
    resources: createResourcesStore({ database, ids }),
    catalogOf: () => catalogOf(anew),
    allScopes: async () => [scope, owner],
  });
  await expect(Array.fromAsync(rebuild.run(await rebuild.find(locationId)))).rejects.toMatchObject({ code: 'vault.foreign' });
  await expect(rebuild.find(ids.uuid())).rejects.toMatchObject({ code: 'not-found' });
});

test('a new database gets the same catalog, row by row, and the next run reads nothing again', async () => {
  const { database, scope, locationId, rebuild } = anew;
  // Discovery was faster: it has found a mailbox under an id of its own.
  const { name, address } = (await tablesOf(lost)).resources.find((row) => row['graph_id'] === firstUser) as Record<string, string>;
  const mailbox = { kind: 'mailbox', workload: 'exchange', graphId: firstUser, name: name ?? '', address: address ?? '' } as const;
  const [early] = await createResourcesStore({ database, ids }).remember(scope, anew.tenantId, [mailbox]);
  // So was a job: its run could not write into a vault that is not this organisation's yet, and has told of it.
  await expect(backUp(anew)).rejects.toMatchObject({ code: 'vault.foreign' });
  const failed = await aFailedRun(anew, early?.resourceId ?? '');
  const place = await rebuild.find(locationId);
  expect(place).toEqual({ scope, tenantId: anew.tenantId, locationId });

  const found: RebuiltResource[] = await Array.fromAsync(rebuild.run(place));
  const before = await tablesOf(lost);
  expect(found.every(({ result, points }) => result === 'rebuilt' && points > 0)).toBe(true);
  expect(found).toHaveLength(before.sources.length);
  expect(before.items.length).toBeGreaterThan(50);
  expect(before.children).toEqual(await lost.asSuperuser(CHILDREN_COUNTED));
  expect(new Set(before.resources.map((row) => row['kind']))).toEqual(new Set(['mailbox', 'drive', 'site', 'team', 'chat']));
  expect(before.points.some((point) => Number(point['sequence']) > 3)).toBe(true);
  expect(await tablesOf(fresh)).toEqual(before);
  const told = await fresh.asSuperuser('select graph_id, code from run_accounts join resources using (resource_id) where run_id = $1', [
    failed,
  ]);
  expect(told).toEqual([{ graph_id: firstUser, code: 'vault.foreign' }]);

  // Run again, as the console does it, it changes nothing.
  const lines: string[] = [];
  const config = readConfig({
    HOLDFAST_DATA_DIR: path.join(folder, 'data'),
    HOLDFAST_DATABASE_URL: fresh.ownerUrl,
    HOLDFAST_DATABASE_APPLICATION_URL: fresh.applicationUrl,
    HOLDFAST_LOCATION_ROOTS: folder,
  });
  const context = { config, logger, print: (line: string) => void lines.push(line) };
  await rebuildCatalog.run(context, {});
  expect(lines[0]).toBe(`${locationId}\tVault`);
  await rebuildCatalog.run(context, { location: locationId });
  expect(lines.at(-1)).toBe(`${before.sources.length} resources rebuilt, 0 skipped.`);
  expect(await tablesOf(fresh)).toEqual(before);

  const from = simulator.simulation.log.total;
  const results = await backUp(anew);
  expect(results.map(({ status, counts, bytesRead }) => ({ status, added: counts.added, changed: counts.changed, bytesRead }))).toEqual(
    results.map(() => ({ status: 'successful', added: 0, changed: 0, bytesRead: 0 })),
  );
  const requests = simulator.simulation.log.list({ after: from });
  expect(requests.length).toBeGreaterThan(0);
  expect(requests.filter((request) => /\$value$|\/content$/.test(request.path.split('?')[0] ?? ''))).toEqual([]);

  deliver(firstUser, 'After the dark day');
  await backUp(anew);
  const { sources } = await tablesOf(fresh);
  const moved = sources.filter((row, at) => row['head_sequence'] !== before.sources[at]?.['head_sequence']);
  expect(moved).toHaveLength(1);
});

test('a resource that was backed up again under another id is told of and left as it is', async () => {
  const third = await installed(fresh.database);
  const taken = await aResource(third.database, third, { graphId: firstUser, name: 'Backed up again' });
  await third.database.within(third.scope, (tx) =>
    tx
      .insertInto('catalog_sources')
      .values({
        source_id: ids.uuid(),
        location_id: third.locationId,
        resource_id: taken,
        head_sequence: 1,
        head_hash: 'x',
        head_cursor: '',
      })
      .execute(),
  );
  const found = await Array.fromAsync(third.rebuild.run(third));
  expect(found.filter(({ result }) => result === 'in-use').map(({ points }) => points)).toEqual([0]);
  expect(await createResourcesStore({ database: third.database, ids }).get(third.scope, taken)).toMatchObject({ name: 'Backed up again' });
  await third.vaults.close();
  await anew.vaults.takeOver(anew.scope, anew.locationId, () => true);
});

test('after a rotation of the master key the vault goes on and opens with the new key alone', async () => {
  await anew.vaults.close();
  await rotateMasterKey(dataFolder(), anew.database);
  await expect(linesOfVaultLs()).rejects.toMatchObject({ code: 'vault.wrong-key' });
  const vaults = await vaultsOf(anew.database);
  const report = await renewVaultKeys({ database: anew.database, vaults, scopes: [anew.scope] });
  expect(report).toEqual({ renewed: 1, notReached: [] });
  await vaults.close();
  expect((await linesOfVaultLs()).length).toBeGreaterThan(0);
});
