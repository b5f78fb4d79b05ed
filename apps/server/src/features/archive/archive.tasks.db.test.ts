import type { ArchivedMailbox, ArchivedMailboxDetails } from '@holdfast/contract/archive';
import type { RunAccount, RunProblem } from '@holdfast/contract/monitoring';
import type { Page } from '@holdfast/contract/paging';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { sha256Hex } from '@holdfast/foundation/bytes';
import { onCrashPoint } from '@holdfast/foundation/crash-point';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startSimulatedServer, type SimulatedServer } from '../../testing/simulated-server.ts';
import {
  act,
  connectSimulated,
  everyone,
  peopleOf,
  truthOf,
  unscheduled,
  type SimulatedPerson,
  type SimulatedTenant,
} from '../../testing/simulated-tenant.ts';

/** Archives that are filled from real backups of the simulator, by jobs that were made over HTTP. Each test builds on those before it. */
const testing = testDatabase(import.meta.url);
let running: SimulatedServer;
let tenant: SimulatedTenant;
let people: readonly SimulatedPerson[];
let backup: string;
let archive: string;

const mailOnly = { ...everyone, options: { calendars: false, contacts: false, tasks: false } };
const anArchive = (changes: object = {}) => ({ type: 'archive', workload: 'exchange', name: 'Archive', source: everyone, ...changes });
const person = (at: number) => {
  const found = people[at];
  if (!found) throw new Error(`There is no person ${at}.`);
  return found;
};

function deliver(user: string, mime: string, folder = 'inbox'): string {
  act(running.simulator, 'mail.deliver', { user, folder, mime: Buffer.from(mime, 'latin1').toString('base64') });
  return sha256Hex(Buffer.from(mime, 'latin1'));
}

/** The hashes of what the mailbox has now, by the simulator's own record. */
async function truth(user: string): Promise<string[]> {
  const records = (await truthOf(running.simulator, 'mail', user)).filter((record) => record.kind === 'message');
  return [...new Set(records.map((record) => record.sha256 ?? ''))].sort();
}

interface ArchivedRow {
  readonly item_key: string;
  readonly source_id: string;
  readonly size_bytes: number;
  readonly detail: {
    readonly contents: readonly { readonly ref: { readonly sha256: string } }[];
    readonly properties: { readonly hasAttachments?: boolean; readonly placements: readonly { readonly folder: string }[] };
  };
}

const ARCHIVED = `select item_key, source_id, size_bytes::int, detail from catalog_items
  join catalog_sources using (organisation_id, realm, source_id) join resources using (organisation_id, realm, resource_id)
  where resources.kind = 'archive' and to_point = 9007199254740991`;

/** What the newest state of the archive of a mailbox has. */
async function archived(user: string, locationId = tenant.locationId): Promise<ArchivedRow[]> {
  const rows = await testing.asSuperuser(`${ARCHIVED} and graph_id = $1 and location_id = $2 order by item_key`, [user, locationId]);
  return rows as unknown as ArchivedRow[];
}

const keys = (rows: readonly ArchivedRow[]): string[] => rows.map(({ item_key }) => item_key);

/** Messages of each archive, those with attachments and bytes, counted from the items; and the places in each folder. */
function recount(rows: readonly ArchivedRow[]) {
  const figures = new Map<string, [number, number, number]>();
  const folders = new Map<string, number>();
  for (const { source_id, size_bytes, detail } of rows) {
    const [messages, attachments, bytes] = figures.get(source_id) ?? [0, 0, 0];
    figures.set(source_id, [messages + 1, attachments + (detail.properties.hasAttachments === true ? 1 : 0), bytes + size_bytes]);
    for (const { folder } of detail.properties.placements)
      folders.set(`${source_id} ${folder}`, (folders.get(`${source_id} ${folder}`) ?? 0) + 1);
  }
  return { figures: Object.fromEntries(figures), folders: Object.fromEntries(folders) };
}

/** The counters that commits keep are what a recount of the items gives. */
async function expectCounted(): Promise<void> {
  const items = (await testing.asSuperuser(ARCHIVED)) as unknown as ArchivedRow[];
  const counted = await testing.asSuperuser(`select source_id, messages::int, attachments::int, bytes::int from archive_mailboxes`);
  const folders = await testing.asSuperuser(`select source_id, name, messages::int from archive_counts where dimension = 'folder'`);
  expect({
    figures: Object.fromEntries(counted.map((row) => [row['source_id'], [row['messages'], row['attachments'], row['bytes']]])),
    folders: Object.fromEntries(folders.map((row) => [`${String(row['source_id'])} ${String(row['name'])}`, row['messages']])),
  }).toEqual(recount(items));
}

let verifications = 0;
async function verified(): Promise<void> {
  const job = await tenant.job({ type: 'verify', name: `Verify ${(verifications += 1)}`, budgetPercent: 100 });
  expect(await tenant.finish(job)).toMatchObject({ status: 'successful', result: { deviations: 0, complete: true } });
}

const mail = (id: string, body: string): string =>
  `From: news@proseware.example\nTo: you@tiny.example\nSubject: Offer\nMessage-ID: ${id}\nDate: Mon, 02 Nov 2026 10:00:00 +0000\n\n${body}`;

beforeAll(async () => {
  running = await startSimulatedServer(testing);
  const { server, simulator, folder } = running;
  tenant = await connectSimulated({ server, owner: await server.owner(), simulator, testing, vault: path.join(folder, 'vault') });
  people = peopleOf(simulator);
  backup = await tenant.job({ type: 'backup', name: 'Mail', source: { ...mailOnly, everyone: false, users: [person(0)] } });
  await tenant.finish(backup);
  archive = await tenant.job(anArchive());
}, 240_000);
afterEach(() => onCrashPoint(undefined));
afterAll(() => running.close());

test('A5: a mailbox that cannot be read is named with its reason, and does not stop the others', async () => {
  const { control } = running.simulator;
  control.setFaults([{ match: { user: person(2).id, path: '*mailFolders*' }, do: 'status', status: 500, code: 'generalException' }]);
  const run = await tenant.finish(archive);
  control.setFaults([]);
  expect(run.status).toBe('defective');
  const { items } = await tenant.call<Page<RunAccount>>(`${tenant.tenantId}/monitoring/${run.run_id}/accounts?limit=200`);
  const ended = (kind: RunAccount['kind'], isGood: boolean) =>
    items.filter((one) => one.kind === kind && (one.status === 'successful') === isGood).map(({ name }) => name);
  expect(ended('archive', true)).toEqual(expect.arrayContaining([person(0).name, person(1).name]));
  expect(ended('archive', true)).not.toContain(person(2).name);
  expect([ended('mailbox', false), ended('archive', false)]).toEqual([[person(2).name], [person(2).name]]);
  const { items: problems } = await tenant.call<Page<RunProblem>>(`${tenant.tenantId}/monitoring/${run.run_id}/problems?limit=200`);
  expect(new Set(problems.map(({ accountName }) => accountName))).toEqual(new Set([person(2).name]));
  for (const at of [0, 1]) expect(keys(await archived(person(at).id))).toEqual(await truth(person(at).id));
  const { items: shown } = await tenant.call<Page<ArchivedMailbox>>(`${tenant.tenantId}/archive/mailboxes?coverage=none`);
  const code = items.find(({ kind, name }) => kind === 'archive' && name === person(2).name)?.code;
  expect(shown.map(({ name, messages, coverageCode }) => [name, messages, coverageCode])).toEqual([[person(2).name, 0, code]]);
  expect(code).toMatch(/^graph\./);
}, 120_000);

test('A2: every message of every mailbox is archived with its exact bytes, and nothing is stored twice', async () => {
  const all = await tenant.job({ type: 'backup', name: 'All mail', source: mailOnly });
  const odd = [
    mail('<bare@line.feeds>', 'one\ntwo\n'),
    'Subject: =?utf-8?q?=C3=A4?=\r\nX-8bit: \xe4\xf6\xfc\r\nMessage-ID: <a@b>\r\n\r\nNUL \0 and no final newline',
    'Content-Type: multipart/mixed; boundary="x"\r\nMessage-ID: <liar@b>\r\n\r\n--y\r\n\r\nlying boundary\r\n--y--',
  ].map((mime) => deliver(person(1).id, mime));
  await tenant.finish(all);
  const run = await tenant.finish(archive);
  expect(run).toMatchObject({ status: 'successful', new_bytes: 0 });
  for (const { id } of people) {
    const rows = await archived(id);
    expect(keys(rows)).toEqual(await truth(id));
    expect(rows.every(({ item_key, detail }) => item_key === detail.contents[0]?.ref.sha256)).toBe(true);
  }
  expect(keys(await archived(person(1).id))).toEqual(expect.arrayContaining(odd));
  await expectCounted();
  await verified();
  backup = all;
}, 240_000);

test('A1: two mails of one Message-ID that differ in a byte are two messages', async () => {
  const both = ['Body 1', 'Body 2'].map((body) => deliver(person(0).id, mail('<same@proseware.example>', body)));
  await tenant.finish(backup);
  expect(await tenant.finish(archive)).toMatchObject({ status: 'successful', added: 2, changed: 0, removed: 0 });
  expect(keys(await archived(person(0).id))).toEqual(expect.arrayContaining(both));
}, 120_000);

test('A4: names come from hashes alone, whatever a Message-ID says', async () => {
  const ids = ['<../../x>', `<${'a'.repeat(4_000)}@b>`, '', '<a\0b>'];
  const hashes = ids.map((id, at) => deliver(person(0).id, mail(id, `Message ${at}`)));
  hashes.push(deliver(person(0).id, 'Subject: none at all\n\nNo Message-ID'));
  await tenant.finish(backup);
  expect(await tenant.finish(archive)).toMatchObject({ status: 'successful', added: 5 });
  const rows = keys(await archived(person(0).id));
  expect(rows).toEqual(expect.arrayContaining(hashes));
  expect(rows.filter((key) => !/^[0-9a-f]{64}$/.test(key))).toEqual([]);
}, 120_000);

test('the same mail in two folders is one message with two places', async () => {
  const { id: user } = person(2);
  const hash = deliver(user, mail('<twice@proseware.example>', 'Twice'));
  deliver(user, mail('<twice@proseware.example>', 'Twice'), 'sentitems');
  const before = (await archived(user)).length;
  await tenant.finish(backup);
  await tenant.finish(archive);
  const place = async () => (await archived(user)).find(({ item_key }) => item_key === hash)?.detail.properties.placements ?? [];
  expect((await archived(user)).length).toBe(before + 1);
  expect(new Set((await place()).map(({ folder }) => folder)).size).toBe(2);
  await expectCounted();
}, 120_000);

test('what is deleted at the source stays, and a second run captures only what is new', async () => {
  const { id: user } = person(0);
  const before = keys(await archived(user));
  const records = (await truthOf(running.simulator, 'mail', user)).filter((record) => record.kind === 'message');
  for (const { id } of records.slice(0, 5)) act(running.simulator, 'mail.purge', { user, id });
  const hash = deliver(user, mail('<new@proseware.example>', 'New'));
  expect(await tenant.finish(backup)).toMatchObject({ removed: 5 });
  expect(await tenant.finish(archive)).toMatchObject({ status: 'successful', added: 1, changed: 0, removed: 0 });
  expect(keys(await archived(user))).toEqual([...before, hash].sort());
  expect((await truth(user)).length).toBe(before.length - 4);
  expect(await tenant.finish(archive)).toMatchObject({ status: 'successful', added: 0, changed: 0, unchanged: 0, removed: 0 });
}, 120_000);

test('a death at any step of a commit loses nothing and doubles nothing', async () => {
  const { id: user } = person(1);
  for (const point of ['backup.before-packs', 'backup.before-segment', 'backup.before-catalog', 'backup.after-catalog']) {
    const hash = deliver(user, mail(`<${point}@proseware.example>`, point));
    await tenant.finish(backup);
    onCrashPoint((passed) => {
      if (passed === point) throw new Error(`died at ${point}`);
    });
    expect((await tenant.finish(archive)).status, point).not.toBe('successful');
    onCrashPoint(undefined);
    expect((await tenant.finish(archive)).status, point).toBe('successful');
    expect(
      keys(await archived(user)).filter((key) => key === hash),
      point,
    ).toHaveLength(1);
    await expectCounted();
  }
  await verified();
}, 240_000);

test('whoever is exempt is not archived, whatever chooses them', async () => {
  const { id, name, address } = person(0);
  const second = await tenant.call<{ locationId: string }>(`${tenant.tenantId}/locations`, {
    kind: 'filesystem',
    name: 'Archives',
    path: path.join(running.folder, 'archives'),
    use: 'archive',
  });
  const job = await tenant.job(
    anArchive({
      name: 'Elsewhere',
      locationId: second.locationId,
      exempt: [{ id, name, address }],
      source: { ...everyone, users: [person(0)] },
    }),
  );
  const run = await tenant.finish(job);
  expect(run.status).toBe('successful');
  expect(run.new_bytes).toBeGreaterThan(0);
  expect(await archived(id, second.locationId)).toEqual([]);
  // What backups stored in another vault is copied byte for byte.
  for (const { id: other } of people.slice(1)) expect(keys(await archived(other, second.locationId))).toEqual(keys(await archived(other)));
  const verify = await tenant.job({ type: 'verify', name: 'Verify archives', budgetPercent: 100, locationId: second.locationId });
  expect(await tenant.finish(verify)).toMatchObject({ status: 'successful', result: { deviations: 0 } });
}, 240_000);

test('an archive is no mailbox: no figure, no list and no deletion takes it for one', async () => {
  const { tenantId, locationId } = tenant;
  const sources = await tenant.call<Page<{ kind: string }>>(`${tenantId}/discovery/${locationId}/sources?limit=200`);
  expect(sources.items.map(({ kind }) => kind)).not.toContain('archive');
  const mailboxes = sources.items.filter(({ kind }) => kind === 'mailbox').length;
  const figures = await tenant.call<{ protected: number; unprotected: number }>(`${tenantId}/dashboard/exchange`);
  expect(figures.protected).toBe(mailboxes);
  const body = {
    type: 'deletion',
    name: 'Old points',
    retention: { mode: 'count', count: 1 },
    source: everyone,
    workload: 'exchange',
    locationId,
  };
  const preview = await tenant.call<{ alreadyProtected: number }>(`${tenantId}/jobs/preview`, { ...body, schedule: unscheduled });
  expect(preview.alreadyProtected).toBe(mailboxes);
  const { items } = await tenant.call<Page<ArchivedMailbox>>(`${tenantId}/archive/mailboxes?limit=200&sort=-messages`);
  const first = items[0];
  const details = await tenant.call<ArchivedMailboxDetails>(`${tenantId}/archive/mailboxes/${first?.mailboxId}`);
  expect(details.months.reduce((sum, { messages }) => sum + messages, 0)).toBe(first?.messages);
  expect(items.every(({ coverage }) => coverage === 'complete')).toBe(true);
}, 120_000);
