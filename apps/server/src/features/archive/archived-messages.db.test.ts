import type { ContentAccessEntry } from '@holdfast/contract/access-log';
import type { ArchivedMailbox } from '@holdfast/contract/archive';
import type { ArchivedMessage, OpenedMessage } from '@holdfast/contract/archived-messages';
import type { KeptItem } from '@holdfast/contract/compliance-values';
import type { Page } from '@holdfast/contract/paging';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { sha256Hex } from '@holdfast/foundation/bytes';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSimulatedServer, type SimulatedServer } from '../../testing/simulated-server.ts';
import {
  act,
  connectSimulated,
  everyone,
  peopleOf,
  type SimulatedPerson,
  truthOf,
  type SimulatedTenant,
} from '../../testing/simulated-tenant.ts';
import type { SignedIn } from '../../testing/test-server.ts';

/** The messages of an archived mailbox, listed and opened over HTTP. */
const testing = testDatabase(import.meta.url);
let running: SimulatedServer;
let tenant: SimulatedTenant;
let owner: Awaited<ReturnType<SimulatedServer['server']['owner']>>;
let reader: SignedIn;
let person: SimulatedPerson;
let mailbox: ArchivedMailbox;
let otherId: string;

const MIME = [
  'Received: from mx.example by mail.example; Mon, 02 Nov 2026 10:00:01 +0000',
  'From: =?utf-8?q?J=C3=BCrgen?= <juergen@proseware.example>',
  'To: you@tiny.example',
  'Subject: The contract',
  'X-Twice: one',
  'X-Twice: two',
  'Content-Type: multipart/mixed; boundary=b',
  '',
  '--b',
  'Content-Type: text/plain',
  '',
  'Please sign.',
  '--b',
  'Content-Type: text/csv; name=prices.csv',
  'Content-Disposition: attachment; filename=prices.csv',
  '',
  'a;b',
  '--b--',
].join('\r\n');
const HASH = sha256Hex(Buffer.from(MIME));

interface Sending {
  readonly token?: string;
  readonly method?: 'PUT';
  readonly body?: object;
}

async function send(to: string, { token = owner.tokens.main, method, body }: Sending = {}): Promise<Response> {
  return running.server.send(`/apollo/api/${tenant.tenantId}/${to}`, {
    token,
    ...(method === undefined ? {} : { method }),
    ...(body === undefined ? {} : { body }),
  });
}

async function codeOf(answer: Response): Promise<string> {
  return `${answer.status} ${((await answer.json()) as { code?: string }).code}`;
}

const listAs = (token: string, body: object = {}, mailboxId = mailbox.mailboxId): Promise<Response> =>
  send(`archive/mailboxes/${mailboxId}/messages`, { token, body: { reason: 'Audit', ...body } });

async function list(body: object = {}): Promise<Page<ArchivedMessage>> {
  const answer = await listAs(owner.tokens.main, body);
  expect(answer.status).toBe(200);
  return (await answer.json()) as Page<ArchivedMessage>;
}

const place = () => ({ locationId: mailbox.locationId, sourceId: mailbox.sourceId, nodeId: HASH, reason: 'Audit' });

async function ticketFor(token = owner.tokens.main): Promise<string> {
  const answer = await send('content-tickets', { token, body: place() });
  expect(answer.status).toBe(201);
  return ((await answer.json()) as { ticket: string }).ticket;
}

/** Why the message is kept, as every list that leads to it tells. */
async function keptAs(token = owner.tokens.main): Promise<KeptItem> {
  return (await (await send(`content-tickets/${await ticketFor(token)}/kept`, { token })).json()) as KeptItem;
}

const rule = (value: 'open' | 'strict') => testing.asSuperuser(`update organisations set content_access = '${value}'`);

beforeAll(async () => {
  running = await startSimulatedServer(testing);
  const { server, simulator, folder } = running;
  owner = await server.owner();
  tenant = await connectSimulated({ server, owner, simulator, testing, vault: path.join(folder, 'vault') });
  const [one, other] = peopleOf(simulator);
  if (!one || !other) throw new Error('Two people with a mailbox are needed.');
  person = one;
  reader = await server.member(owner.organisationId, 'reader');
  act(simulator, 'mail.deliver', { user: person.id, folder: 'inbox', mime: Buffer.from(MIME).toString('base64') });
  act(simulator, 'mail.deliver', { user: person.id, folder: 'sentitems', mime: Buffer.from(MIME).toString('base64') });
  const source = { ...everyone, everyone: false, users: [person, other] };
  await tenant.finish(await tenant.job({ type: 'backup', name: 'Mail', source }));
  await tenant.finish(await tenant.job({ type: 'archive', name: 'Archive', source }));
  const { items } = await tenant.call<Page<ArchivedMailbox>>(`${tenant.tenantId}/archive/mailboxes`);
  mailbox = items.find(({ email }) => email === person.address) as ArchivedMailbox;
  otherId = items.find(({ email }) => email === other.address)?.mailboxId ?? '';
}, 240_000);
afterAll(() => running.close());

test('every message of the mailbox is listed once, newest first, by folder and by words of its subject', async () => {
  const records = (await truthOf(running.simulator, 'mail', person.id)).filter(({ kind }) => kind === 'message');
  const hashes = [...new Set(records.map(({ sha256 }) => sha256 ?? ''))].sort();
  const found: ArchivedMessage[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await list({ limit: 7, ...(cursor === undefined ? {} : { cursor }) });
    expect(page.total).toBe(hashes.length);
    found.push(...page.items);
    cursor = page.nextCursor;
  }
  expect(found.map(({ messageId }) => messageId).sort()).toEqual(hashes);
  const times = found.map(({ receivedAt }) => receivedAt ?? '');
  expect(times).toEqual(times.toSorted().toReversed());
  const { items: contracts } = await list({ subject: 'the CONTRACT' });
  expect(contracts).toMatchObject([{ messageId: HASH, subject: 'The contract', hasAttachments: true, sizeBytes: MIME.length }]);
  expect(contracts[0]?.folders).toHaveLength(2);
  for (const folder of contracts[0]?.folders ?? [])
    expect((await list({ folder })).items.map(({ messageId }) => messageId)).toContain(HASH);
  expect(await list({ folder: 'Nowhere' })).toMatchObject({ items: [], total: 0 });
  // The sequencer may have taken them out of the inbox.
  const logged = await testing.asSuperuser(`
    select payload::text as payload from audit_inbox where event = 'archive.listed'
    union all select payload from audit_events where event = 'archive.listed'`);
  expect(logged.length).toBeGreaterThan(0);
  expect(logged.every(({ payload }) => String(payload).includes('"Audit"'))).toBe(true);
});

test('an opened message has its header, its parts, its places and its holds, and its bytes are those of its name', async () => {
  const ticket = await ticketFor();
  const opened = (await (await send(`archive/messages/${HASH}?ticket=${ticket}`)).json()) as OpenedMessage;
  expect(opened).toMatchObject({
    messageId: HASH,
    mailbox: { mailboxId: mailbox.mailboxId, email: person.address },
    isVerified: true,
    isReconstructed: false,
    sizeBytes: MIME.length,
    keptUntil: null,
    policies: [],
    deletedBy: [],
    holds: [],
    content: { title: 'The contract', from: 'Jürgen <juergen@proseware.example>', text: 'Please sign.' },
  });
  expect(opened.headers.map(({ name }) => name)).toEqual(['Received', 'From', 'To', 'Subject', 'X-Twice', 'X-Twice', 'Content-Type']);
  expect(opened.headers[1]?.value).toContain('Jürgen');
  expect(opened.placements).toHaveLength(2);
  expect(new Set(opened.placements.map(({ providerId }) => providerId)).size).toBe(2);
  expect(opened.archivedAt).toBe(opened.placements[0]?.capturedAt);
  const seen = async (itemId: string): Promise<unknown[]> =>
    (await tenant.call<{ items: unknown[] }>(`${tenant.tenantId}/content-accesses?itemId=${itemId}`)).items;
  expect(await seen(HASH)).toMatchObject([{ kind: 'opened', reader: owner.email, reason: 'Audit', isOwn: true }]);
  expect(await seen('b'.repeat(64))).toEqual([]);
  const raw = await send(`archive/messages/${HASH}/raw?ticket=${ticket}`);
  expect(sha256Hex(Buffer.from(await raw.arrayBuffer()))).toBe(HASH);
  const [part] = opened.content.attachments;
  expect(part?.name).toBe('prices.csv');
  expect(await (await send(`archive/messages/${HASH}/parts/${part?.index}?ticket=${ticket}`)).text()).toBe('a;b');
  expect((await send(`archive/messages/${HASH}/parts/9?ticket=${ticket}`)).status).toBe(404);
});

test('a ticket opens the message that it was given for, and no other', async () => {
  const ticket = await ticketFor();
  const other = 'a'.repeat(64);
  for (const way of ['', '/raw', '/parts/0'])
    expect(await codeOf(await send(`archive/messages/${other}${way}?ticket=${ticket}`))).toBe('404 content.item-unknown');
  expect(await codeOf(await send(`archive/messages/${HASH}?ticket=${'x'.repeat(43)}`))).toContain('content.ticket-expired');
});

test('a hold on an archive is shown with the message, and its reason to those alone who may place holds', async () => {
  await tenant.call(`${tenant.tenantId}/holds`, { name: 'Lawsuit', reason: 'Court order', resourceId: mailbox.mailboxId });
  const opened = async (token: string) => {
    const ticket = await ticketFor(token);
    return (await (await send(`archive/messages/${HASH}?ticket=${ticket}`, { token })).json()) as OpenedMessage;
  };
  expect((await opened(owner.tokens.main)).holds).toEqual([{ name: 'Lawsuit', reason: 'Court order', from: null, to: null }]);
  await testing.asSuperuser('update accounts set email = $1, email_confirmed = true where id = $2', [person.address, reader.accountId]);
  expect((await opened(reader.tokens.main)).holds).toEqual([{ name: 'Lawsuit', reason: null, from: null, to: null }]);
  expect((await keptAs()).holds).toEqual([{ name: 'Lawsuit', reason: 'Court order' }]);
  expect((await keptAs(reader.tokens.main)).holds).toEqual([{ name: 'Lawsuit', reason: null }]);
});

test('somebody reads their own archive and nobody else does where access is strict, and a leaver has none', async () => {
  await rule('strict');
  expect(await codeOf(await listAs(owner.tokens.main))).toBe('403 content.read-right-needed');
  expect(await codeOf(await send('content-tickets', { body: place() }))).toBe('403 content.read-right-needed');
  const own = (await (await listAs(reader.tokens.main)).json()) as Page<ArchivedMessage>;
  expect(own.items.length).toBeGreaterThan(0);
  expect(await (await listAs(reader.tokens.main, {}, otherId)).json()).toMatchObject({ items: [], total: 0 });
  const ticket = await ticketFor(reader.tokens.main);
  expect((await send(`archive/messages/${HASH}?ticket=${ticket}`, { token: reader.tokens.main })).status).toBe(200);
  // The address of somebody who has left may be somebody else's by now.
  await testing.asSuperuser(`update resources set deleted_at = now() where kind = 'mailbox' and graph_id = $1`, [person.id]);
  expect(await codeOf(await listAs(reader.tokens.main))).toBe('403 content.read-right-needed');
  expect(await codeOf(await send(`archive/messages/${HASH}?ticket=${ticket}`, { token: reader.tokens.main }))).toContain('right-needed');
  await rule('open');
});

test('A27: the owner of a mailbox marks a message as private, by a ticket of their own, and nobody else does', async () => {
  await testing.asSuperuser("update resources set deleted_at = null where kind = 'mailbox'");
  const mark = async (token: string, isPrivate: boolean) =>
    send(`archive/messages/${HASH}/private`, { method: 'PUT', token, body: { ticket: await ticketFor(token), isPrivate } });
  expect(await codeOf(await mark(owner.tokens.main, true))).toBe('403 archive.not-your-mailbox');
  expect(await (await mark(reader.tokens.main, true)).json()).toEqual({ isPrivate: true });
  const opened = async (token: string) =>
    (await (await send(`archive/messages/${HASH}?ticket=${await ticketFor(token)}`, { token })).json()) as OpenedMessage;
  expect(await opened(reader.tokens.main)).toMatchObject({ isPrivate: true, isOwn: true });
  // Neither opened nor listed, in the archive and in the backup of the mailbox.
  expect(await codeOf(await send('content-tickets', { body: place() }))).toBe('403 content.private');
  const listed = async (token: string) =>
    ((await (await listAs(token, { subject: 'contract' })).json()) as Page<ArchivedMessage>).items.map(({ messageId }) => messageId);
  expect([await listed(owner.tokens.main), await listed(reader.tokens.main)]).toEqual([[], [HASH]]);
  const backups = await testing.asSuperuser(
    `select source_id, location_id, item_key, (select max(sequence) from catalog_points where catalog_points.source_id = catalog_items.source_id)::int as sequence
     from catalog_items join catalog_sources using (organisation_id, realm, source_id) join resources using (organisation_id, realm, resource_id)
     where resources.kind = 'mailbox' and detail #>> '{contents,0,ref,sha256}' = $1`,
    [HASH],
  );
  expect(backups.length).toBeGreaterThan(0);
  for (const { source_id: sourceId, location_id: locationId, item_key: nodeId, sequence } of backups)
    expect(await codeOf(await send('content-tickets', { body: { ...place(), sourceId, locationId, nodeId, sequence } }))).toBe(
      '403 content.private',
    );
  expect(await (await mark(reader.tokens.main, false)).json()).toEqual({ isPrivate: false });
  expect(await opened(owner.tokens.main)).toMatchObject({ isPrivate: false, isOwn: false });
  const logged =
    await testing.asSuperuser(`select event from (select event, at from audit_inbox union all select event, at from audit_events) recorded
    where event like 'archive.%private%' order by at`);
  expect(logged.map(({ event }) => event)).toEqual(['archive.marked-private', 'archive.private-ended']);
});

test('a message of an archive, and one of a backup, tell why they are kept wherever they are read, and to nobody without a right', async () => {
  await testing.asSuperuser('update holds set released_at = now()');
  const backups = `select resource.resource_id, source.source_id, item.item_key from resources resource
    join catalog_sources source using (organisation_id, realm, resource_id) join catalog_items item using (organisation_id, realm, source_id)
    where resource.graph_id = $1 and resource.kind = 'mailbox' and item.kind = 'message' order by item.item_key limit 1`;
  const [row] = await testing.asSuperuser(backups, [person.id]);
  const [sourceId, nodeId] = [String(row?.['source_id']), String(row?.['item_key'])];
  const backed = async (): Promise<KeptItem> => {
    const body = { locationId: mailbox.locationId, sourceId, nodeId, reason: 'Audit' };
    const { ticket } = (await (await send('content-tickets', { body })).json()) as { ticket: string };
    return (await (await send(`content-tickets/${ticket}/kept`)).json()) as KeptItem;
  };
  const none = { holds: [], policies: [], deletedBy: [], rules: [], points: 1 };
  expect(await backed()).toMatchObject(none);
  expect(await keptAs()).toMatchObject(none);
  // A hold on a mailbox is on its archive.
  await tenant.call(`${tenant.tenantId}/holds`, { name: 'Of the mailbox', reason: 'Court', resourceId: String(row?.['resource_id']) });
  const held = [{ name: 'Of the mailbox', reason: 'Court' }];
  expect([(await backed()).holds, (await keptAs()).holds]).toEqual([held, held]);
  await testing.asSuperuser('update holds set released_at = now()');
  const ticket = await ticketFor();
  await rule('strict');
  expect(await codeOf(await send(`content-tickets/${ticket}/kept`))).toBe('403 content.read-right-needed');
  await rule('open');
  expect(await codeOf(await send(`content-tickets/${'x'.repeat(43)}/kept`))).toBe('404 content.ticket-expired');
});

test('an opened message names the policies that keep it and until when, the longest first', async () => {
  const policy = (name: string, amount: number) =>
    testing.asSuperuser(
      `insert into retention_policies (organisation_id, realm, policy_id, tenant_id, name, anchor, amount, unit, starts, fiscal_year_end,
         is_everything, created_by, creator, created_at, activated_at)
       select organisation_id, realm, gen_random_uuid(), tenant_id, $1, 'received', $2, 'years', 'calendarYear', 12, true, gen_random_uuid(),
         'ann', now(), now() from tenants where tenant_id = $3`,
      [name, amount, tenant.tenantId],
    );
  await policy('Letters', 6);
  await policy('Books', 10);
  const opened = (await (await send(`archive/messages/${HASH}?ticket=${await ticketFor()}`)).json()) as OpenedMessage;
  const receivedIn = new Date(opened.archivedAt ?? '').getUTCFullYear();
  expect(opened.policies).toEqual([
    { name: 'Books', until: `${receivedIn + 11}-01-01T00:00:00.000Z` },
    { name: 'Letters', until: `${receivedIn + 7}-01-01T00:00:00.000Z` },
  ]);
  expect(opened.keptUntil).toBe(opened.policies[0]?.until);
  expect((await keptAs()).policies).toEqual(opened.policies);
  await testing.asSuperuser('update retention_policies set ended_at = now()');
  const after = (await (await send(`archive/messages/${HASH}?ticket=${await ticketFor()}`)).json()) as OpenedMessage;
  expect(after).toMatchObject({ keptUntil: null, policies: [], deletedBy: [] });
});

test('an opened message names the policies that delete it and from when on, the first first, but none that was stopped', async () => {
  const policy = (name: string, months: number, anchor = 'received', stopped: string | null = null) =>
    testing.asSuperuser(
      `insert into retention_policies (organisation_id, realm, policy_id, tenant_id, name, anchor, event_kind, maximum_amount, maximum_unit, starts,
         fiscal_year_end, is_everything, created_by, creator, created_at, activated_at, stopped_at)
       select organisation_id, realm, gen_random_uuid(), tenant_id, $1, $3, case $3 when 'event' then 'contractEnded' end, $2, 'months',
         'calendarYear', 12, true, gen_random_uuid(), 'ann', now(), now(), $4::timestamptz from tenants where tenant_id = $5`,
      [name, months, anchor, stopped, tenant.tenantId],
    );
  await policy('Waits', 12, 'event');
  await policy('Late', 24);
  await policy('Early', 12);
  await policy('Stopped', 12, 'received', new Date().toISOString());
  const opened = (await (await send(`archive/messages/${HASH}?ticket=${await ticketFor()}`)).json()) as OpenedMessage;
  const receivedIn = new Date(opened.archivedAt ?? '').getUTCFullYear();
  expect(opened).toMatchObject({
    policies: [],
    deletedBy: [
      { name: 'Early', from: `${receivedIn + 2}-01-01T00:00:00.000Z` },
      { name: 'Late', from: `${receivedIn + 3}-01-01T00:00:00.000Z` },
      { name: 'Waits', from: null },
    ],
  });
  expect(await keptAs()).toMatchObject({ policies: [], deletedBy: opened.deletedBy, rules: [] });
  await testing.asSuperuser('update retention_policies set ended_at = now()');
});

test('A26, A27: an auditor takes attachments of a mail on their list, each with an entry in the log, and never the mail itself', async () => {
  const auditor = await running.server.member(owner.organisationId, 'auditor');
  const accessId = '01900000-0000-7000-8000-0000000000a1';
  await testing.asSuperuser(
    `insert into auditor_accesses (organisation_id, realm, access_id, tenant_id, account_id, auditor, purpose, source_kind, source_id, source_name,
       query, items, access_from, access_to, granter, granted_at)
     select organisation_id, realm, $1, tenant_id, $2, 'auditor', 'Tax audit', 'search', gen_random_uuid(), 'Contracts', '', 1,
       now() - interval '1 hour', now() + interval '1 hour', 'owner', now() from tenants where tenant_id = $3`,
    [accessId, auditor.accountId, tenant.tenantId],
  );
  await testing.asSuperuser(
    `insert into auditor_access_items (organisation_id, realm, access_id, source_id, item_key, from_point)
     select organisation_id, realm, $1, source_id, item_key, from_point from catalog_items where source_id = $2 and item_key = $3`,
    [accessId, mailbox.sourceId, HASH],
  );
  const { token } = { token: auditor.tokens.main };
  const ticket = await ticketFor(token);
  const taken = (): Promise<Response> => send(`content-tickets/${ticket}/file?attachment=0`, { token });
  const answer = await taken();
  expect([answer.status, answer.headers.get('content-disposition'), (await answer.text()).trimEnd()]).toEqual([
    200,
    expect.stringContaining('prices.csv'),
    'a;b',
  ]);
  expect(await codeOf(await send(`content-tickets/${ticket}/file`, { token }))).toBe('403 content.export-right-needed');
  expect(await codeOf(await send(`content-tickets/${ticket}/file?attachment=7`, { token }))).toBe('404 content.item-unknown');
  const log = (await (await send(`archive/auditor-accesses/${accessId}/log`)).json()) as Page<ContentAccessEntry>;
  expect(log.items.map(({ kind, ground, groundName, reason }) => [kind, ground, groundName, reason])).toEqual([
    ['downloaded', 'auditor', 'Tax audit', null],
    ['downloaded', 'auditor', 'Tax audit', null],
    ['opened', 'auditor', 'Tax audit', 'Audit'],
  ]);
  const { items } = (await (await listAs(owner.tokens.main, { limit: 50 })).json()) as Page<ArchivedMessage>;
  const other = items.find(({ messageId }) => messageId !== HASH)?.messageId ?? '';
  expect(await codeOf(await send('content-tickets', { token, body: { ...place(), nodeId: other } }))).toBe('403 content.read-right-needed');
  await testing.asSuperuser('revoke insert on audit_inbox from holdfast_application');
  const unlogged = await taken();
  await testing.asSuperuser('grant insert on audit_inbox to holdfast_application');
  expect(unlogged.status).toBe(500);
  await testing.asSuperuser("update auditor_accesses set ender = 'owner', ended_at = now()");
  expect(await codeOf(await taken())).toBe('403 content.export-right-needed');
});
