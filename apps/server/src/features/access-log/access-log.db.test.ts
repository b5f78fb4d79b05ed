import type { ContentAccessEntry } from '@holdfast/contract/access-log';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { systemClock } from '@holdfast/foundation/clock';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Role } from '@holdfast/contract/actions';
import { aGround, aResource, testIds, type Ground } from '../../testing/rows.ts';
import { testServer, type SignedIn, type TestServer } from '../../testing/test-server.ts';
import { createAuditInbox, type AuditEntry } from '../audit/index.ts';

/** A26: every access to content is in a log that the owner of the content can read. */
const testing = testDatabase(import.meta.url);
const { database } = testing;
const inbox = createAuditInbox({ clock: systemClock, ids: testIds });
let server: TestServer;
let ground: Ground;
let adele: string;
let ben: string;
const people = new Map<Role, SignedIn>();

const person = (role: Role): SignedIn => people.get(role) ?? expect.unreachable(`Nobody is ${role}.`);

async function happened(role: Role, entry: Omit<AuditEntry, 'actor'>): Promise<void> {
  const { accountId: id, email: name } = person(role);
  await database.within(ground.scope, (tx) => inbox.record(tx, { ...entry, actor: { kind: 'account', id, name, address: '192.0.2.7' } }));
}

async function logOf(role: Role, query = ''): Promise<readonly ContentAccessEntry[]> {
  const answer = await server.send(`/apollo/api/${ground.tenantId}/content-accesses${query}`, { token: person(role).tokens.main });
  expect(answer.status).toBe(200);
  const { items, total } = (await answer.json()) as { items: ContentAccessEntry[]; total: number };
  expect(total).toBe(items.length);
  return items;
}

const sorted = (rows: readonly (readonly (string | null | undefined)[])[]) =>
  rows.map((row) => row.join(' | ')).toSorted((one, other) => one.localeCompare(other));

const told = (entries: readonly ContentAccessEntry[]) =>
  sorted(
    entries.map(({ kind, reader, owners, ground: by }) => [kind, reader.split('@')[0], owners.map(({ name }) => name).join(' + '), by]),
  );

const OPENED_ADELE = ['opened', 'administrator', 'Adele Vance', 'role'];
const OPENED_BEN = ['opened', 'owner', 'Ben Walters', 'own'];
const TOOK_BOTH = ['downloaded', 'administrator', 'Adele Vance + Ben Walters', null];
const SEARCHED = ['searched', 'administrator', '', null];

beforeAll(async () => {
  server = await testServer(testing);
  ground = await aGround(database);
  adele = await aResource(database, ground, { name: 'Adele Vance' });
  ben = await aResource(database, ground, { name: 'Ben Walters' });
  await testing.asSuperuser("update resources set address = 'Reader@contoso.example' where resource_id = $1", [adele]);
  for (const role of ['owner', 'administrator', 'operator', 'auditor', 'reader'] as const)
    people.set(role, await server.member(ground.scope.organisationId, role, `${role}@contoso.example`));
  const item = { kind: 'item', id: 'key', name: 'Adele Vance' };
  await happened('administrator', {
    event: 'content.opened',
    subject: item,
    reason: 'Ticket 4711',
    details: { resourceId: adele, ground: 'role' },
  });
  await happened('owner', { event: 'content.opened', subject: item, reason: 'Mine', details: { resourceId: ben, ground: 'own' } });
  const tenant = { kind: 'tenant', id: ground.tenantId };
  await happened('administrator', {
    event: 'content.downloaded',
    subject: tenant,
    reason: 'Audit',
    details: { resourceIds: [adele, ben], hits: 7 },
  });
  await happened('administrator', { event: 'search.ran', subject: tenant, reason: 'Audit', details: { query: 'merger', hits: 2 } });
  await happened('administrator', {
    event: 'search.ran',
    subject: { kind: 'tenant', id: testIds.uuid() },
    details: { query: 'elsewhere', hits: 9 },
  });
  await happened('administrator', { event: 'content.opened', outcome: 'denied', subject: item, details: { resourceId: adele } });
}, 120_000);
afterAll(() => server.close());

test.each(['owner', 'auditor'] as const)(
  'as %s, everything that was done with content of this tenant is seen, and nothing that was refused',
  async (role) => {
    expect(told(await logOf(role))).toEqual(sorted([TOOK_BOTH, OPENED_ADELE, OPENED_BEN, SEARCHED]));
  },
);

test('whoever owns a mailbox sees who opened it, with the reason, and nothing about others', async () => {
  const entries = await logOf('reader');
  expect(told(entries)).toEqual(sorted([TOOK_BOTH, OPENED_ADELE]));
  expect(entries.find(({ kind }) => kind === 'opened')).toMatchObject({ reason: 'Ticket 4711', isOwn: false, address: '192.0.2.7' });
});

test('everybody else sees what they did themselves', async () => {
  expect(told(await logOf('administrator'))).toEqual(sorted([TOOK_BOTH, OPENED_ADELE, SEARCHED]));
  expect((await logOf('administrator')).every(({ isOwn }) => isOwn)).toBe(true);
  expect(await logOf('operator')).toEqual([]);
});

test('a mailbox that is gone from Microsoft 365 is nobody’s own any more', async () => {
  await testing.asSuperuser('update resources set deleted_at = now() where resource_id = $1', [adele]);
  expect(await logOf('reader')).toEqual([]);
  await testing.asSuperuser('update resources set deleted_at = null where resource_id = $1', [adele]);
});

test('the log is narrowed by what was done, by whose content, by words and by time, numbered or not', async () => {
  const kinds = async (query: string) => (await logOf('owner', query)).map(({ kind }) => kind).toSorted();
  expect(await kinds(`?resourceId=${ben}`)).toEqual(['downloaded', 'opened']);
  expect(await kinds('?kind=searched')).toEqual(['searched']);
  expect(await kinds('?search=4711')).toEqual(['opened']);
  expect(await kinds(`?to=${new Date(Date.now() - 86_400_000).toISOString()}`)).toEqual([]);
  await server.send(`/apollo/api/${ground.tenantId}/audit`, { token: person('owner').tokens.main });
  expect(await testing.asSuperuser('select 1 from audit_inbox')).toEqual([]);
  expect(await kinds('')).toEqual(['downloaded', 'opened', 'opened', 'searched']);
});
