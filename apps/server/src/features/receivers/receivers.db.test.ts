import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Receiver, UnassignedMail } from '@holdfast/contract/receivers';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { onCrashPoint } from '@holdfast/foundation/crash-point';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { startSimulatedServer, type SimulatedServer } from '../../testing/simulated-server.ts';
import {
  connectSimulated,
  everyone,
  peopleOf,
  unscheduled,
  type SimulatedPerson,
  type SimulatedTenant,
} from '../../testing/simulated-tenant.ts';
import { aMail, hashOf, JOURNALED, reportOf, type JournaledRow } from './testing/received.ts';
import { smtpClient, stuffed } from './testing/smtp-client.ts';

/** A receiver that was set up over HTTP, with a worker that listens. Each test builds on those before it. */
const testing = testDatabase(import.meta.url);
let running: SimulatedServer;
let tenant: SimulatedTenant;
let owner: Awaited<ReturnType<SimulatedServer['server']['owner']>>;
let receiver: Receiver;
let port: number;
let people: readonly SimulatedPerson[];

const person = (at: number) => {
  const found = people[at];
  if (!found) throw new Error(`There is no person ${at}.`);
  return found;
};
const journaled = async (): Promise<JournaledRow[]> => (await testing.asSuperuser(JOURNALED)) as unknown as JournaledRow[];
const at = (rest = ''): string => `${tenant.tenantId}/archive/receivers${rest}`;
const shown = async (): Promise<Receiver> => {
  const [found] = (await tenant.call<{ items: Receiver[] }>(at())).items;
  if (!found) throw new Error('There is no receiver.');
  return found;
};

async function deliver(raw: Buffer, to = receiver.address): Promise<string> {
  const client = await smtpClient(port);
  try {
    return await client.mail(to, raw);
  } finally {
    client.close();
  }
}

/** The messages of an archive with the envelope that its owner may see. */
async function archived(graphId: string) {
  const rows = await testing.asSuperuser(
    `select item_key, detail from catalog_items join catalog_sources using (organisation_id, realm, source_id)
     join resources using (organisation_id, realm, resource_id)
     where resources.kind = 'archive' and graph_id = $1 and to_point = 9007199254740991`,
    [graphId],
  );
  return new Map(
    (rows as unknown as { item_key: string; detail: { properties: { placements: Record<string, unknown>[] } } }[]).map((row) => [
      row.item_key,
      row.detail.properties.placements,
    ]),
  );
}

/** Waits until everything that came in has been placed. */
async function distributed(): Promise<Receiver> {
  return vi.waitFor(
    async () => {
      const now = await shown();
      if (now.waiting > 0 || now.received === 0) throw new Error(`${now.waiting} reports wait.`);
      return now;
    },
    { timeout: 60_000, interval: 200 },
  );
}

beforeAll(async () => {
  running = await startSimulatedServer(testing, { HOLDFAST_RECEIVER_PORT: '0', HOLDFAST_RECEIVER_DNS: 'none' });
  const { server, simulator, folder } = running;
  owner = await server.owner();
  tenant = await connectSimulated({ server, owner, simulator, testing, vault: path.join(folder, 'vault') });
  people = peopleOf(simulator);
  receiver = await tenant.call<Receiver>(at(), { name: 'Journal', locationId: tenant.locationId, networks: ['127.0.0.1'] });
  port = await vi.waitFor(
    async () => {
      const { listening } = await shown();
      if (!listening) throw new Error('Nobody listens yet.');
      return listening.port;
    },
    { timeout: 60_000, interval: 200 },
  );
}, 240_000);
afterEach(() => onCrashPoint(undefined));
afterAll(() => running.close());

test('A6: a journal report is answered with 250 when the report and its message are durable, each under its own hash', async () => {
  const message = aMail(1);
  const report = reportOf(message);
  expect(await deliver(report)).toMatch(/^250 /u);
  const [row] = await journaled();
  expect(row?.item_key).toBe(hashOf(report));
  expect(row?.detail.contents.map(({ role, ref }) => [role, ref.sha256])).toEqual([
    ['mime', hashOf(report)],
    ['part', hashOf(message)],
  ]);
  expect(row?.detail.properties.envelope).toMatchObject({ sender: 'anna@contoso.example' });
});

test('A6: the same report that comes again is there once, and is answered with 250 again', async () => {
  const report = reportOf(aMail('again'));
  expect(await deliver(report)).toMatch(/^250 /u);
  expect(await deliver(report)).toMatch(/^250 /u);
  expect((await Promise.all([deliver(report), deliver(report)])).every((reply) => reply.startsWith('250'))).toBe(true);
  expect((await journaled()).filter(({ item_key }) => item_key === hashOf(report))).toHaveLength(1);
});

const hasSwaks = spawnSync('swaks', ['--version']).status === 0;

test('A2, A6: what swaks sends, a program of others, comes in with the bytes that it sent', async ({ skip }) => {
  if (!hasSwaks) skip('swaks is not on this machine.');
  const folder = await mkdtemp(path.join(tmpdir(), 'holdfast-swaks-'));
  const report = reportOf(aMail('by swaks', 'first line\r\n.a dot at the start\r\nGrüße\r\n'));
  const file = path.join(folder, 'report.eml');
  // Bytes as they go over the wire: left to itself, swaks makes CRLF of every line feed.
  await writeFile(file, stuffed(report));
  const words = [
    '--server',
    `127.0.0.1:${port}`,
    '--tls',
    '--from',
    'exchange@contoso.example',
    '--to',
    receiver.address,
    '--data',
    `@${file}`,
  ];
  const { stdout } = await promisify(execFile)('swaks', [...words, '--no-data-fixup']);
  await rm(folder, { recursive: true });
  expect(stdout).toMatch(/^<~\s+250 /mu);
  expect((await journaled()).filter(({ item_key }) => item_key === hashOf(report))).toHaveLength(1);
}, 60_000);

/** Pieces that mail programs and gateways stumble over. */
const piece = fc.constantFrom('\r\n', '\n', '\r', '.', '\r\n.', '\n.\n', '\n..', '\0', 'ä', '\xff', '--x', 'Subject: y', 'text', ' ');
const body = fc.array(piece, { maxLength: 40 }).map((pieces) => Buffer.from(pieces.join(''), 'latin1'));

test('A2: any bytes of a message come in unchanged: dots, bare line feeds, 8-bit, NUL and no final newline', async () => {
  const client = await smtpClient(port);
  const sent: { report: string; message: string }[] = [];
  await fc.assert(
    fc.asyncProperty(body, async (bytes) => {
      const message = Buffer.concat([aMail(sent.length), bytes]);
      const report = reportOf(message);
      expect(await client.mail(receiver.address, report)).toMatch(/^250 /u);
      sent.push({ report: hashOf(report), message: hashOf(message) });
    }),
    { numRuns: 60 },
  );
  client.close();
  const kept = new Map((await journaled()).map(({ item_key, detail }) => [item_key, detail.properties.messages.map(({ key }) => key)]));
  for (const { report, message } of sent) expect(kept.get(report)).toEqual([message]);
}, 120_000);

const CORPORA = path.resolve(import.meta.dirname, '../../../../../../shared/corpora');

const LANES = 12;

function corpusFiles(): string[] {
  if (!existsSync(CORPORA)) return [];
  return readdirSync(CORPORA, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:eml|msg|txt|mime)$/iu.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}

test('A1, A4, A9: what a header says decides nothing: Message-ID, Date and name are read, never used as a place', async () => {
  const heads = [
    'Message-ID: <../../x>',
    `Message-ID: <${'y'.repeat(4_000)}@x>`,
    'Message-ID: ',
    'X-None: 1',
    'Date: Thu, 01 Jan 1970 00:00:00 +0000',
    'Date: Thu, 01 Jan 2099 00:00:00 +0000',
    'Date: yesterday',
  ];
  const before = Date.now();
  const messages = heads.flatMap((head) => ['a', 'b'].map((text) => Buffer.from(`${head}\r\nSubject: Odd\r\n\r\n${text}`)));
  const client = await smtpClient(port);
  for (const message of messages) expect(await client.mail(receiver.address, reportOf(message))).toMatch(/^250 /u);
  client.close();
  const kept = (await journaled()).flatMap(({ detail }) => detail.properties.messages);
  for (const message of messages) {
    const found = kept.filter(({ key }) => key === hashOf(message));
    expect(found).toHaveLength(1);
    const receivedAt = Date.parse(String(found[0]?.properties['receivedDateTime']));
    expect(receivedAt).toBeGreaterThanOrEqual(before);
    expect(found[0]?.properties['receivedBy']).toBe('receiver');
  }
}, 60_000);

test('A6: a broken report is stored, flagged and answered with 250', async () => {
  const unsent = reportOf(aMail('no envelope'), { isPlain: true }).toString('latin1').replace('Sender: ', 'Nobody: ');
  const noEnvelope = Buffer.from(unsent, 'latin1');
  const broken = [Buffer.from('Subject: No report\r\n\r\nplain\r\n'), Buffer.from('\r\n'), Buffer.from('no header at all\r\n')];
  for (const raw of broken) expect(await deliver(raw)).toMatch(/^250 /u);
  expect(await deliver(noEnvelope)).toMatch(/^250 /u);
  const kept = new Map((await journaled()).map((row) => [row.item_key, row.detail.properties.envelope.broken]));
  for (const raw of broken) expect(kept.get(hashOf(raw))).toBe('no-report');
  expect(kept.get(hashOf(noEnvelope))).toBe('no-envelope');
  const after = await distributed();
  expect(after.broken).toBe(4);
});

test('owners are found by their addresses, and a blind copy shows to its sender and its recipient alone', async () => {
  const [anna, ben, carla] = [person(0), person(1), person(2)];
  const message = aMail('envelope', 'for everybody');
  await deliver(
    reportOf(message, {
      sender: anna.address,
      recipients: [
        { as: 'To', address: ben.address.toUpperCase() },
        { as: 'Cc', address: 'partner@outside.example', expanded: 'partners@outside.example' },
        { as: 'Bcc', address: carla.address },
        { as: 'To', address: 'somebody@outside.example' },
      ],
    }),
  );
  await distributed();
  const envelopeOf = async ({ id }: { readonly id: string }) => {
    const [placement] = (await archived(id)).get(hashOf(message)) ?? [];
    return placement?.['envelope'] as { roles: string[]; recipients: { address: string; role: string }[] };
  };
  const roles = ({ recipients }: { recipients: { role: string }[] }): string[] => recipients.map(({ role }) => role);
  expect((await envelopeOf(anna)).roles).toEqual(['sender']);
  expect(roles(await envelopeOf(anna))).toEqual(['to', 'cc', 'bcc', 'to']);
  expect(roles(await envelopeOf(ben))).toEqual(['to', 'cc', 'to']);
  expect((await envelopeOf(carla)).roles).toEqual(['bcc']);
  expect(roles(await envelopeOf(carla))).toEqual(['to', 'cc', 'bcc', 'to']);
  expect(JSON.stringify(await envelopeOf(ben))).not.toContain(carla.address);
}, 90_000);

test('mail without an owner is counted, goes nowhere, and is placed with whoever it is assigned to', async () => {
  const message = aMail('nobody');
  const stranger = 'former@elsewhere.example';
  await deliver(reportOf(message, { sender: stranger, recipients: [{ as: 'To', address: 'x@outside.example' }] }));
  await distributed();
  const { items } = await tenant.call<{ items: UnassignedMail[] }>(at(`/${receiver.receiverId}/unassigned`));
  expect(items.find(({ address }) => address === stranger)).toMatchObject({ messages: 1, broken: null });
  const mailbox = person(0);
  const answer = await tenant.call<{ messages: number }>(at(`/${receiver.receiverId}/unassigned`), { address: stranger, mailbox });
  expect(answer).toEqual({ messages: 1 });
  await distributed();
  expect((await archived(mailbox.id)).has(hashOf(message))).toBe(true);
  const later = aMail('nobody, later');
  await deliver(reportOf(later, { sender: stranger, recipients: [] }));
  await distributed();
  expect((await archived(mailbox.id)).has(hashOf(later))).toBe(true);
}, 90_000);

test('the exempt win: their mail is in no archive of theirs, and nobody can assign it', async () => {
  const exempt = person(2);
  const source = { ...everyone };
  await tenant.job({ type: 'archive', name: 'Archive', source, exempt: [exempt], schedule: unscheduled });
  const message = aMail('exempt');
  const both = aMail('exempt and not');
  await deliver(reportOf(message, { sender: exempt.address, recipients: [{ as: 'To', address: 'x@outside.example' }] }));
  await deliver(reportOf(both, { sender: exempt.address, recipients: [{ as: 'To', address: person(1).address }] }));
  const after = await distributed();
  expect(after.exempt).toBe(1);
  for (const one of [message, both]) expect((await archived(exempt.id)).has(hashOf(one))).toBe(false);
  expect((await archived(person(1).id)).has(hashOf(both))).toBe(true);
  const refused = await running.server.send(`/apollo/api/${at(`/${receiver.receiverId}/unassigned`)}`, {
    token: owner.tokens.main,
    body: { address: null, mailbox: exempt },
  });
  expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([409, 'import.mailbox-exempt']);
}, 90_000);

test('A6: a journal that cannot be written answers 4xx, and the mail that is sent again is there once', async () => {
  const report = reportOf(aMail('not yet'));
  for (const place of ['backup.before-packs', 'backup.before-segment', 'backup.before-catalog']) {
    let failures = 0;
    onCrashPoint((name) => {
      if (name !== place || failures > 0) return;
      failures += 1;
      throw new Error('No space left on device');
    });
    expect(await deliver(Buffer.concat([report, Buffer.from(`${place}\r\n`)]))).toMatch(/^451 /u);
    onCrashPoint(undefined);
    const again = Buffer.concat([report, Buffer.from(`${place}\r\n`)]);
    await vi.waitFor(async () => expect(await deliver(again)).toMatch(/^250 /u), { timeout: 15_000, interval: 300 });
    expect((await journaled()).filter(({ item_key }) => item_key === hashOf(again))).toHaveLength(1);
  }
  expect(await vi.waitFor(async () => (await shown()).lastFailure ?? Promise.reject(new Error('not told')), { timeout: 10_000 })).toBe(
    'internal',
  );
}, 60_000);

test('an unknown address, another network, a mail without encryption and one that is too large are refused; a paused receiver lets the sender wait', async () => {
  expect(await deliver(reportOf(aMail('x')), `journal-nobody@localhost`)).toMatch(/^550 5\.1\.1/u);
  const plain = await smtpClient(port, { isSecure: false });
  expect(await plain.say('MAIL FROM:<a@b>')).toMatch(/^530 /u);
  plain.close();
  const body = { name: 'Journal', locationId: tenant.locationId, networks: ['203.0.113.0/24'], maxMegabytes: 1 };
  const change = (changes: object) =>
    running.server.send(`/apollo/api/${at(`/${receiver.receiverId}`)}`, {
      method: 'PUT',
      token: owner.tokens.main,
      body: { ...body, ...changes },
    });
  expect((await change({})).status).toBe(200);
  await vi.waitFor(async () => expect(await deliver(reportOf(aMail('x')))).toMatch(/^550 5\.7\.1/u), { timeout: 15_000, interval: 300 });
  expect((await change({ networks: [] })).status).toBe(200);
  expect((await change({ networks: [], isEnabled: false })).status).toBe(200);
  await vi.waitFor(async () => expect(await deliver(reportOf(aMail('x')))).toMatch(/^451 4\.7\.1/u), { timeout: 15_000, interval: 300 });
  expect((await change({ networks: [] })).status).toBe(200);
  const large = reportOf(aMail('large', 'x'.repeat(1_200_000)));
  await vi.waitFor(async () => expect(await deliver(large)).toMatch(/^552 /u), { timeout: 15_000, interval: 300 });
  expect((await journaled()).some(({ item_key }) => item_key === hashOf(large))).toBe(false);
}, 60_000);

test('a test message comes in by SMTP like any other, and is found in the archive of whoever sent it', async () => {
  expect(await tenant.call(at(`/${receiver.receiverId}/test`), {})).toMatchObject({ result: 'stored' });
});

test('only owners and administrators see and change receivers', async () => {
  for (const role of ['operator', 'auditor', 'reader'] as const) {
    const member = await running.server.member(owner.organisationId, role);
    expect((await running.server.send(`/apollo/api/${at()}`, { token: member.tokens.main })).status).toBe(403);
  }
});

test('A2: every message of the corpora comes in by SMTP with the bytes of its file', async ({ skip }) => {
  const files = corpusFiles();
  if (files.length === 0) skip('The corpora are not on this machine.');
  const wanted: string[] = [];
  // Several at a time, as Exchange sends: they are committed in groups.
  const lane = async (first: number): Promise<void> => {
    const client = await smtpClient(port);
    for (let at = first; at < files.length; at += LANES) {
      const file = files[at] ?? '';
      const message = readFileSync(file);
      if (message.byteLength > 900_000) continue;
      expect(await client.mail(receiver.address, reportOf(message)), file).toMatch(/^250 /u);
      wanted.push(hashOf(message));
    }
    client.close();
  };
  await Promise.all(Array.from({ length: LANES }, (_, first) => lane(first)));
  const kept = new Set((await journaled()).flatMap(({ detail }) => detail.properties.messages.map(({ key }) => key)));
  expect(wanted.filter((key) => !kept.has(key))).toEqual([]);
  expect(wanted.length).toBeGreaterThan(100);
}, 240_000);
