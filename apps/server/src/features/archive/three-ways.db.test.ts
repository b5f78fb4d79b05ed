import type { ArchivedMailbox } from '@holdfast/contract/archive';
import type { ArchivedMessage, OpenedMessage } from '@holdfast/contract/archived-messages';
import type { ImportReport } from '@holdfast/contract/imports';
import type { Page } from '@holdfast/contract/paging';
import type { Receiver } from '@holdfast/contract/receivers';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { formatOfMailFile } from '@holdfast/engine';
import { sha256Hex } from '@holdfast/foundation/bytes';
import { createSeededRandom } from '@holdfast/foundation/random';
import fc from 'fast-check';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startSimulatedServer, type SimulatedServer } from '../../testing/simulated-server.ts';
import {
  act,
  connectSimulated,
  everyone,
  peopleOf,
  unscheduled,
  type SimulatedPerson,
  type SimulatedTenant,
} from '../../testing/simulated-tenant.ts';
import { reportOf } from '../receivers/testing/received.ts';
import { smtpClient } from '../receivers/testing/smtp-client.ts';

/** The same messages by each of the three ways into an archive: from a mailbox by Graph, from Exchange by SMTP, and from files. */
const testing = testDatabase(import.meta.url);
const CORPORA = path.resolve(import.meta.dirname, '../../../../../../shared/corpora');
const LANES = 8;
/** As many messages of the corpora as can come in thrice in a few seconds, spread over all of them. */
const OF_CORPORA = 100;
/** The inbox of the first person, whose mailbox speaks German. */
const INBOX = 'Posteingang';
let running: SimulatedServer;
let imports: string;
let tenant: SimulatedTenant;
let token: string;
let receiver: Receiver;
let port: number;
let people: readonly SimulatedPerson[];
let archive: string;

const person = (at: number) => {
  const found = people[at];
  if (!found) throw new Error(`There is no person ${at}.`);
  return found;
};
const of = (at: number) => ({ ...everyone, everyone: false, users: [person(at)] });
const deliver = (user: string, mime: Buffer): void =>
  act(running.simulator, 'mail.deliver', { user, folder: 'inbox', mime: mime.toString('base64') });

async function receiverOf(): Promise<Receiver> {
  const [found] = (await tenant.call<{ items: Receiver[] }>(`${tenant.tenantId}/archive/receivers`)).items;
  if (!found) throw new Error('There is no receiver.');
  return found;
}

/** Every message of the archive of the first person, with the folders where it was. */
async function archived(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const rows = await testing.asSuperuser(
    `select item_key, detail from catalog_items join catalog_sources using (organisation_id, realm, source_id)
       join resources using (organisation_id, realm, resource_id)
     where resources.kind = 'archive' and to_point = 9007199254740991 and graph_id = $1`,
    [person(0).id],
  );
  return new Map(
    rows.map(({ item_key, detail }) => {
      const { contents, properties } = detail as {
        contents: { ref: { sha256: string } }[];
        properties: { placements: { folder: string }[] };
      };
      // A message is named by the bytes that are stored of it.
      expect(contents[0]?.ref.sha256).toBe(item_key);
      return [String(item_key), new Set(properties.placements.map(({ folder }) => folder))];
    }),
  );
}

async function journal(messages: readonly Buffer[]): Promise<void> {
  const lane = async (first: number): Promise<void> => {
    const client = await smtpClient(port);
    for (let at = first; at < messages.length; at += LANES) {
      const report = reportOf(messages[at] ?? Buffer.alloc(0), { sender: person(0).address, recipients: [] });
      expect(await client.mail(receiver.address, report)).toMatch(/^250 /u);
    }
    client.close();
  };
  await Promise.all(Array.from({ length: LANES }, (_, first) => lane(first)));
  await vi.waitFor(
    async () => {
      const { waiting } = await receiverOf();
      if (waiting > 0) throw new Error(`${waiting} reports wait.`);
    },
    { timeout: 120_000, interval: 300 },
  );
}

/** Imports each message as a file of its own, in a folder of this name. */
async function bring(folder: string, messages: readonly Buffer[]): Promise<void> {
  await mkdir(path.join(imports, folder, folder), { recursive: true });
  for (const [at, mime] of messages.entries()) await writeFile(path.join(imports, folder, folder, `${at}.eml`), mime);
  const body = {
    type: 'import',
    name: `Import of ${folder}`,
    import: { source: { kind: 'folder', path: folder }, mapping: [{ mailbox: person(0) }] },
  };
  const job = await tenant.job({ ...body, schedule: unscheduled });
  expect((await tenant.finish(job)).status).toBe('successful');
  const report = await tenant.call<ImportReport>(`${tenant.tenantId}/archive/imports/${job}`);
  expect([report.seen, report.failed]).toEqual([messages.length, 0]);
}

/** Lets the messages come in by each way, and expects each of them once, at its three places, under the hash of its bytes. */
async function expectOneEach(folder: string, messages: readonly Buffer[]): Promise<void> {
  const before = await archived();
  for (const mime of messages) deliver(person(0).id, mime);
  expect((await tenant.finish(archive)).status).toBe('successful');
  await journal(messages);
  await bring(folder, messages);
  const after = await archived();
  const places = [INBOX, 'Journal', folder];
  const amiss = messages.filter((mime) => {
    const found = after.get(sha256Hex(mime));
    return found === undefined || !places.every((place) => found.has(place));
  });
  expect(amiss.map((mime) => mime.toString('base64').slice(0, 2000))).toEqual([]);
  const hashes = new Set(messages.map((mime) => sha256Hex(mime)));
  expect([...after.keys()].filter((key) => !before.has(key) && !hashes.has(key))).toEqual([]);
}

beforeAll(async () => {
  imports = await mkdtemp(path.join(tmpdir(), 'holdfast-ways-'));
  const receives = { HOLDFAST_RECEIVER_PORT: '0', HOLDFAST_RECEIVER_DNS: 'none' };
  running = await startSimulatedServer(testing, { HOLDFAST_IMPORT_ROOTS: imports, ...receives });
  const { server, simulator, folder } = running;
  const owner = await server.owner();
  token = owner.tokens.main;
  tenant = await connectSimulated({ server, owner, simulator, testing, vault: path.join(folder, 'vault') });
  people = peopleOf(simulator, { drive: true });
  receiver = await tenant.call<Receiver>(`${tenant.tenantId}/archive/receivers`, { name: 'Journal', locationId: tenant.locationId });
  port = await vi.waitFor(
    async () => {
      const { listening } = await receiverOf();
      if (!listening) throw new Error('Nobody listens yet.');
      return listening.port;
    },
    { timeout: 60_000, interval: 200 },
  );
  archive = await tenant.job({ type: 'archive', name: 'Archive', source: of(0) });
  await tenant.finish(archive);
}, 240_000);
afterAll(async () => {
  await running.close();
  await rm(imports, { recursive: true, force: true });
});

/** Lines of headers and of bodies that mail programs and gateways stumble over. */
const header = fc.constantFrom(
  'Message-ID: <same@fabrikam.example>',
  'Message-ID: <../../x>',
  'Date: yesterday',
  'X-8bit: \xe4\xf6\xfc',
  'Subject: =?utf-8?q?=C3=A4?=',
  'Subject: \xd0\x9f\xd1\x80\xd0\xb8\xd0\xb2\xd0\xb5\xd1\x82',
  'To: \xe7\xa4\xbe\xe5\x93\xa1@\xe4\xbe\x8b\xe3\x81\x88.example',
  'Content-Type: multipart/mixed; boundary="b"',
  'Content-Type: multipart/mixed; boundary="another"',
  'Content-Transfer-Encoding: base64',
  'X-Folded: a\n b',
);
const line = fc.constantFrom('text', '.', '..', 'From here', '\0', '\xe4', '\xff', '--b', '--b--', '', ' ', '=C3=A4', 'YWJj', '\r');
const ending = fc.constantFrom('\r\n', '\n');
const generated = fc
  .tuple(fc.array(header, { maxLength: 5 }), fc.array(line, { maxLength: 12 }), ending, fc.boolean())
  .map(([headers, lines, end, isEnded]) => ['From: anna@fabrikam.example', ...headers, '', ...lines, ...(isEnded ? [''] : [])].join(end))
  .map((text) => Buffer.from(text, 'latin1'));

test('A1, A2: whatever a message is, it has one hash by Graph, by SMTP and from a file, and two that differ in a byte are two', async () => {
  const twins = ['Body 1', 'Body 2'].map((body) =>
    Buffer.from(`From: anna@fabrikam.example\r\nMessage-ID: <twin@fabrikam.example>\r\n\r\n${body}\r\n`),
  );
  const messages = [...twins, ...fc.sample(generated, { numRuns: 40, seed: 2 })];
  await expectOneEach('Generated', messages);
  expect(new Set(twins.map((mime) => sha256Hex(mime))).size).toBe(2);
  const verify = await tenant.job({ type: 'verify', name: 'Verify', budgetPercent: 100 });
  expect(await tenant.finish(verify)).toMatchObject({ status: 'successful', result: { deviations: 0, complete: true } });
}, 240_000);

test('A2: 100 messages from all over the corpora have one hash each by Graph, by SMTP and from a file', async ({ skip }) => {
  if (!existsSync(CORPORA)) skip('The corpora are not on this machine.');
  const files = readdirSync(CORPORA, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:eml|txt|mime)$/iu.test(entry.name))
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name)));
  const formatOf = (bytes: Buffer) =>
    formatOfMailFile({ name: 'a', sizeBytes: bytes.byteLength, read: (at, length) => Promise.resolve(bytes.subarray(at, at + length)) });
  const messages: Buffer[] = [];
  for (const bytes of files) if (bytes.byteLength < 900_000 && (await formatOf(bytes)) === 'eml') messages.push(bytes);
  expect(messages.length).toBeGreaterThan(OF_CORPORA);
  const every = messages.length / OF_CORPORA;
  await expectOneEach(
    'Corpora',
    Array.from({ length: OF_CORPORA }, (_, at) => messages[Math.floor(at * every)] ?? Buffer.alloc(0)),
  );
}, 480_000);

async function ticketOf(item: object): Promise<string> {
  return (await tenant.call<{ ticket: string }>(`${tenant.tenantId}/content-tickets`, { ...item, reason: 'Audit' })).ticket;
}

async function bytesOf(to: string): Promise<Buffer> {
  const answer = await running.server.send(`/apollo/api/${tenant.tenantId}/${to}`, { token });
  expect(answer.status, to).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}

/** The file in OneDrive, as its backup has it. */
async function fileOf(name: string) {
  const [found] = await testing.asSuperuser(
    `select source_id, location_id, item_key from catalog_items join catalog_sources using (organisation_id, realm, source_id)
     where catalog_items.name = $1 and to_point = 9007199254740991`,
    [name],
  );
  return { locationId: found?.['location_id'], sourceId: found?.['source_id'], nodeId: found?.['item_key'] };
}

test('A3: what 50 mails and OneDrive have in common is stored once, and comes out 51 times as it was', async () => {
  const MAILS = 50;
  const { id: user, address } = person(1);
  const attached = createSeededRandom(3).bytes(400_000);
  const mails = await tenant.job({ type: 'archive', name: 'Archive of attachments', source: of(1) });
  const files = await tenant.job({ type: 'backup', workload: 'onedrive', name: 'OneDrive', source: of(1) });
  for (const job of [mails, files]) await tenant.finish(job);
  const base64 = attached.toString('base64').replaceAll(/.{76}/gu, '$&\r\n');
  for (let at = 0; at < MAILS; at += 1) {
    const head = `From: anna@fabrikam.example\r\nSubject: Shared ${at}\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nText ${at}\r\n`;
    const part = `--b\r\nContent-Type: application/pdf; name=offer.pdf\r\nContent-Disposition: attachment; filename=offer.pdf\r\n`;
    deliver(user, Buffer.from(`${head}${part}Content-Transfer-Encoding: base64\r\n\r\n${base64}\r\n--b--\r\n`));
  }
  act(running.simulator, 'drives.createFile', { user, name: 'offer.pdf', contentBytes: attached.toString('base64') });
  let stored = 0;
  for (const job of [mails, files]) {
    const run = await tenant.finish(job);
    expect(run.status).toBe('successful');
    stored += run.new_bytes;
  }
  expect(stored).toBeGreaterThanOrEqual(attached.byteLength);
  expect(stored).toBeLessThan(attached.byteLength * 1.5);
  const { items: mailboxes } = await tenant.call<Page<ArchivedMailbox>>(`${tenant.tenantId}/archive/mailboxes`);
  const mailbox = mailboxes.find(({ email }) => email === address);
  const { locationId, sourceId } = mailbox ?? {};
  const listed = { reason: 'Audit', subject: 'Shared', limit: 100 };
  const { items } = await tenant.call<Page<ArchivedMessage>>(`${tenant.tenantId}/archive/mailboxes/${mailbox?.mailboxId}/messages`, listed);
  expect(items).toHaveLength(MAILS);
  for (const { messageId } of items) {
    const ticket = await ticketOf({ locationId, sourceId, nodeId: messageId });
    const opened = await tenant.call<OpenedMessage>(`${tenant.tenantId}/archive/messages/${messageId}?ticket=${ticket}`);
    const [part] = opened.content.attachments;
    const out = await bytesOf(`archive/messages/${messageId}/parts/${part?.index}?ticket=${ticket}`);
    expect(out.equals(attached), opened.content.title).toBe(true);
  }
  const out = await bytesOf(`content-tickets/${await ticketOf(await fileOf('offer.pdf'))}/file`);
  expect(out.equals(attached)).toBe(true);
}, 240_000);
