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
import { connectSimulated, unscheduled, type SimulatedTenant } from '../../testing/simulated-tenant.ts';
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

interface Prepared {
  readonly deletionId: string;
  readonly scope: Scope;
  readonly tenantId: string;
  readonly owner: SignedIn;
}

/** Brings a draft to the end of its quarantine: one person asks, another approves. */
async function approved(
  server: TestServer,
  { tenant, second }: { readonly tenant: SimulatedTenant; readonly second: SignedIn },
  { deletionId }: DeletionDetails,
): Promise<void> {
  const asked = await tenant.call<DeletionDetails & { approval: Approval }>(
    `${tenant.tenantId}/archive/deletions/${deletionId}/request`,
    {},
  );
  const to = `/apollo/api/${tenant.tenantId}/approvals/${asked.approval.approvalId}/approve`;
  expect((await server.send(to, { token: second.tokens.main, method: 'POST' })).status).toBe(200);
  await testing.asSuperuser(`update message_deletions set due_at = now() - interval '1 hour' where deletion_id = $1`, [deletionId]);
}

/** Imports the mails, and brings a deletion of three of them to the end of its quarantine. */
async function prepared(server: TestServer): Promise<Prepared> {
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
  const draft = await tenant.call<DeletionDetails>(`${tenant.tenantId}/archive/deletions`, body);
  const { deletionId } = draft;
  await approved(server, { tenant, second }, draft);
  return { deletionId, scope: { organisationId: owner.organisationId, realm: 'production' }, tenantId: tenant.tenantId, owner };
}

/** What the scheduler does each minute. */
async function startDue(scope: Scope, deletionId: string): Promise<void> {
  const queue = await createTaskQueue({ database: testing.database, logger: silentLogger, supervises: false });
  const runs = createRunsStore({ database: testing.database, queue, clock: systemClock, ids });
  const store = createDeletionsStore(testing.database);
  const parts = { store, runs, clock: systemClock, ids } as unknown as DeletionsParts;
  expect(await createDeletionsService(parts).startDue(scope, deletionId)).toBe(true);
  await queue.stop(1_000);
}

test('A24: whenever a worker is killed, each message is wholly there or wholly gone, and the next worker finishes', async () => {
  const first = await started('first');
  const { deletionId, scope, tenantId } = await prepared(first);
  await first.close();
  await startDue(scope, deletionId);
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

/** Backs up the mailbox and the OneDrive of somebody, and brings the erasure of everything of them to the end of its quarantine. */
async function preparedPerson(server: TestServer): Promise<Prepared & { readonly address: string }> {
  const owner = await server.owner();
  const second = await server.member(owner.organisationId, 'administrator');
  const tenant = await connectSimulated({ server, owner, simulator, testing, vault: path.join(folder, 'person-vault') });
  const [directory] = [...simulator.simulation.tenants.values()].map((one) => one.directory);
  const {
    id = '',
    displayName = '',
    mail: address = '',
  } = (directory?.users() ?? []).find((one) => one.hasMailbox && one.kind === 'member') ?? {};
  const source = { everyone: false, users: [{ id, name: displayName, address }], groups: [], sites: [], teams: [] };
  for (const workload of ['exchange', 'onedrive'])
    expect(await tenant.finish(await tenant.job({ type: 'backup', name: workload, workload, source }))).toMatchObject({
      status: 'successful',
    });
  const [mailbox] = await testing.asSuperuser(`select resource_id from resources where kind = 'mailbox' and tenant_id = $1`, [
    tenant.tenantId,
  ]);
  const draft = await tenant.call<DeletionDetails>(`${tenant.tenantId}/archive/deletions/people`, {
    resourceId: mailbox?.['resource_id'],
    reason: 'Art. 17, ticket 815',
  });
  expect(draft.mailboxes.map(({ kind }) => kind).toSorted()).toEqual(['drive', 'mailbox']);
  await approved(server, { tenant, second }, draft);
  const { deletionId } = draft;
  return { deletionId, scope: { organisationId: owner.organisationId, realm: 'production' }, tenantId: tenant.tenantId, owner, address };
}

test('A24: whenever a worker is killed, each message and file of a person is wholly there or wholly gone, and the next worker finishes', async () => {
  const first = await started('first-person');
  const { deletionId, scope, tenantId } = await preparedPerson(first);
  await first.close();
  const counted = async () => {
    const [row] = await testing.asSuperuser(
      `select (select count(distinct (resource_id, item_key))::int from catalog_items join catalog_sources using (source_id)
         join resources using (resource_id) where tenant_id = $1 and not is_container) as there,
         (select count(*)::int from tombstones where deletion_id = $2) as tombstones`,
      [tenantId, deletionId],
    );
    return row as unknown as { readonly there: number; readonly tombstones: number };
  };
  const { there: all } = await counted();
  expect(all).toBeGreaterThan(10);
  await startDue(scope, deletionId);
  for (const [written, told] of [
    ['update on message_deletion_items', 'before the journal'],
    ['insert on tombstones', 'with the journal written'],
    ['update on message_deletions', 'while it reports'],
  ] as const) {
    await killedDuring({ testing, folder, settings: common }, written);
    for (const statement of LONG_DEAD) await testing.asSuperuser(statement);
    const { there, tombstones } = await counted();
    expect(there + tombstones, told).toBe(all);
    expect(tombstones, told).toBe(told === 'while it reports' ? all : 0);
  }
  const successor = await started('successor-person');
  try {
    const ended = () => testing.asSuperuser(`select state from message_deletions where deletion_id = $1`, [deletionId]);
    await expect.poll(ended, { timeout: 120_000, interval: 250 }).toEqual([{ state: 'finished' }]);
    expect(await counted()).toEqual({ there: 0, tombstones: all });
  } finally {
    await successor.close();
  }
}, 480_000);
