import type { ArchivedMailbox } from '@holdfast/contract/archive';
import type { OpenedMessage } from '@holdfast/contract/archived-messages';
import { messageProof, type MessageProof } from '@holdfast/contract/message-proof';
import type { Page } from '@holdfast/contract/paging';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { sha256Hex } from '@holdfast/foundation/bytes';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { verifyProof } from '../../admin/verify-proof.ts';
import { startSimulatedServer, type SimulatedServer } from '../../testing/simulated-server.ts';
import { act, connectSimulated, everyone, type SimulatedTenant } from '../../testing/simulated-tenant.ts';
import { createAuthority } from '../timestamps/authority.ts';
import { readRoots } from '../timestamps/index.ts';
import { hasOpenssl, startOpensslAuthority } from '../timestamps/testing/openssl-authority.ts';
import { verifyMessageProof } from './verify-message-proof.ts';

/** Proofs of archived messages, fetched over HTTP and checked without the product; and what tampering they show. */
const testing = testDatabase(import.meta.url);
let running: SimulatedServer;
let tenant: SimulatedTenant;
let token: string;
let mailbox: ArchivedMailbox;
let key: string;

const mail = (subject: string): Buffer =>
  Buffer.from(`From: ada@proseware.example\r\nTo: you@tiny.example\r\nSubject: ${subject}\r\n\r\nText of ${subject}\r\n`);
const [ONE, TWO, LATER] = [mail('One'), mail('Two'), mail('Later')] as const;

async function ticketFor(messageId: string): Promise<string> {
  const body = { locationId: mailbox.locationId, sourceId: mailbox.sourceId, nodeId: messageId, reason: 'Audit' };
  return (await tenant.call<{ ticket: string }>(`${tenant.tenantId}/content-tickets`, body)).ticket;
}

async function fetchOf(messageId: string, what: '' | '/proof' | '/raw'): Promise<Response> {
  const to = `/apollo/api/${tenant.tenantId}/archive/messages/${messageId}${what}?ticket=${await ticketFor(messageId)}`;
  return running.server.send(to, { token });
}

async function proofOf(raw: Buffer): Promise<MessageProof> {
  const answer = await fetchOf(sha256Hex(raw), '/proof');
  expect(answer.status).toBe(200);
  return messageProof.parse(await answer.json());
}

interface Checked {
  readonly ok: boolean;
  readonly problems: readonly string[];
}
const verifyLog = (): Promise<Checked> => tenant.call<Checked>(`${tenant.tenantId}/audit/verify`, {});

/** SQL past triggers and row-level security, as somebody with the whole database in hand would run it. */
const past = (sql: string): Promise<unknown> => testing.asSuperuser(`begin; set local session_replication_role = replica; ${sql}; commit`);

beforeAll(async () => {
  running = await startSimulatedServer(testing);
  const { server, simulator, folder } = running;
  const owner = await server.owner();
  token = owner.tokens.main;
  tenant = await connectSimulated({ server, owner, simulator, testing, vault: path.join(folder, 'vault') });
  const [directory] = [...simulator.simulation.tenants.values()].map((one) => one.directory);
  const [one] = (directory?.users() ?? []).filter((user) => user.hasMailbox && user.kind === 'member');
  if (!one) throw new Error('Nobody has a mailbox.');
  const source = { ...everyone, everyone: false, users: [{ id: one.id, name: one.displayName, address: one.mail }] };
  const put = (raw: Buffer): void => act(simulator, 'mail.deliver', { user: one.id, folder: 'inbox', mime: raw.toString('base64') });
  for (const raw of [ONE, TWO]) put(raw);
  const backup = await tenant.job({ type: 'backup', name: 'Mail', source });
  const archive = await tenant.job({ type: 'archive', name: 'Archive', source });
  await tenant.finish(backup);
  await tenant.finish(archive);
  put(LATER);
  await tenant.finish(backup);
  await tenant.finish(archive);
  const { items } = await tenant.call<Page<ArchivedMailbox>>(`${tenant.tenantId}/archive/mailboxes`);
  mailbox = items.find(({ email }) => email === one.mail) as ArchivedMailbox;
  key = (await tenant.call<{ publicKey: string }>(`${tenant.tenantId}/audit/checkpoints`)).publicKey;
}, 240_000);
afterAll(() => running.close());

test('A29: the proof of a message holds with the key alone, and nothing else than this message has it', async () => {
  const proof = await proofOf(ONE);
  expect(proof).toMatchObject({
    message: sha256Hex(ONE),
    publicKey: key,
    event: { event: 'archive.captured', subjectId: proof.capture.root },
  });
  expect(verifyMessageProof(proof, { key, message: ONE })).toEqual([]);
  const later = await proofOf(LATER);
  expect([later.capture.of, verifyMessageProof(later, { key, message: LATER })]).toEqual([1, []]);
  const flipped = Buffer.from(ONE);
  flipped[40] = (flipped[40] ?? 0) ^ 1;
  expect(verifyMessageProof(proof, { key, message: flipped })).toEqual(['message']);
  expect(verifyMessageProof({ ...proof, message: sha256Hex(TWO) }, { key, message: TWO })).toEqual(['capture']);
  expect(verifyMessageProof({ ...proof, capture: later.capture }, { key })).toEqual(['capture', 'event']);
  expect(verifyMessageProof({ ...proof, event: { ...proof.event, at: '2020-01-01T00:00:00.000Z' } }, { key })).toEqual(['log']);
  const forged = { ...proof.log.checkpoint, note: proof.log.checkpoint.note.replace(/\n\d+\n/u, '\n9999\n') };
  expect(verifyMessageProof({ ...proof, log: { ...proof.log, checkpoint: forged } }, { key })).toEqual(['signature']);
  expect(verifyMessageProof(proof, { key: `${key.slice(0, -4)}AAA=` })).toEqual(['key']);
});

test('A29: the console checks a proof with files and a key alone, and names what does not hold', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'proof-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [proof, message, other] = ['proof.json', 'one.eml', 'two.eml'].map((name) => path.join(folder, name)) as [string, string, string];
  await writeFile(proof, JSON.stringify(await proofOf(ONE)));
  await writeFile(message, ONE);
  await writeFile(other, TWO);
  const lines: string[] = [];
  const context = { config: {}, logger: {}, print: (line: string) => lines.push(line) } as never;
  await verifyProof.run(context, { proof, key, message });
  expect(lines.join('\n')).toContain(`The message ${sha256Hex(ONE)} was archived before`);
  await expect(verifyProof.run(context, { proof, key, message: other })).rejects.toMatchObject({ code: 'archive.proof-refused' });
  expect(lines.at(-1)).toContain('its bytes have another hash');
  await expect(verifyProof.run(context, { proof: message, key })).rejects.toMatchObject({ code: 'admin.bad-option' });
});

test.skipIf(!hasOpenssl)('A29: a proof carries the stamp of an authority of others, which holds only for who believes it', async () => {
  const authority = await startOpensslAuthority();
  onTestFinished(() => authority.close());
  const roots = await readRoots(authority.roots);
  const { checkpoint } = (await proofOf(ONE)).log;
  const { token: stamp, stamp: attested } = await createAuthority({ url: authority.url, roots }).stamp(Buffer.from(checkpoint.note));
  await past(`insert into audit_timestamps (day, tried_at, size, stamped_at, authority, token)
    values ('2026-04-01', now(), ${checkpoint.size}, '${attested.at.toISOString()}', '${attested.authority}', '\\x${stamp.toString('hex')}')`);
  onTestFinished(async () => void (await past('delete from audit_timestamps')));

  const proof = await proofOf(ONE);
  expect([proof.log.checkpoint.size, proof.timestamp?.authority]).toEqual([checkpoint.size, 'Time of Proseware']);
  expect(verifyMessageProof(proof, { key, roots, message: ONE })).toEqual([]);
  expect(verifyMessageProof(proof, { key, roots: [] })).toEqual(['timestamp']);
  expect(verifyMessageProof({ ...proof, timestamp: undefined }, { key, roots })).toEqual(['timestamp']);
  const earlier = { authority: '', token: '', ...proof.timestamp, at: '2020-01-01T00:00:00.000Z' };
  expect(verifyMessageProof({ ...proof, timestamp: earlier }, { key, roots })).toEqual(['timestamp']);

  const [file, lines] = [path.join(authority.folder, 'proof.json'), [] as string[]];
  await writeFile(file, JSON.stringify(proof));
  const context = { config: {}, logger: {}, print: (line: string) => lines.push(line) } as never;
  await verifyProof.run(context, { proof: file, key, authorities: authority.roots });
  expect(lines.join('\n')).toContain(`Time of Proseware attests that it was there on ${attested.at.toISOString()}.`);
});

test('a message that was archived before captures were logged has no proof, and says so', async () => {
  const proof = await proofOf(TWO);
  await past(`update audit_events set subject_id = 'gone' where sequence = ${proof.event.sequence}`);
  const answer = await fetchOf(sha256Hex(TWO), '/proof');
  expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([404, 'archive.no-proof']);
  await past(`update audit_events set subject_id = '${proof.capture.root}' where sequence = ${proof.event.sequence}`);
  expect(verifyMessageProof(await proofOf(TWO), { key })).toEqual([]);
});

test('a proof stands on the checkpoint that is there, and one is made only for what is newer', async () => {
  const checkpoints = async (): Promise<number> =>
    (await tenant.call<{ items: unknown[] }>(`${tenant.tenantId}/audit/checkpoints`)).items.length;
  const first = await proofOf(ONE);
  const before = await checkpoints();
  const second = await proofOf(ONE);
  expect(await checkpoints()).toBe(before);
  expect(second.log.checkpoint).toEqual(first.log.checkpoint);
  expect(verifyMessageProof(second, { key })).toEqual([]);
});

test('a checkpoint is proved to be the beginning of a later one, and only checkpoints that there are', async () => {
  const sizes = async (): Promise<number[]> => {
    const { items } = await tenant.call<{ items: { size: number }[] }>(`${tenant.tenantId}/audit/checkpoints`);
    return items.map(({ size }) => size);
  };
  // Opening is an event: the proof of an event comes with a checkpoint of its own, newer each time.
  for (const message of [ONE, TWO]) {
    const { event } = await proofOf(message);
    await tenant.call(`${tenant.tenantId}/audit/proofs/${event.sequence}`);
  }
  const [to = 0, from = 0] = await sizes();
  const path_ = await tenant.call<{ path: string[] }>(`${tenant.tenantId}/audit/consistency?from=${from}&to=${to}`);
  expect(path_).toMatchObject({ from, to });
  expect(path_.path.length).toBeGreaterThan(0);
  const none = await running.server.send(`/apollo/api/${tenant.tenantId}/audit/consistency?from=${from}&to=${to + 1_000}`, { token });
  expect(none.status).toBe(404);
});

test('A29: two mails that were swapped in the database are detected when one is opened', async () => {
  const [one, two] = [sha256Hex(ONE), sha256Hex(TWO)];
  const open = async (): Promise<OpenedMessage> => (await (await fetchOf(one, '')).json()) as OpenedMessage;
  expect((await open()).isVerified).toBe(true);
  const swap = `update catalog_items item set detail = other.detail from catalog_items other
    where item.source_id = '${mailbox.sourceId}' and other.source_id = item.source_id
      and ((item.item_key = '${one}' and other.item_key = '${two}') or (item.item_key = '${two}' and other.item_key = '${one}'))`;
  await past(swap);
  expect((await open()).isVerified).toBe(false);
  await past(swap);
  expect((await open()).isVerified).toBe(true);
});

test('A29: an edited event, a cut-off end and a database of yesterday are each reported by name', async () => {
  expect(await verifyLog()).toMatchObject({ ok: true, problems: [] });
  const proof = await proofOf(ONE);
  await past(`update audit_events set event = 'archive.listed' where sequence = ${proof.event.sequence}`);
  expect((await verifyLog()).problems.join('\n')).toContain('does not fit the events');
  await past(`update audit_events set event = 'archive.captured' where sequence = ${proof.event.sequence}`);
  expect((await verifyLog()).problems).toEqual([]);
  // What a copy of the database from before looks like: its end is gone, and everything in it fits.
  const [{ size } = { size: 0 }] = (await tenant.call<{ items: { size: number }[] }>(`${tenant.tenantId}/audit/checkpoints`)).items;
  const kept = Math.max(1, size - 100);
  await past(
    `delete from audit_events where sequence > ${kept}; delete from audit_nodes where (position + 1) * (1 << level) > ${kept};
     delete from audit_checkpoints where size > ${kept}`,
  );
  const { ok, problems } = await verifyLog();
  expect(ok).toBe(false);
  expect(problems.join('\n')).toMatch(/copy of checkpoint \d+: /u);
});

test('A29: a byte that was flipped in the vault is found by the next verification', async () => {
  const vault = path.join(running.folder, 'vault');
  const files = (await readdir(vault, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.parentPath.includes('packs'))
    .map((entry) => path.join(entry.parentPath, entry.name));
  const sized = await Promise.all(files.map(async (name) => ({ name, size: (await stat(name)).size })));
  const { name } = sized.toSorted((a, b) => b.size - a.size)[0] as { name: string };
  const bytes = await readFile(name);
  bytes[Math.floor(bytes.byteLength / 2)] = (bytes[Math.floor(bytes.byteLength / 2)] ?? 0) ^ 1;
  await rm(name);
  await writeFile(name, bytes);
  const run = await tenant.finish(await tenant.job({ type: 'verify', name: 'Verify', budgetPercent: 100 }));
  expect(run.status).not.toBe('successful');
  expect(run.result).toMatchObject({ deviations: expect.any(Number) });
  expect(Number(run.result?.['deviations'])).toBeGreaterThan(0);
});
