import type { BackupConfig, BackupSettings } from '@holdfast/contract/configuration';
import type { Workload } from '@holdfast/contract/values';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { clientFor } from '@holdfast/engine/testing/rig';
import { systemClock } from '@holdfast/foundation/clock';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testIds } from '../../testing/rows.ts';
import { startSimulatedServer, type SimulatedServer } from '../../testing/simulated-server.ts';
import { act, connectSimulated, everyone, unscheduled, type SimulatedTenant } from '../../testing/simulated-tenant.ts';
import type { SignedIn } from '../../testing/test-server.ts';

/** Each backup setting, changed over the API: what the next run keeps is different. */
const testing = testDatabase(import.meta.url);
let running: SimulatedServer;
let owner: SignedIn;
let tenant: SimulatedTenant;
/** Jobs that ask for the least themselves, so that the settings decide. */
const jobs = new Map<Workload, string>();

beforeAll(async () => {
  running = await startSimulatedServer(testing);
  owner = await running.server.owner();
  const { server, simulator, folder } = running;
  tenant = await connectSimulated({ server, owner, simulator, testing, vault: path.join(folder, 'vault') });
  const source = { ...everyone, options: { fileVersions: 0 } };
  for (const workload of ['exchange', 'onedrive', 'sharepoint', 'teams'] as const)
    jobs.set(workload, await tenant.job({ type: 'backup', workload, name: `All ${workload}`, source }));
}, 120_000);
afterAll(() => running.close());

async function legacy<Answer>(to: string, body?: object): Promise<Answer> {
  const answer = await running.server.send(`/api${to}`, {
    token: owner.tokens.legacy,
    audience: 'legacy',
    ...(body === undefined ? {} : { body }),
  });
  if (!answer.ok) throw new Error(`${to} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Answer;
}

type Changes = { readonly [Name in Workload]?: Partial<BackupSettings[Name]> } & Pick<Partial<BackupSettings>, 'excludedFolders'>;

async function configure(changes: Changes): Promise<void> {
  const { settings } = await legacy<BackupConfig>('/backup-config');
  const { exchange, onedrive, sharepoint, teams, excludedFolders = settings.excludedFolders } = changes;
  await legacy('/backup-update-config', {
    settings: {
      exchange: { ...settings.exchange, ...exchange },
      onedrive: { ...settings.onedrive, ...onedrive },
      sharepoint: { ...settings.sharepoint, ...sharepoint },
      teams: { ...settings.teams, ...teams },
      excludedFolders,
    },
  });
}

async function run(workload: Workload): Promise<void> {
  expect(await tenant.finish(jobs.get(workload) ?? '')).toMatchObject({ status: expect.stringMatching(/successful|defective/u) });
}

/** What the newest restore points of a workload hold, told by a condition over `item`. */
async function kept(workload: Workload, condition: string): Promise<number> {
  const [row] = await testing.asSuperuser(
    `select count(*)::int as kept from catalog_items item join catalog_sources source using (organisation_id, realm, source_id)
     join resources resource using (organisation_id, realm, resource_id)
     where resource.workload = $1 and item.to_point = 9007199254740991 and (${condition})`,
    [workload],
  );
  return Number(row?.['kept']);
}

/** A drive by its id, for changes as people make them. */
async function driveIn(workload: 'onedrive' | 'sharepoint'): Promise<string> {
  const graph = clientFor(running.simulator, systemClock, testIds);
  try {
    if (workload === 'onedrive') return (await graph.drives.userDrive({ userId: somebody().id })).id;
    const sites = await Array.fromAsync(graph.sites.allSites());
    const home = sites.find((site) => site.webUrl?.endsWith('/sites/home'));
    const [library] = await Array.fromAsync(graph.drives.siteDrives({ siteId: home?.id ?? '' }));
    return library?.id ?? '';
  } finally {
    await graph.close();
  }
}

function directory() {
  const [first] = running.simulator.simulation.tenants.values();
  if (!first) throw new Error('The simulator has no tenant.');
  return first.directory;
}

function somebody() {
  const [first] = directory().users();
  if (!first) throw new Error('The simulator has nobody.');
  return first;
}

const versions = `select count(*) from json_array_elements(item.detail -> 'contents') content where content ->> 'role' = 'version'`;

test.for(['onedrive', 'sharepoint'] as const)('file versions at the first read of %s are as many as configured', async (workload) => {
  const { simulator } = running;
  const where = { drive: await driveIn(workload) };
  const added = async (name: string): Promise<number> => {
    act(simulator, 'drives.createFile', { ...where, name, content: 'one' });
    for (const content of ['two', 'three', 'four']) act(simulator, 'drives.edit', { ...where, path: name, content });
    await run(workload);
    const [row] = await testing.asSuperuser(
      `select (${versions})::int as versions from catalog_items item where name = $1 and to_point = 9007199254740991`,
      [name],
    );
    return Number(row?.['versions']);
  };
  await configure({ [workload]: { versions: 2 } });
  expect(await added('Few.txt')).toBe(2);
  await configure({ [workload]: { versions: 3 } });
  expect(await added('More.txt')).toBe(3);
});

test('permissions of sites and files are kept, or not, and kept again', async () => {
  const drive = await driveIn('sharepoint');
  act(running.simulator, 'drives.createFile', { drive, name: 'Shared.txt', content: 'ours' });
  act(running.simulator, 'drives.share', { drive, path: 'Shared.txt', people: ['somebody@example.com'] });
  const withPermissions = () => kept('sharepoint', `item.detail -> 'properties' -> 'permissions' is not null`);
  await run('sharepoint');
  expect(await withPermissions()).toBeGreaterThan(0);
  await configure({ sharepoint: { includePermissions: false } });
  await run('sharepoint');
  expect(await withPermissions()).toBe(0);
  await configure({ sharepoint: { includePermissions: true } });
  await run('sharepoint');
  expect(await withPermissions()).toBeGreaterThan(0);
});

test('recoverable items are kept when the settings say so', async () => {
  const recoverable = () => kept('exchange', `item.item_key = 'area:recoverable' or item.parent_key = 'area:recoverable'`);
  await run('exchange');
  expect(await recoverable()).toBe(0);
  await configure({ exchange: { includeRecoverableItems: true } });
  await run('exchange');
  expect(await recoverable()).toBeGreaterThan(0);
});

test('a folder that the settings exclude is not read any more, by jobs that are there already', async () => {
  await run('onedrive');
  await run('exchange');
  const [folder] = await testing.asSuperuser(
    `select folder.name, folder.item_key from catalog_items folder join catalog_items file on file.parent_key = folder.item_key
     where folder.kind = 'folder' and file.kind = 'file' and folder.parent_key like 'library:%' limit 1`,
  );
  const files = () => kept('onedrive', `item.kind = 'file' and item.parent_key = '${String(folder?.['item_key'])}'`);
  const mails = () =>
    kept(
      'exchange',
      `item.kind = 'message' and item.parent_key in (select item_key from catalog_items where detail #>> '{properties,wellKnown}' = 'inbox')`,
    );
  expect([(await files()) > 0, (await mails()) > 0]).toEqual([true, true]);
  await configure({ excludedFolders: [String(folder?.['name']).toUpperCase(), 'inbox'] });
  await run('onedrive');
  await run('exchange');
  expect([await files(), await mails()]).toEqual([0, 0]);
  await configure({ excludedFolders: [] });
});

test('private channels and chats are read when the settings say so', async () => {
  const posts = () => kept('teams', `item.kind = 'post' and item.parent_key in (select item_key from catalog_items where name = 'Leads')`);
  const chats = () => kept('teams', `resource.kind = 'chat'`);
  await configure({ teams: { includePrivateChannels: false } });
  await run('teams');
  expect([await posts(), await chats()]).toEqual([0, 0]);
  await configure({ teams: { includePrivateChannels: true, includeChats: true } });
  await run('teams');
  expect([(await posts()) > 0, (await chats()) > 0]).toEqual([true, true]);
  await configure({ teams: { includePrivateChannels: false } });
  await run('teams');
  expect(await posts()).toBe(0);
}, 120_000);

test('a newcomer waits while newcomers are not protected at once, unless a job names them', async () => {
  const id = '5f3f2a54-9d3e-4f0e-9d4e-0d7c1b8a6f10';
  const newcomer = { ...somebody(), id, displayName: 'Nora Newcomer', mail: 'nora@tiny.com', userPrincipalName: 'nora@tiny.com' };
  const held = async (): Promise<number> => {
    const rows = await testing.asSuperuser(
      `select source.source_id from catalog_sources source join resources using (organisation_id, realm, resource_id) where graph_id = $1`,
      [id],
    );
    return rows.length;
  };
  await configure({ exchange: { protectNewResources: false } });
  directory().putUser(newcomer);
  await run('exchange');
  expect(await held()).toBe(0);
  const [row] = await testing.asSuperuser('select held_back from resources where graph_id = $1', [id]);
  expect(row).toEqual({ held_back: true });
  await configure({ exchange: { protectNewResources: true } });
  await run('exchange');
  expect(await held()).toBe(1);
});

test('a workload that is turned off makes, starts and runs no job; what is stored can still be restored', async () => {
  await configure({ exchange: { enabled: false } });
  const send = (to: string, body: object) =>
    running.server.send(`/apollo/api/${tenant.tenantId}/${to}`, { token: owner.tokens.main, body });
  const codeOf = async (answer: Response) => [answer.status, ((await answer.json()) as { code?: string }).code];
  const off = [409, 'configuration.workload-off'];
  const body = {
    type: 'backup',
    workload: 'exchange',
    name: 'More mail',
    locationId: tenant.locationId,
    source: everyone,
    schedule: unscheduled,
  };
  expect(await codeOf(await send('jobs', body))).toEqual(off);
  expect(await codeOf(await send(`jobs/${jobs.get('exchange')}/start`, {}))).toEqual(off);
  const [source] = await testing.asSuperuser(
    `select source_id from catalog_sources join resources using (organisation_id, realm, resource_id) where workload = 'exchange' and points > 0 limit 1`,
  );
  const restore = { sourceId: source?.['source_id'], items: 'all', target: { kind: 'download', format: 'zip' }, reason: 'A look' };
  expect(await codeOf(await send('jobs', { ...body, type: 'restore', name: 'Take it out', source: undefined, restore }))).toEqual([
    201,
    undefined,
  ]);
  await configure({ exchange: { enabled: true } });
  expect((await send('jobs', body)).status).toBe(201);
});
