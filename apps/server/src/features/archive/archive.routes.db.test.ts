import type { ArchivedMailbox, ArchiveFigures } from '@holdfast/contract/archive';
import type { Page } from '@holdfast/contract/paging';
import type { Scope } from '@holdfast/database';
import { testDatabase } from '@holdfast/database/testing/test-database';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSimulatedServer, type SimulatedServer } from '../../testing/simulated-server.ts';
import { aReceiver, aResource, testIds } from '../../testing/rows.ts';
import { connectSimulated, type SimulatedTenant } from '../../testing/simulated-tenant.ts';

/** The calls of the archive on both surfaces. */
const testing = testDatabase(import.meta.url);
let running: SimulatedServer;
let tenant: SimulatedTenant;
let tokens: { main: string; legacy: string };
let scope: Scope;
const pair = { ip: '192.0.2.10', indexIp: '192.0.2.11' };

const legacy = (to: string): Promise<Response> => running.server.send(`/api${to}`, { token: tokens.legacy, audience: 'legacy' });
async function read<Answer>(to: string): Promise<Answer> {
  const answer = await legacy(to);
  expect(answer.status, to).toBe(200);
  return (await answer.json()) as Answer;
}

beforeAll(async () => {
  running = await startSimulatedServer(testing);
  const { server, simulator, folder } = running;
  const owner = await server.owner();
  ({ tokens } = owner);
  scope = { organisationId: owner.organisationId, realm: 'production' };
  tenant = await connectSimulated({ server, owner, simulator, testing, vault: path.join(folder, 'vault') });
  const made = await server.send('/apollo/api/workers/join-tokens', { method: 'POST', token: tokens.main });
  const { token: joinToken } = (await made.json()) as { token: string };
  await server.send('/apollo/api/workers/join', { body: { joinToken, name: 'Here', version: '0.1.0', ...pair } });
}, 120_000);
afterAll(() => running.close());

test('an archive without a mailbox says so everywhere', async () => {
  const figures = await tenant.call<ArchiveFigures>(`${tenant.tenantId}/dashboard/archive`);
  expect(figures).toMatchObject({ mailboxes: 0, messages: 0, lastRun: null, top: [], receiverSilentSince: null, due: 0 });
  expect(figures.growth).toHaveLength(30);
  expect(await read(`/archive/statistics?ip=${pair.ip}`)).toEqual(figures);
  expect(await tenant.call<Page<ArchivedMailbox>>(`${tenant.tenantId}/archive/mailboxes`)).toEqual({
    items: [],
    nextCursor: null,
    total: 0,
  });
  expect(await read('/mailboxes/top?by=messages')).toEqual({ items: [] });
  expect((await legacy('/archive/mailbox-meta?mailbox=nobody@contoso.com')).status).toBe(404);
});

test('a worker and an index that do not belong together are not found', async () => {
  expect(await read(`/archive/mailboxes/${pair.ip}/${pair.indexIp}?unused=weeks8`)).toMatchObject({ total: 0 });
  expect((await legacy(`/archive/downloadCSV/${pair.ip}/${pair.indexIp}`)).status).toBe(200);
  for (const call of ['mailboxes', 'downloadCSV']) {
    for (const [ip, indexIp] of [
      [pair.ip, pair.ip],
      [pair.indexIp, pair.ip],
      [pair.ip, '192.0.2.99'],
    ])
      expect((await legacy(`/archive/${call}/${ip}/${indexIp}`)).status, `${ip} ${indexIp}`).toBe(404);
  }
});

const DAY_MS = 86_400_000;

/** An archive with this many messages of ten bytes, the newest of them so many days old. */
async function anArchive(
  name: string,
  address: string,
  { messages, days }: { readonly messages: number; readonly days: number },
): Promise<void> {
  const { tenantId, locationId } = tenant;
  const resourceId = await aResource(testing.database, { scope, tenantId, locationId }, { name, kind: 'archive', workload: 'archive' });
  const source_id = testIds.uuid();
  const head = { head_sequence: 1, head_hash: 'h', head_cursor: '', location_id: locationId, resource_id: resourceId };
  const newest_at = new Date(Date.now() - days * DAY_MS);
  await testing.database.within(scope, async (tx) => {
    await tx.updateTable('resources').set({ address }).where('resource_id', '=', resourceId).execute();
    await tx
      .insertInto('catalog_sources')
      .values({ source_id, ...head })
      .execute();
    await tx
      .insertInto('archive_mailboxes')
      .values({ source_id, messages, bytes: messages * 10, oldest_at: newest_at, newest_at, captured_at: new Date() })
      .execute();
  });
}

const emails = ({ items }: { readonly items: readonly ArchivedMailbox[] }): string[] => items.map(({ email }) => email);

test('the ten largest come in order, ties by address; the unused are those that received nothing for so long', async () => {
  for (let at = 0; at < 9; at += 1) await anArchive(`Person ${at}`, `p${at}@contoso.com`, { messages: 20 + at, days: 1 });
  await anArchive('Later', 'b@contoso.com', { messages: 15, days: 40 });
  await anArchive('Earlier', 'A@contoso.com', { messages: 15, days: 70 });
  await anArchive('=HYPERLINK("http://evil.example")', '@sum', { messages: 2, days: 200 });
  const top = await read<{ items: ArchivedMailbox[] }>('/mailboxes/top?by=messages');
  expect(emails(top)).toEqual([8, 7, 6, 5, 4, 3, 2, 1, 0].map((at) => `p${at}@contoso.com`).concat('A@contoso.com'));
  const unused = async (filter: string) =>
    emails(await tenant.call<Page<ArchivedMailbox>>(`${tenant.tenantId}/archive/mailboxes?unused=${filter}&sort=email`));
  expect(await unused('days30')).toEqual(['@sum', 'A@contoso.com', 'b@contoso.com']);
  expect(await unused('weeks8')).toEqual(['@sum', 'A@contoso.com']);
  expect(await unused('months6')).toEqual(['@sum']);
  const meta = await read<ArchivedMailbox>('/archive/mailbox-meta?mailbox=a@CONTOSO.com');
  expect(meta).toMatchObject({ email: 'A@contoso.com', messages: 15, size: 150 });
});

test('a spreadsheet takes no name in the list for a formula', async () => {
  const answer = await legacy(`/archive/downloadCSV/${pair.ip}/${pair.indexIp}`);
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  const lines = (await answer.text()).trim().split('\r\n');
  expect(lines).toHaveLength(13);
  expect(lines.filter((line) => /(?:^|,)"?[=+@-]/.test(line))).toEqual([]);
  expect(lines[1]).toMatch(/^"'=HYPERLINK\(""http:\/\/evil.example""\)",'@sum,20,/);
});

/** A deletion of the first messages of an archive, of one message that a hold keeps, and of one that no archive has. */
async function aDeletion(state: 'waiting' | 'approved', resource_id: string, messages: number): Promise<void> {
  const { tenantId, locationId } = tenant;
  const elsewhere = await aResource(testing.database, { scope, tenantId, locationId });
  const deletion_id = testIds.uuid();
  const at = new Date();
  const asked = {
    basis: 'expiry',
    reason: 'Over',
    query: '',
    not_archived: 0,
    requester_id: testIds.uuid(),
    requester: 'ann@x.example',
  } as const;
  const listed = { deletion_id, from_point: 1, size_bytes: 10, is_journaled: false, kept_by: '[]', state: 'listed' } as const;
  const archived = { ...listed, resource_id };
  const keys = Array.from({ length: messages }, (_, one) => `message ${one}`);
  const items = [
    // In two locations, and one message all the same.
    ...[locationId, testIds.uuid()].flatMap((location_id) => keys.map((item_key) => ({ ...archived, location_id, item_key }))),
    { ...archived, location_id: locationId, item_key: 'held', state: 'kept' as const },
    { ...listed, resource_id: elsewhere, location_id: locationId, item_key: 'in a backup' },
  ];
  await testing.database.within(scope, async (tx) => {
    await tx
      .insertInto('message_deletions')
      .values({ deletion_id, tenant_id: tenantId, state, ...asked, created_at: at, previewed_at: at })
      .execute();
    await tx.insertInto('message_deletion_items').values(items).execute();
  });
}

test('the figures say since when the journal receiver is silent, and how many messages are due for deletion', async () => {
  const { tenantId, locationId } = tenant;
  const figures = () => read<ArchiveFigures>(`/archive/statistics?ip=${pair.ip}`);
  const last = new Date('2026-11-20T09:30:00Z');
  const ground = { scope, tenantId, locationId };
  const archive = await aResource(testing.database, ground, { kind: 'archive', workload: 'archive' });
  await aReceiver(testing.database, ground, { last_received_at: last });
  expect(await figures()).toMatchObject({ receiverSilentSince: null, due: 0 });
  await testing.asSuperuser('update receivers set silent_since = now()');
  await aDeletion('waiting', archive, 6);
  await aDeletion('approved', archive, 3);
  await aDeletion('approved', archive, 4);
  expect(await figures()).toMatchObject({ receiverSilentSince: last.toISOString(), due: 4 });
  // Nobody expects mail of a receiver that is paused.
  await testing.asSuperuser('update receivers set is_enabled = false');
  expect(await figures()).toMatchObject({ receiverSilentSince: null });
});
