import type { ContentAccessEntry } from '@holdfast/contract/access-log';
import { roles, type Role } from '@holdfast/contract/actions';
import type { AuditorAccess } from '@holdfast/contract/auditor-access';
import type { Page } from '@holdfast/contract/paging';
import type { SavedSearch } from '@holdfast/contract/saved-searches';
import type { SearchHit } from '@holdfast/contract/search';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { systemClock } from '@holdfast/foundation/clock';
import { isAppError } from '@holdfast/foundation/errors';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createContentAccess, type ContentAction } from '../content-access/index.ts';
import { inDays, startContentGround, type ContentGround } from '../content-access/testing/content-ground.ts';
import { createCaseGround } from '../cases/index.ts';
import { createAuditorGround } from './index.ts';

/** A27: the auditor's door, over HTTP and by the one function that everything asks. Access is strict unless a test says otherwise. */
const testing = testDatabase(import.meta.url);
const { database } = testing;
const access = createContentAccess({
  clock: systemClock,
  cases: createCaseGround({ clock: systemClock }),
  auditors: createAuditorGround({ clock: systemClock }),
});
let on: ContentGround;
let searchId = '';

interface Answer<Body> {
  readonly status: number;
  readonly body: Body & { readonly code?: string; readonly errors?: Record<string, string[]> };
}

async function ask<Body = object>(to: string, given: { body?: object; role?: Role; method?: string } = {}): Promise<Answer<Body>> {
  const { role = 'owner', ...rest } = given;
  const answer = await on.server.send(`/apollo/api/${on.ground.tenantId}/${to}`, { token: on.personOf(role).tokens.main, ...rest });
  const text = await answer.text();
  return { status: answer.status, body: (text.startsWith('{') ? JSON.parse(text) : { text }) as Answer<Body>['body'] };
}

beforeAll(async () => {
  on = await startContentGround(testing);
  const { body } = await ask<SavedSearch>('archive/searches', { body: { name: 'Offers', query: 'subject:offer', hasAlert: false } });
  ({ searchId } = body);
}, 120_000);
afterAll(() => on.server.close());
beforeEach(async () => {
  await on.reset();
  await testing.asSuperuser('delete from auditor_accesses');
});

const bodyOf = (changes: object = {}): object => ({
  userId: on.personOf('auditor').accountId,
  source: { kind: 'search', searchId },
  accessFrom: inDays(-1).toISOString(),
  accessTo: inDays(30).toISOString(),
  purpose: 'Tax audit 2024',
  ...changes,
});
const grant = (changes: object = {}, role: Role = 'owner'): Promise<Answer<AuditorAccess>> =>
  ask<AuditorAccess>('archive/auditor-accesses', { body: bodyOf(changes), role });
const look = (accessId: string, query = '', role: Role = 'auditor'): Promise<Answer<Page<SearchHit>>> =>
  ask<Page<SearchHit>>(`archive/auditor-accesses/${accessId}/items`, { body: { query, reason: 'Ticket 4711' }, role });
const list = (accessId: string, role: Role = 'auditor'): Promise<Answer<{ text: string }>> =>
  ask<{ text: string }>(`archive/auditor-accesses/${accessId}/csv?reason=Ticket`, { role });
const titles = ({ body }: Answer<Page<SearchHit>>): string[] => body.items.map(({ title }) => title).toSorted((a, b) => a.localeCompare(b));
const ALL = ['A foreign offer', 'An offer', 'Another offer'];

/** What it comes to for an auditor: the ground, or the code of the refusal. */
async function opened(action: ContentAction, item = 'm1', sequence?: number): Promise<string> {
  const asking = { actor: on.actorOf('auditor'), scope: on.ground.scope, tenantId: on.ground.tenantId };
  const wanted = { action, resourceId: on.mailbox.resourceId, items: [item], ...(sequence === undefined ? {} : { sequence }) };
  try {
    return (await database.within(on.ground.scope, (tx) => access.require(tx, asking, wanted))).by;
  } catch (error) {
    return isAppError(error) ? error.code : String(error);
  }
}

async function openedOf({ locationId, sourceId, nodeId, sequence }: SearchHit, role: Role = 'auditor') {
  return ask<{ ticket: string }>('content-tickets', { body: { locationId, sourceId, nodeId, sequence, reason: 'Ticket 4711' }, role });
}

test('A27: an auditor searches, opens and prints what was frozen, takes the list as csv, and can take no content away', async () => {
  const { status, body: granted } = await grant();
  expect([status, granted.items, granted.source, granted.state]).toEqual([201, 3, { kind: 'search', name: 'Offers' }, 'active']);
  const all = await look(granted.accessId);
  expect([titles(all), all.body.total]).toEqual([ALL, 3]);
  expect(titles(await look(granted.accessId, 'foreign'))).toEqual(['A foreign offer']);
  expect((await look(granted.accessId, '(foreign')).body.code).toBe('search.invalid');
  const [hit] = all.body.items;
  const ticket = await openedOf(hit as SearchHit);
  expect(ticket.status).toBe(201);
  const taken = await ask(`content-tickets/${ticket.body.ticket}/file`, { role: 'auditor' });
  expect([taken.status, taken.body.code]).toEqual([403, 'content.export-right-needed']);
  const actions: readonly ContentAction[] = ['read', 'print', 'export', 'restore'];
  expect(await Promise.all(actions.map((action) => opened(action, 'm1', 1)))).toEqual([
    'auditor',
    'auditor',
    'content.export-right-needed',
    'content.restore-right-needed',
  ]);
  const csv = await list(granted.accessId);
  expect(csv.status).toBe(200);
  expect(csv.body.text.trimEnd().split('\r\n')).toHaveLength(4);
  expect(csv.body.text).toContain('A foreign offer');
});

test('A27: the door opens nothing beside it: no search, no count, no selection, no export', async () => {
  await grant();
  expect(await on.searched('auditor')).toEqual([403, 'content.read-right-needed', 'content.read-right-needed']);
  const selected = await ask('archive/search/selections', { body: { query: 'offer', reason: 'Test' }, role: 'auditor' });
  expect([selected.status, selected.body.code]).toEqual([403, 'content.read-right-needed']);
});

test('A27: what comes after the list was frozen is not in it, and neither is a later version of what is', async () => {
  const { accessId } = (await grant()).body;
  await on.mailbox.receive({ m1: 'A changed offer', m9: 'A late offer' });
  try {
    expect(titles(await look(accessId))).toEqual(ALL);
    expect(await opened('read', 'm9', 2)).toBe('content.read-right-needed');
    expect(await opened('read', 'm1', 2)).toBe('content.read-right-needed');
    expect(await opened('read', 'm1')).toBe('content.read-right-needed');
    expect(await opened('read', 'm1', 1)).toBe('auditor');
  } finally {
    // As it was, for the tests that follow.
    await testing.asSuperuser("delete from catalog_items where from_point = 2 and item_key in ('m1', 'm9')");
    await testing.asSuperuser("delete from search_items where from_point = 2 and item_key in ('m1', 'm9')");
    await testing.asSuperuser('update catalog_items set to_point = 9223372036854775807 where to_point = 2');
  }
});

test.each<readonly [string, string]>([
  ['has not begun', "update auditor_accesses set access_from = now() + interval '1 hour'"],
  ['is over', 'update auditor_accesses set access_to = now()'],
  ['was ended', "update auditor_accesses set ender = 'x', ended_at = now()"],
  ['is somebody else’s', 'update auditor_accesses set account_id = gen_random_uuid()'],
])('A27: an access that %s opens nothing, and what was opened closes at once', async (_what, change) => {
  const { accessId } = (await grant()).body;
  const hit = (await look(accessId)).body.items[0] as SearchHit;
  const { ticket } = (await openedOf(hit)).body;
  await testing.asSuperuser(change);
  expect((await look(accessId)).body.code).toBe('content.audit-right-needed');
  expect((await list(accessId)).body.code).toBe('content.audit-right-needed');
  expect((await openedOf(hit)).body.code).toBe('content.read-right-needed');
  expect((await ask(`content-tickets/${ticket}`, { role: 'auditor' })).body.code).toBe('content.read-right-needed');
  expect((await ask<{ items: unknown[] }>('archive/auditor-accesses/mine', { role: 'auditor' })).body.items).toEqual([]);
});

test('A27: whoever ends an access ends it at once and once, and its record stays', async () => {
  const { accessId } = (await grant()).body;
  const end = (): Promise<Answer<object>> => ask(`archive/auditor-accesses/${accessId}`, { method: 'DELETE', role: 'administrator' });
  expect((await end()).status).toBe(204);
  expect((await look(accessId)).body.code).toBe('content.audit-right-needed');
  expect((await end()).body.code).toBe('auditor-access.over');
  const { items } = (await ask<Page<AuditorAccess>>('archive/auditor-accesses?state=ended')).body;
  expect(items).toMatchObject([{ accessId, state: 'ended', ender: on.personOf('administrator').email }]);
});

test.each(roles)('A27: nobody but the auditor it was granted to reads the list, not as %s either', async (role) => {
  await on.setAccess('open');
  const { accessId } = (await grant()).body;
  expect((await look(accessId, '', role)).status).toBe(role === 'auditor' ? 200 : 403);
  expect((await ask('archive/auditor-accesses/mine', { role })).status).toBe(role === 'auditor' ? 200 : 403);
  const mayGrant = role === 'owner' || role === 'administrator';
  expect((await grant({}, role)).status).toBe(mayGrant ? 201 : 403);
  const log = await ask(`archive/auditor-accesses/${accessId}/log`, { role });
  expect(log.status).toBe(mayGrant || role === 'auditor' ? 200 : 404);
});

test('A27: what belongs to whoever is exempt or is private is never in the list, nor stays in it', async () => {
  const [source] = await testing.asSuperuser('select graph_id from resources where resource_id = $1', [on.other.resourceId]);
  const exempt = (): Promise<unknown> =>
    testing.asSuperuser(
      `insert into proxy_exemptions (organisation_id, realm, exemption_id, tenant_id, party_kind, party_id, party_name, party_address, reason, adder, added_at)
      select organisation_id, realm, gen_random_uuid(), tenant_id, 'account', $1, '', '', 'Works council', '', now() from resources where resource_id = $2`,
      [source?.['graph_id'], on.other.resourceId],
    );
  const before = (await grant()).body;
  await exempt();
  const after = (await grant()).body;
  expect([before.items, after.items]).toEqual([3, 2]);
  for (const { accessId } of [before, after]) expect(titles(await look(accessId))).toEqual(['An offer', 'Another offer']);
  await testing.asSuperuser('delete from proxy_exemptions');
  expect(titles(await look(after.accessId))).toEqual(['An offer', 'Another offer']);
  expect(titles(await look(before.accessId))).toEqual(ALL);
});

test('A26: its own log says who looked for what and opened what, for what reason, and no answer goes without it', async () => {
  const { accessId } = (await grant()).body;
  const other = (await grant({ purpose: 'Another audit', accessTo: inDays(2).toISOString() })).body;
  await look(other.accessId, 'foreign');
  const hit = (await look(accessId, 'another')).body.items[0] as SearchHit;
  await openedOf(hit);
  await list(accessId);
  const { items } = (await ask<Page<ContentAccessEntry>>(`archive/auditor-accesses/${accessId}/log`)).body;
  expect(items.map(({ kind, ground, groundName, reason, query }) => [kind, ground, groundName, reason, query])).toEqual([
    ['downloaded', 'auditor', 'Tax audit 2024', 'Ticket', ''],
    ['opened', 'auditor', 'Tax audit 2024', 'Ticket 4711', null],
    ['searched', 'auditor', 'Tax audit 2024', 'Ticket 4711', 'another'],
  ]);
  expect(items[1]?.owners).toMatchObject([{ name: 'Adele Vance' }]);
  await testing.asSuperuser('revoke insert on audit_inbox from holdfast_application');
  try {
    expect([(await look(accessId)).status, (await list(accessId)).status]).toEqual([500, 500]);
  } finally {
    await testing.asSuperuser('grant insert on audit_inbox to holdfast_application');
  }
});

test('a case opens to an auditor what its queries find of its custodians, and a bad grant changes nothing', async () => {
  const caseId = await on.aCase('subject:another', [{ role: 'owner', addedBy: 'administrator' }]);
  const { body } = await grant({ source: { kind: 'case', caseId } });
  expect([body.source, body.items]).toEqual([{ kind: 'case', name: 'Falcon' }, 1]);
  expect(titles(await look(body.accessId))).toEqual(['Another offer']);
  const refused = async (changes: object): Promise<unknown[]> => {
    const { status, body: answer } = await grant(changes);
    return [status, answer.code, Object.keys(answer.errors ?? {})];
  };
  expect(await refused({ userId: on.personOf('reader').accountId })).toEqual([400, 'auditor-access.auditor-unknown', ['userId']]);
  expect(await refused({ accessTo: inDays(-0.5).toISOString() })).toEqual([400, 'auditor-access.access-over', ['accessTo']]);
  expect(await refused({ accessTo: inDays(400).toISOString() })).toMatchObject([400, expect.any(String), ['accessTo']]);
  const nothing = await on.aCase('subject:nothing', [{ role: 'owner', addedBy: 'administrator' }]);
  expect(await refused({ source: { kind: 'case', caseId: nothing } })).toEqual([400, 'auditor-access.nothing-found', ['source']]);
  const [row] = await testing.asSuperuser('select count(*)::int as accesses from auditor_accesses');
  expect(row).toEqual({ accesses: 1 });
});
