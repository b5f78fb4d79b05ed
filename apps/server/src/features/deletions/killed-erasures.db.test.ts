import type { Approval } from '@holdfast/contract/approvals';
import type { DeletionDetails } from '@holdfast/contract/deletions';
import type { Selection } from '@holdfast/contract/selections';
import { createTaskQueue, type Scope } from '@holdfast/database';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { sha256Hex } from '@holdfast/foundation/bytes';
import { systemClock } from '@holdfast/foundation/clock';
import { silentLogger } from '@holdfast/foundation/logger';
import { startSimulator, type Simulator } from '@holdfast/m365-simulator';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openMasterKey } from '../../keys/master-key.ts';
import { createRunsStore } from '../../runs/index.ts';
import { readConfig } from '../../settings/config.ts';
import { killedDuring, prepareKills } from '../../testing/killed-during.ts';
import { testIds as ids } from '../../testing/rows.ts';
import { connectSimulated, unscheduled } from '../../testing/simulated-tenant.ts';
import { testServer, type SignedIn, type TestServer } from '../../testing/test-server.ts';
import { createDeletionsService, type DeletionsParts } from './deletions.service.ts';
import { createDeletionsStore } from './deletions.store.ts';

/** Workers that are killed with SIGKILL while they erase messages. */
const testing = testDatabase(import.meta.url);
/** As if the worker had been dead for long: whoever watches looks at once, and what it had is taken up. */
const LONG_DEAD = [
  `update pgboss.job set heartbeat_on = heartbeat_on - interval '1 hour' where state = 'active'`,
  `update pgboss.queue set monitor_claim_on = monitor_claim_on - interval '1 hour'`,
];
let folder: string;
let simulator: Simulator;
let common: Readonly<Record<string, string>>;

async function started(name: string): Promise<TestServer> {
  const settings = { ...common, HOLDFAST_DATA_DIR: path.join(folder, name), HOLDFAST_LOCATION_ROOTS: folder };
  const masterKey = await openMasterKey(readConfig(settings), testing.database);
  return testServer(testing, { roles: ['api', 'worker'], masterKey, settings });
}

/** Mails that share an attachment. */
const attachment = Buffer.alloc(60_000, 'a shared attachment ').toString('base64').replaceAll(/.{76}/gu, '$&\r\n');
const mail = (subject: string): string =>
  `From: ada@proseware.example\r\nSubject: ${subject}\r\nDate: Mon, 02 Nov 2026 10:00:00 +0000\r\nMIME-Version: 1.0\r\n` +
  `Content-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\n${subject}\r\n--b\r\n` +
  `Content-Type: application/octet-stream; name="a.bin"\r\nContent-Transfer-Encoding: base64\r\n\r\n${attachment}\r\n--b--\r\n`;
const hashOf = (text: string): string => sha256Hex(Buffer.from(text, 'latin1'));
const DOOMED = ['One', 'Two', 'Three'].map(mail);
const KEPT = mail('The other owner');

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'holdfast-killed-erasures-'));
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

/** What the catalog has of the messages, and how many tombstones there are. */
async function state(): Promise<{ readonly there: number; readonly tombstones: number }> {
  const [row] = await testing.asSuperuser(
    `select (select count(*)::int from catalog_items join catalog_sources using (source_id) join resources using (resource_id)
       where resources.kind = 'archive' and item_key = any($1)) as there, (select count(*)::int from tombstones) as tombstones`,
    [DOOMED.map(hashOf)],
  );
  return row as never;
}

/** Imports the mails, and brings a deletion of three of them to the end of its quarantine. */
async function prepared(server: TestServer): Promise<{ deletionId: string; scope: Scope; tenantId: string; owner: SignedIn }> {
  const owner = await server.owner();
  const second = await server.member(owner.organisationId, 'administrator');
  const tenant = await connectSimulated({ server, owner, simulator, testing, vault: path.join(folder, 'vault') });
  const [directory] = [...simulator.simulation.tenants.values()].map((one) => one.directory);
  const people = (directory?.users() ?? []).filter((one) => one.hasMailbox && one.kind === 'member');
  for (const [at, mails] of [DOOMED, [KEPT]].entries()) {
    const name = `mails-${at}`;
    await mkdir(path.join(folder, name));
    for (const [no, text] of mails.entries()) await writeFile(path.join(folder, name, `${no}.eml`), text, 'latin1');
    const { id = '', displayName = '', mail: address = '' } = people[at] ?? {};
    const settings = { source: { kind: 'folder', path: name }, mapping: [{ mailbox: { id, name: displayName, address } }] };
    const job = await tenant.job({ type: 'import', name, schedule: unscheduled, import: settings });
    expect(await tenant.finish(job)).toMatchObject({ status: 'successful' });
  }
  const [archive] = await testing.asSuperuser(`select resource_id from resources where kind = 'archive' and graph_id = $1`, [
    people[0]?.id,
  ]);
  const chosen = { reason: 'Erasure', messageIds: DOOMED.map(hashOf) };
  const { selectionId } = await tenant.call<Selection>(
    `${tenant.tenantId}/archive/mailboxes/${String(archive?.['resource_id'])}/selections`,
    chosen,
  );
  const body = { selectionId, basis: 'erasure', reason: 'Art. 17, ticket 4711' };
  const { deletionId } = await tenant.call<DeletionDetails>(`${tenant.tenantId}/archive/deletions`, body);
  const asked = await tenant.call<DeletionDetails & { approval: Approval }>(
    `${tenant.tenantId}/archive/deletions/${deletionId}/request`,
    {},
  );
  const to = `/apollo/api/${tenant.tenantId}/approvals/${asked.approval.approvalId}/approve`;
  expect((await server.send(to, { token: second.tokens.main, method: 'POST' })).status).toBe(200);
  await testing.asSuperuser(`update message_deletions set due_at = now() - interval '1 hour'`);
  return { deletionId, scope: { organisationId: owner.organisationId, realm: 'production' }, tenantId: tenant.tenantId, owner };
}

test('A24: whenever a worker is killed, each message is wholly there or wholly gone, and the next worker finishes', async () => {
  const first = await started('first');
  const { deletionId, scope, tenantId } = await prepared(first);
  await first.close();
  const queue = await createTaskQueue({ database: testing.database, logger: silentLogger, supervises: false });
  const runs = createRunsStore({ database: testing.database, queue, clock: systemClock, ids });
  const store = createDeletionsStore(testing.database);
  const parts = { store, runs, clock: systemClock, ids } as unknown as DeletionsParts;
  expect(await createDeletionsService(parts).startDue(scope, deletionId)).toBe(true);
  await queue.stop(1_000);
  for (const [written, told, wanted] of [
    ['update on message_deletion_items', 'before the journal', { there: 3, tombstones: 0 }],
    ['insert on tombstones', 'with the journal written', { there: 3, tombstones: 0 }],
    ['update on message_deletions', 'while it reports', { there: 0, tombstones: 3 }],
  ] as const) {
    await killedDuring({ testing, folder, settings: common }, written);
    for (const statement of LONG_DEAD) await testing.asSuperuser(statement);
    expect(await state(), told).toEqual(wanted);
  }
  const successor = await started('successor');
  try {
    const ended = () => testing.asSuperuser(`select state, swept_at is not null or sweep_at is not null as swept from message_deletions`);
    await expect.poll(ended, { timeout: 120_000, interval: 250 }).toEqual([{ state: 'finished', swept: true }]);
    expect(await state()).toEqual({ there: 0, tombstones: 3 });
    const items = await testing.asSuperuser(`select distinct state, count(*)::int as items from message_deletion_items group by 1`);
    expect(items).toEqual([{ state: 'erased', items: 3 }]);
    const kept = await testing.asSuperuser(`select 1 from catalog_items where item_key = $1 and to_point = 9007199254740991`, [
      hashOf(KEPT),
    ]);
    expect([kept.length, tenantId.length > 0]).toEqual([1, true]);
  } finally {
    await successor.close();
  }
}, 480_000);
