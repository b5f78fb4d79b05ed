import type { ContentExport } from '@holdfast/contract/exports';
import type { SearchAnswer } from '@holdfast/contract/search';
import type { Selection } from '@holdfast/contract/selections';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { startSimulator, type Simulator } from '@holdfast/m365-simulator';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openMasterKey } from '../../keys/master-key.ts';
import { readConfig } from '../../settings/config.ts';
import { killedDuring, prepareKills } from '../../testing/killed-during.ts';
import { connectSimulated, unscheduled, type SimulatedTenant } from '../../testing/simulated-tenant.ts';
import { testServer, type TestServer } from '../../testing/test-server.ts';

/** Workers that are killed with SIGKILL while they make an export. */
const testing = testDatabase(import.meta.url);
/** As if the worker had been dead for long: whoever watches looks at once, and what it had is taken up. */
const LONG_DEAD = [
  `update pgboss.job set heartbeat_on = heartbeat_on - interval '1 hour' where state = 'active'`,
  `update pgboss.queue set monitor_claim_on = monitor_claim_on - interval '1 hour'`,
];
/** More than are read at once. */
const MAILS = 230;
let folder: string;
let simulator: Simulator;
let common: Readonly<Record<string, string>>;

async function started(name: string, roles: readonly ('api' | 'worker')[]): Promise<TestServer> {
  const settings = { ...common, HOLDFAST_DATA_DIR: path.join(folder, name), HOLDFAST_LOCATION_ROOTS: folder };
  const masterKey = await openMasterKey(readConfig(settings), testing.database);
  return testServer(testing, { roles: [...roles], masterKey, settings });
}

/** A server with its tenant, as whoever is signed in there calls it. */
interface Place {
  readonly server: TestServer;
  readonly token: string;
  readonly tenantId: string;
}

async function call<T>({ server, token, tenantId }: Place, to: string, body?: object): Promise<T> {
  const answer = await server.send(`/apollo/api/${tenantId}/archive/${to}`, { token, ...(body === undefined ? {} : { body }) });
  if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as T;
}

async function statusOf({ server, token, tenantId }: Place, to: string, method = 'GET'): Promise<number> {
  return (await server.send(`/apollo/api/${tenantId}/archive/${to}`, { token, method })).status;
}

async function importMails(tenant: SimulatedTenant): Promise<void> {
  await mkdir(path.join(folder, 'mails'));
  for (let no = 0; no < MAILS; no += 1) {
    const text = `From: ada@proseware.example\nSubject: Same\nDate: Mon, 02 Nov 2026 10:00:00 +0000\n\nQuittengelee ${no}\n`;
    await writeFile(path.join(folder, 'mails', `${no}.eml`), text);
  }
  const [directory] = [...simulator.simulation.tenants.values()].map((one) => one.directory);
  const [one] = (directory?.users() ?? []).filter((user) => user.hasMailbox && user.kind === 'member');
  const { id = '', displayName: name = '', mail: address = '' } = one ?? {};
  const settings = { source: { kind: 'folder', path: 'mails' }, mapping: [{ mailbox: { id, name, address } }] };
  const job = await tenant.job({ type: 'import', name: 'Mails', schedule: unscheduled, import: settings });
  expect(await tenant.finish(job)).toMatchObject({ status: 'successful' });
}

async function ended(place: Place, exportId: string): Promise<ContentExport> {
  const state = async () => (await call<ContentExport>(place, `exports/${exportId}`)).status;
  await expect.poll(state, { timeout: 120_000, interval: 200 }).not.toMatch(/^(?:pending|running|cancelling)$/u);
  return call<ContentExport>(place, `exports/${exportId}`);
}

/** The files that the manifest of an export names, as it is downloaded. */
async function filesOf(place: Place, { exportId, parts }: ContentExport): Promise<readonly { readonly path: string }[]> {
  const to = `/apollo/api/${place.tenantId}/archive/exports/${exportId}/parts/${parts.length}`;
  const zip = path.join(folder, `${exportId}.zip`);
  await writeFile(zip, Buffer.from(await (await place.server.send(to, { token: place.token })).arrayBuffer()));
  const told = execFileSync('unzip', ['-p', zip, 'manifest.json'], { encoding: 'utf8', maxBuffer: 2 ** 26 });
  return (JSON.parse(told) as { files: { path: string }[] }).files;
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'holdfast-killed-exports-'));
  simulator = await startSimulator({ recipes: ['tiny'], limits: 'off' });
  common = {
    HOLDFAST_MASTER_KEY: Buffer.alloc(32, 9).toString('base64'),
    HOLDFAST_IDENTITY_PROFILE: 'conformance',
    HOLDFAST_GRAPH_URL: simulator.graph,
    HOLDFAST_LOGIN_URL: simulator.login,
    HOLDFAST_GRAPH_CA_FILE: simulator.ca,
    HOLDFAST_IMPORT_ROOTS: folder,
  };
  await prepareKills(testing);
}, 240_000);
afterAll(async () => {
  await simulator.close();
  await rm(folder, { recursive: true, force: true });
});

test('A28: an export that was stopped goes on; whenever a worker is killed, the next one does, and the manifest names the same files with the same hashes', async () => {
  const first = await started('first', ['api', 'worker']);
  const owner = await first.owner();
  const tenant = await connectSimulated({ server: first, owner, simulator, testing, vault: path.join(folder, 'vault') });
  const place: Place = { server: first, token: owner.tokens.main, tenantId: tenant.tenantId };
  await importMails(tenant);
  const asked = { query: 'Quittengelee', reason: 'A dispute' };
  const hits = async () => (await call<SearchAnswer>(place, 'search', { ...asked, limit: 1 })).total;
  await expect.poll(hits, { timeout: 60_000, interval: 300 }).toBe(MAILS);
  const { selectionId } = await call<Selection>(place, 'search/selections', asked);
  const body = { name: 'Jelly', format: 'searchable', reason: 'A dispute', source: { kind: 'selection', selectionId } };
  const whole = await ended(place, (await call<ContentExport>(place, 'exports', body)).exportId);
  expect(whole).toMatchObject({ status: 'successful', items: MAILS, files: MAILS + 1 });
  const wanted = await filesOf(place, whole);
  await first.close();

  const waiting = await started('waiting', ['api']);
  const asking: Place = { ...place, server: waiting };
  const { exportId } = await call<ContentExport>(asking, 'exports', body);
  // Nobody works on it yet: it is stopped at once, hands nothing out, and goes on when it is asked to.
  expect(await statusOf(asking, `exports/${exportId}/cancel`, 'POST')).toBe(204);
  expect((await call<ContentExport>(asking, `exports/${exportId}`)).status).toBe('cancelled');
  expect(await statusOf(asking, `exports/${exportId}/parts/1`)).toBe(409);
  expect(await statusOf(asking, `exports/${exportId}/resume`, 'POST')).toBe(204);
  expect((await call<ContentExport>(asking, `exports/${exportId}`)).status).toBe('pending');
  const state = async () => {
    const [row] = await testing.asSuperuser(
      `select (select count(*)::int from export_items where export_id = $1) as items,
         (select count(sha256)::int from export_files where export_id = $1) as read,
         (select manifest_hash from exports where export_id = $1) as hash`,
      [exportId],
    );
    return row;
  };
  await waiting.close();
  for (const [written, told, wants] of [
    ['insert on export_items', 'while it is listed', { items: 0, read: 0, hash: null }],
    ['update on export_files', 'while it is read', { items: MAILS, read: 0, hash: null }],
    ['update on exports', 'while it is signed', { items: MAILS, read: MAILS + 8, hash: null }],
  ] as const) {
    await killedDuring({ testing, folder, settings: common }, written);
    for (const statement of LONG_DEAD) await testing.asSuperuser(statement);
    expect(await state(), told).toEqual(wants);
  }
  const successor = await started('successor', ['api', 'worker']);
  try {
    const there: Place = { ...place, server: successor };
    const one = await ended(there, exportId);
    expect(one).toMatchObject({ status: 'successful', failed: 0 });
    expect(await filesOf(there, one)).toEqual(wanted);
  } finally {
    await successor.close();
  }
}, 480_000);
