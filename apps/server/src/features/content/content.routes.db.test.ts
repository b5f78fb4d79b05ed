import { testDatabase } from '@holdfast/database/testing/test-database';
import type { Simulator } from '@holdfast/m365-simulator';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startSimulatedServer, type SimulatedServer } from '../../testing/simulated-server.ts';
import type { SignedIn, TestServer } from '../../testing/test-server.ts';

/** Reading single items over HTTP, out of a mailbox that was backed up here. */
const testing = testDatabase(import.meta.url);
let simulator: Simulator;
let running: SimulatedServer;
let server: TestServer;
let owner: SignedIn & { readonly organisationId: string };
let roots = '';
let tenantId = '';
let locationId = '';
let sourceId = '';

interface NodeRow {
  readonly nodeId: string;
  readonly kind: string;
  readonly isContainer: boolean;
  readonly name: string;
}

type SendOptions = { method?: string; body?: unknown; headers?: Record<string, string>; token?: string };
const send = (to: string, options: SendOptions = {}) => server.send(`/apollo${to}`, { token: owner.tokens.main, ...options });

async function told<Answer = Record<string, unknown>>(answer: Response | Promise<Response>): Promise<Answer> {
  return (await (await answer).json()) as Answer;
}

async function connect(): Promise<void> {
  const [access] = simulator.tenants;
  if (!access) throw new Error('The simulator has no tenant.');
  const { clientId, clientSecret, tenantId: microsoftTenantId } = access;
  const body = { name: 'Contoso', displayName: 'Contoso Ltd', clientId, microsoftTenantId, clientSecret };
  ({ tenantId } = await told<{ tenantId: string }>(send('/api/Tenants', { body })));
  const location = { kind: 'filesystem', name: 'Vault', path: path.join(roots, 'vault') };
  ({ locationId } = await told<{ locationId: string }>(send(`/api/${tenantId}/locations`, { body: location })));
}

async function backUp(): Promise<void> {
  const source = { everyone: true, users: [], groups: [], sites: [], teams: [] };
  const schedule = { mode: 'daily', time: '22:00', timeZone: 'Europe/Berlin' };
  const body = { name: 'Mail', workload: 'exchange', type: 'backup', source, locationId, schedule };
  const { jobId } = await told<{ jobId: string }>(send(`/api/${tenantId}/jobs`, { body }));
  await send(`/api/${tenantId}/jobs/${jobId}/start`, { body: {} });
  await vi.waitFor(
    async () => {
      const rows = await testing.asSuperuser('select ended_at from runs');
      expect(rows[0]?.['ended_at'] ?? null).not.toBeNull();
    },
    { timeout: 120_000, interval: 250 },
  );
}

beforeAll(async () => {
  running = await startSimulatedServer(testing);
  ({ simulator, server, folder: roots } = running);
  owner = await server.owner();
  await connect();
  await backUp();
}, 240_000);
afterAll(() => running.close());

/** Every item of one kind in the sources of the location; the source of the last one found is kept. */
async function itemsOf(kind: string): Promise<NodeRow[]> {
  const rows = await testing.asSuperuser(
    `select source_id, item_key, kind, name, is_container from catalog_items where kind = '${kind}' order by source_id, item_key`,
  );
  sourceId = String(rows[0]?.['source_id']);
  return rows
    .filter((row) => row['source_id'] === sourceId)
    .map((row) => ({
      nodeId: String(row['item_key']),
      kind: String(row['kind']),
      name: String(row['name']),
      isContainer: row['is_container'] === true,
    }));
}

const open = (nodeId: string, more: { reason?: string; token?: string; sequence?: number } = {}) => {
  const { token = owner.tokens.main, ...rest } = more;
  return send(`/api/${tenantId}/content-tickets`, { token, body: { locationId, sourceId, nodeId, reason: 'A lost message', ...rest } });
};
const ticketFor = async (nodeId: string) => (await told<{ ticket: string }>(open(nodeId))).ticket;
const look = (ticket: string, token = owner.tokens.main) => send(`/api/${tenantId}/content-tickets/${ticket}`, { token });

test('a message is shown as text with its attachments, and comes byte for byte', async () => {
  const messages = await itemsOf('message');
  let attachments = 0;
  for (const { nodeId } of messages) {
    const ticket = await ticketFor(nodeId);
    const preview = await told<{ kind: string; frame: unknown; text: string | null; attachments: { index: number; sizeBytes: number }[] }>(
      look(ticket),
    );
    expect([preview.kind, preview.frame]).toEqual(['message', null]);
    expect(preview.text ?? '').not.toMatch(/<(?:p|div|html|script)\b/iu);
    const file = await send(`/api/${tenantId}/content-tickets/${ticket}/file`);
    expect([file.status, file.headers.get('content-type'), file.headers.get('content-security-policy')]).toEqual([
      200,
      'message/rfc822',
      'sandbox',
    ]);
    expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename=".*\.eml"/u);
    expect((await file.arrayBuffer()).byteLength).toBe(Number(file.headers.get('content-length')));
    for (const { index, sizeBytes } of preview.attachments) {
      const part = await send(`/api/${tenantId}/content-tickets/${ticket}/file?attachment=${index}`);
      expect((await part.arrayBuffer()).byteLength).toBe(sizeBytes);
      attachments += 1;
    }
    const none = await send(`/api/${tenantId}/content-tickets/${ticket}/file?attachment=${preview.attachments.length}`);
    expect([none.status, (await told(none))['code']]).toEqual([404, 'content.item-unknown']);
  }
  expect([messages.length > 0, attachments > 0]).toEqual([true, true]);
});

test('the original source of a message is its stored bytes, header lines first, until a page is full', async () => {
  for (const { nodeId } of await itemsOf('message')) {
    const ticket = await ticketFor(nodeId);
    const source = await told<{ text: string; isCut: boolean }>(send(`/api/${tenantId}/content-tickets/${ticket}/source`));
    const file = Buffer.from(await (await send(`/api/${tenantId}/content-tickets/${ticket}/file`)).arrayBuffer());
    expect(source.text).toBe(
      file
        .subarray(0, 256 * 1024)
        .toString('utf8')
        .replaceAll('\0', '\uFFFD'),
    );
    expect(source.isCut).toBe(file.byteLength > 256 * 1024);
    expect(source.text).toMatch(/^[\w-]+: /u);
  }
  expect((await send(`/api/${tenantId}/content-tickets/${'x'.repeat(43)}/source`)).status).toBe(404);
});

test('an event is shown by its facts, named in the language of the reader', async () => {
  const [event] = await itemsOf('event');
  if (!event) throw new Error('Nobody has an event.');
  const answer = await send(`/api/${tenantId}/content-tickets/${await ticketFor(event.nodeId)}`, { headers: { 'accept-language': 'de' } });
  const { properties } = await told<{ properties: { name: string; value: string }[] }>(answer);
  expect(properties.map(({ name }) => name)).toEqual(expect.arrayContaining(['Beginn', 'Ende']));
});

test('an opening is in the audit log with its reason, and only the hash of the ticket is kept', async () => {
  const [message] = await itemsOf('message');
  const ticket = await ticketFor(message?.nodeId ?? '');
  const [entry] = await testing.asSuperuser(
    "select payload from (select id, payload from audit_inbox where event = 'content.opened') opened order by id desc limit 1",
  );
  expect(entry?.['payload']).toMatchObject({ reason: 'A lost message', actor: owner.email, actorKind: 'account' });
  const kept = await testing.asSuperuser('select row_to_json(ticket)::text as text from content_tickets ticket');
  expect([kept.length > 0, JSON.stringify(kept).includes(ticket)]).toEqual([true, false]);
});

test('without a reason, an item or a right there is no ticket', async () => {
  const [message] = await itemsOf('message');
  const nodeId = message?.nodeId ?? '';
  expect((await open(nodeId, { reason: ' ' })).status).toBe(400);
  expect((await told(open('no such item')))['code']).toBe('content.item-unknown');
  expect((await told(open(nodeId, { sequence: 9_999 })))['code']).toBe('content.item-unknown');
  const reader = await server.member(owner.organisationId as Parameters<TestServer['member']>[0], 'reader');
  expect((await open(nodeId, { token: reader.tokens.main })).status).toBe(403);
});

test('a ticket opens nothing in another session, and nothing when its minute is over', async () => {
  const [message] = await itemsOf('message');
  const nodeId = message?.nodeId ?? '';
  const auditor = await server.member(owner.organisationId as Parameters<TestServer['member']>[0], 'auditor');
  const ticket = await ticketFor(nodeId);
  expect((await told(look(ticket, auditor.tokens.main)))['code']).toBe('content.ticket-expired');
  await testing.asSuperuser("update content_tickets set expires_at = now() - interval '1 second'");
  expect((await told(look(ticket)))['code']).toBe('content.ticket-expired');
  expect((await told(look('x'.repeat(43))))['code']).toBe('content.ticket-expired');
});

test('the first use gives five minutes, later ones none', async () => {
  const [message] = await itemsOf('message');
  const ticket = await ticketFor(message?.nodeId ?? '');
  const left = async () => {
    const [row] = await testing.asSuperuser(
      'select extract(epoch from max(expires_at) - now())::float as left, max(expires_at)::text as until from content_tickets where used_at is not null',
    );
    return row as { left: number; until: string };
  };
  await look(ticket);
  const first = await left();
  expect(first.left).toBeGreaterThan(60);
  await look(ticket);
  expect((await left()).until).toBe(first.until);
});
