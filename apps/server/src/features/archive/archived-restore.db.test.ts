import type { ArchivedMailbox } from '@holdfast/contract/archive';
import type { Page } from '@holdfast/contract/paging';
import type { RestoreLine } from '@holdfast/engine';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { sha256Hex } from '@holdfast/foundation/bytes';
import { createHttpsClient, type HttpsClient } from '@holdfast/m365-simulator/testing/https-client';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSimulatedServer, type SimulatedServer } from '../../testing/simulated-server.ts';
import { act, connectSimulated, everyone, peopleOf, type SimulatedPerson, type SimulatedTenant } from '../../testing/simulated-tenant.ts';

/** Messages of an archive, put back into mailboxes of the simulated Microsoft 365. */
const testing = testDatabase(import.meta.url);
const reason = 'Lost by mistake';
let running: SimulatedServer;
let tenant: SimulatedTenant;
let owner: Awaited<ReturnType<SimulatedServer['server']['owner']>>;
let graph: HttpsClient;
let people: readonly SimulatedPerson[] = [];
let mailbox: ArchivedMailbox;

const person = (at: number) => people[at] as (typeof people)[number];
const mime = (subject: string, text: string, messageId = `<${subject}@proseware.example>`): Buffer =>
  Buffer.from(
    [
      'From: Ada <ada@proseware.example>',
      'To: you@tiny.example',
      `Message-ID: ${messageId}`,
      'Date: Mon, 02 Nov 2026 10:00:00 +0000',
      `Subject: ${subject}`,
      '',
      text,
      '',
    ].join('\r\n'),
  );
const PLUM = mime('Plum', 'The plum recipe.');
const QUINCE = mime('Quince', 'The quince recipe.');
const TWIN = mime('Twin', 'Seven spoons.', '<one@proseware.example>');
const OTHER = mime('Twin again', 'Eight spoons.', '<one@proseware.example>');
const hash = (raw: Buffer): string => sha256Hex(raw);

async function send(to: string, body: object): Promise<Response> {
  return running.server.send(`/apollo/api/${tenant.tenantId}/${to}`, { token: owner.tokens.main, body });
}

interface Line extends Omit<RestoreLine, 'key'> {
  readonly itemId: string;
}

/** Restores messages of the archive, and answers how the run ended with its report. */
async function restore(chosen: object, settings: object = {}) {
  const body = { mailboxId: mailbox.mailboxId, reason, target: { kind: 'original' }, collisions: 'skip', ...chosen, ...settings };
  const answer = await send('archive/restore', body);
  expect([answer.status, answer.ok ? '' : await answer.clone().text()]).toEqual([202, '']);
  const { jobId } = (await answer.json()) as { jobId: string };
  const [run] = await testing.asSuperuser('select run_id from runs where job_id = $1', [jobId]);
  const { status, run_id } = await tenant.ended(String(run?.['run_id']));
  const { items } = await tenant.call<{ items: Line[] }>(`${tenant.tenantId}/monitoring/${run_id}/items?limit=200`);
  return { status, lines: items.map(({ itemId, outcome, code, path: at }) => ({ itemId, outcome, code: code ?? null, path: at })) };
}

interface Found {
  readonly id: string;
  readonly subject: string;
}

/** The mail folders of a person by path, each with the messages in it. */
async function foldersOf(userId: string): Promise<Map<string, readonly Found[]>> {
  const found = new Map<string, readonly Found[]>();
  async function read(at: string, prefix: string): Promise<void> {
    const { json } = await graph.send('GET', `${at}?$top=200&includeHiddenFolders=true`);
    for (const { id, displayName } of (json['value'] as { id: string; displayName: string }[] | undefined) ?? []) {
      const here = prefix === '' ? displayName : `${prefix}/${displayName}`;
      const { json: page } = await graph.send('GET', `/users/${userId}/mailFolders/${id}/messages?$top=200`);
      found.set(here, page['value'] as Found[]);
      await read(`/users/${userId}/mailFolders/${id}/childFolders`, here);
    }
  }
  await read(`/users/${userId}/mailFolders`, '');
  return found;
}

const subjects = ['Plum', 'Quince', 'Twin', 'Twin again'];
/** Where the messages of these tests are: folder and subject. */
async function placesOf(userId: string): Promise<string[]> {
  const places = [...(await foldersOf(userId))].flatMap(([folder, found]) => found.map(({ subject }) => [folder, subject] as const));
  return places
    .filter(([, subject]) => subjects.includes(subject))
    .map(([folder, subject]) => `${folder}: ${subject}`)
    .toSorted();
}

/** As if nobody had ever had them. */
async function purge(userId: string): Promise<void> {
  for (const { id, subject } of [...(await foldersOf(userId)).values()].flat()) {
    if (subjects.includes(subject)) act(running.simulator, 'mail.purge', { user: userId, id });
  }
}

beforeAll(async () => {
  running = await startSimulatedServer(testing);
  const { server, simulator, folder } = running;
  owner = await server.owner();
  graph = await createHttpsClient(simulator);
  tenant = await connectSimulated({ server, owner, simulator, testing, vault: path.join(folder, 'vault') });
  people = peopleOf(simulator);
  const put = (raw: Buffer, where: string): void =>
    act(simulator, 'mail.deliver', { user: person(0).id, folder: where, mime: raw.toString('base64') });
  for (const raw of [PLUM, TWIN, OTHER]) put(raw, 'inbox');
  put(QUINCE, 'sentitems');
  const source = { ...everyone, everyone: false, users: [person(0)] };
  await tenant.finish(await tenant.job({ type: 'backup', name: 'Mail', source }));
  await tenant.finish(await tenant.job({ type: 'archive', name: 'Archive', source }));
  const { items } = await tenant.call<Page<ArchivedMailbox>>(`${tenant.tenantId}/archive/mailboxes`);
  mailbox = items.find(({ email }) => email === person(0).address) as ArchivedMailbox;
}, 240_000);
afterAll(async () => {
  graph.close();
  await running.close();
});

test('A1: archived messages come back into their folders, two of one Message-ID both, and a second restore skips them', async () => {
  const before = await placesOf(person(0).id);
  expect(before).toHaveLength(4);
  const messageIds = [PLUM, QUINCE, TWIN, OTHER].map(hash);
  await purge(person(0).id);
  expect(await placesOf(person(0).id)).toEqual([]);
  const first = await restore({ messageIds });
  expect([first.status, first.lines.map(({ outcome }) => outcome)]).toEqual(['successful', messageIds.map(() => 'restored')]);
  expect(first.lines.map(({ itemId }) => itemId).toSorted()).toEqual(messageIds.toSorted());
  expect(await placesOf(person(0).id)).toEqual(before);
  const second = await restore({ messageIds });
  expect(second.lines.map(({ outcome, code }) => [outcome, code])).toEqual(messageIds.map(() => ['skipped', 'restore.exists']));
  expect(await placesOf(person(0).id)).toEqual(before);
}, 120_000);

test('A1: a mail that is missing comes back although another of its Message-ID is there', async () => {
  await purge(person(0).id);
  await restore({ messageIds: [hash(TWIN)] });
  const { lines } = await restore({ messageIds: [hash(OTHER)] });
  expect(lines).toMatchObject([{ itemId: hash(OTHER), outcome: 'restored' }]);
  const found = (await placesOf(person(0).id)).map((place) => place.split(': ')[1]);
  expect(found).toEqual(['Twin', 'Twin again']);
}, 120_000);

test('one folder comes back into the mailbox of somebody else, below the folder that was named', async () => {
  const [folder] = (await foldersOf(person(0).id)).keys().filter((name) => /sent|gesendet/iu.test(name));
  const target = { kind: 'elsewhere', graphId: person(1).id, name: person(1).name, folder: 'From the archive' };
  const { status, lines } = await restore({ folder, subject: 'quince' }, { target });
  expect([status, lines.length]).toEqual(['successful', 1]);
  expect(await placesOf(person(1).id)).toEqual([`From the archive ${person(0).name}/${folder}: Quince`]);
}, 120_000);

test('a message goes back into the folder that was chosen, wherever it was seen last', async () => {
  await purge(person(0).id);
  act(running.simulator, 'mail.deliver', { user: person(0).id, folder: 'deleteditems', mime: PLUM.toString('base64') });
  await tenant.finish(
    await tenant.job({ type: 'backup', name: 'Mail again', source: { ...everyone, everyone: false, users: [person(0)] } }),
  );
  await tenant.finish(
    await tenant.job({ type: 'archive', name: 'Archive again', source: { ...everyone, everyone: false, users: [person(0)] } }),
  );
  await purge(person(0).id);
  const names = [...(await foldersOf(person(0).id)).keys()];
  const inbox = names.find((name) => /^(?:inbox|posteingang)$/iu.test(name)) ?? '';
  const deleted = names.find((name) => /^(?:deleted|gelöscht)/iu.test(name)) ?? '';
  await restore({ messageIds: [hash(PLUM)] });
  expect(await placesOf(person(0).id)).toEqual([`${deleted}: Plum`]);
  await purge(person(0).id);
  await restore({ folder: inbox, subject: 'plum' });
  expect(await placesOf(person(0).id)).toEqual([`${inbox}: Plum`]);
}, 120_000);

test('collisions are those of every restore: a copy beside, or one that takes the place', async () => {
  await purge(person(0).id);
  await restore({ messageIds: [hash(QUINCE)] });
  const beside = await restore({ messageIds: [hash(QUINCE)] }, { collisions: 'keepBoth' });
  expect(beside.lines).toMatchObject([{ outcome: 'restored' }]);
  expect(await placesOf(person(0).id)).toHaveLength(2);
  const replaced = await restore({ messageIds: [hash(QUINCE)] }, { collisions: 'replace' });
  expect(replaced.lines).toMatchObject([{ outcome: 'replaced' }]);
}, 120_000);

test('what cannot be restored is refused, and the look is in the audit log with its reason', async () => {
  const codeOf = async (body: object): Promise<string> => {
    const answer = await send('archive/restore', { mailboxId: mailbox.mailboxId, reason, target: { kind: 'original' }, ...body });
    return `${answer.status} ${((await answer.json()) as { code?: string }).code}`;
  };
  expect(await codeOf({ messageIds: ['f'.repeat(64)] })).toBe('400 search.nothing-selected');
  expect(await codeOf({ mailboxId: '0190bbbb-0000-7000-8000-00000000dead' })).toBe('404 not-found');
  expect(await codeOf({ reason: '' })).toBe('400 request.invalid');
  const stranger = { kind: 'elsewhere', graphId: '0190bbbb-0000-7000-8000-00000000dead', name: 'Nobody', folder: 'There' };
  expect(await codeOf({ messageIds: [hash(PLUM)], target: stranger })).toBe('400 restore.target-unusable');
  const logged = await testing.asSuperuser(`
    select payload::text as payload from audit_inbox where event = 'archive.listed'
    union all select payload from audit_events where event = 'archive.listed'`);
  expect(logged.length).toBeGreaterThan(0);
  expect(logged.every(({ payload }) => String(payload).includes(reason))).toBe(true);
}, 120_000);
