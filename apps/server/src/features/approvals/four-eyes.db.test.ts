import type { Role } from '@holdfast/contract/actions';
import type { Approval } from '@holdfast/contract/approvals';
import type { approvals as contract } from '@holdfast/contract/approvals';
import type { Location } from '@holdfast/contract/locations';
import type { ResponseOf } from '@holdfast/contract/route';
import type { OrganisationId } from '@holdfast/database';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aResource, aTenantRow, testIds } from '../../testing/rows.ts';
import { testPassword, testServer, type SignedIn, type TestServer } from '../../testing/test-server.ts';

/** Four eyes are two people: what one owner can do with accounts that they let in themselves, over HTTP. */
const testing = testDatabase(import.meta.url);
let server: TestServer;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'holdfast-four-eyes-'));
  server = await testServer(testing, { settings: { HOLDFAST_LOCATION_ROOTS: folder } });
}, 120_000);
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

type Who = Pick<SignedIn, 'email' | 'accountId'> & { readonly token: string };
type Answer<T> = { readonly status: number; readonly body: T & { readonly code?: string } };

async function call<T>(who: Who | undefined, to: string, options: { method?: string; body?: unknown } = {}): Promise<Answer<T>> {
  const answer = await server.send(to, { ...options, ...(who ? { token: who.token } : {}) });
  const text = await answer.text();
  return { status: answer.status, body: (text === '' ? {} : JSON.parse(text)) as Answer<T>['body'] };
}

const settled = ({ email, accountId, tokens }: SignedIn): Who => ({ email, accountId, token: tokens.main });

/** A person without any organisation. */
async function somebody(): Promise<Who> {
  const email = `${testIds.uuid().replaceAll('-', '')}@example.com`;
  await server.send('/apollo/register', { body: { email, password: testPassword } });
  const body = { email, password: testPassword, audiences: ['main'] };
  const answer = await server.send('/api/auth/signin', { body });
  const { user, sessions } = (await answer.json()) as { user: { id: string }; sessions: { main: { token: string } } };
  return { email, accountId: user.id, token: sessions.main.token };
}

/** An organisation with one owner who can approve, a tenant and a location. */
async function aPlace() {
  const { organisationId, ...signedIn } = await server.owner();
  const owner = settled(signedIn);
  const tenantId = testIds.uuid();
  const scope = { organisationId, realm: 'production' } as const;
  await testing.database.within(scope, (tx) =>
    tx
      .insertInto('tenants')
      .values(aTenantRow({ tenant_id: tenantId, name: tenantId }))
      .execute(),
  );
  const api = `/apollo/api/${tenantId}`;
  const body = { kind: 'filesystem', name: 'Store', path: path.join(folder, tenantId), retainDays: 30 };
  const { locationId } = (await call<Location>(owner, `${api}/locations`, { body })).body;
  const resourceId = await aResource(testing.database, { scope, tenantId, locationId }, { graphId: 'ann', name: 'Ann' });
  return { organisationId, owner, api, locationId, resourceId };
}
type Place = Awaited<ReturnType<typeof aPlace>>;

/** Lets a person in by a real invitation that they accept. */
async function letIn(by: Who, role: Role): Promise<Who> {
  const person = await somebody();
  const { link } = (await call<{ link: string }>(by, '/apollo/api/members', { body: { email: person.email, role } })).body;
  const code = link.split('/').at(-1);
  expect((await call(person, '/apollo/api/invitations/accept', { body: { code } })).status).toBe(200);
  return person;
}

/** Lets the days of an organisation pass: of its members, of its requests and of the loss of approvers. */
async function pass(organisationId: OrganisationId, days: number): Promise<void> {
  const by = `- interval '${days} days'`;
  const of = `where organisation_id = '${organisationId}'`;
  await testing.asSuperuser(`update memberships set entitled_since = entitled_since ${by}, confirmed_at = confirmed_at ${by} ${of}`);
  await testing.asSuperuser(`update organisations set approver_left_at = approver_left_at ${by} ${of}`);
}

const listOf = async (place: Place, who: Who) => (await call<ResponseOf<typeof contract.list>>(who, `${place.api}/approvals`)).body;

const kinds = {
  shorterRetention: async ({ api, locationId }: Place, who: Who) => {
    const body = { name: 'Store', use: 'both', immutability: { mode: 'none', days: 0 }, retainDays: 7 };
    await call(who, `${api}/locations/${locationId}`, { method: 'PUT', body });
  },
  deletionJob: async ({ api, locationId }: Place, who: Who) => {
    const what = { type: 'deletion', workload: 'exchange', source: { everyone: true }, schedule: { mode: 'disabled' } };
    await call(who, `${api}/jobs`, { body: { ...what, name: 'Tidy up', locationId, retention: { mode: 'days', days: 1 } } });
  },
  holdRelease: async ({ api, resourceId }: Place, who: Who) => {
    const { holdId } = (await call<{ holdId: string }>(who, `${api}/holds`, { body: { name: 'Hold', reason: 'Court', resourceId } })).body;
    await call(who, `${api}/holds/${holdId}/release`, { body: { reason: 'Settled' } });
  },
} as const;

/** Asks for something and returns how others decide about it. */
async function asked(place: Place, who: Who, kind: keyof typeof kinds = 'shorterRetention') {
  await kinds[kind](place, who);
  const request = (await listOf(place, who)).items.find((one) => one.kind === kind && one.status === 'waiting');
  expect(request?.requester).toBe(who.email);
  const id = request?.approvalId ?? '';
  const verb = (name: string) => async (by: Who) => {
    const { status, body } = await call<Approval>(by, `${place.api}/approvals/${id}/${name}`, { method: 'POST' });
    return status === 200 ? body.status : body.code;
  };
  const seenBy = async (by: Who) => (await listOf(place, by)).items.find(({ approvalId }) => approvalId === id);
  return { approve: verb('approve'), refuse: verb('refuse'), delay: verb('delay'), seenBy };
}

test.each(['shorterRetention', 'deletionJob', 'holdRelease'] as const)(
  'an owner does not get a %s through with an account that they let in themselves, before or after asking',
  async (kind) => {
    const place = await aPlace();
    const alias = await letIn(place.owner, 'administrator');
    const request = await asked(place, place.owner, kind);
    expect(await request.approve(alias)).toBe('approvals.too-new');
    expect(await request.seenBy(alias)).toMatchObject({ mayApprove: false, mayRefuse: true, obstacle: { reason: 'tooNew' }, waitsFor: [] });
    const later = await letIn(place.owner, 'owner');
    expect(await request.approve(later)).toBe('approvals.after-request');
    await pass(place.organisationId, 7);
    expect(await request.approve(alias)).toBe('approved');
  },
);

test('the account that was let in asking, and its owner approving, is one person as well', async () => {
  const place = await aPlace();
  const alias = await letIn(place.owner, 'administrator');
  const request = await asked(place, alias);
  expect(await request.approve(place.owner)).toBe('approvals.requester-yours');
  expect(await request.seenBy(place.owner)).toMatchObject({ mayApprove: false, obstacle: { reason: 'requesterYours', until: null } });
  expect(await request.refuse(place.owner)).toBe('refused');
  await pass(place.organisationId, 7);
  expect(await (await asked(place, alias)).approve(place.owner)).toBe('approved');
});

test('where another owner could have confirmed, time alone makes nobody an approver', async () => {
  const place = await aPlace();
  const second = settled(await server.member(place.organisationId, 'owner'));
  const administrator = settled(await server.member(place.organisationId, 'administrator'));
  const alias = await letIn(place.owner, 'owner');
  await pass(place.organisationId, 30);
  const request = await asked(place, place.owner);
  expect(await request.approve(alias)).toBe('approvals.unconfirmed');
  const { approvers } = await listOf(place, place.owner);
  expect(approvers.find(({ email }) => email === alias.email)).toEqual({
    email: alias.email,
    status: 'unconfirmed',
    until: null,
    confirmers: [second.email],
  });
  const confirm = async (by: Who) => {
    const { status, body } = await call<{ approval?: unknown }>(by, `/apollo/api/members/${alias.accountId}/confirmation`, {
      method: 'POST',
    });
    return [status, body.code ?? body.approval];
  };
  for (const nobody of [place.owner, alias, administrator]) expect(await confirm(nobody)).toEqual([403, 'identity.another-owner-confirms']);
  expect(await request.approve(alias)).toBe('approvals.unconfirmed');
  expect(await confirm(second)).toEqual([200, expect.objectContaining({ status: 'ready', confirmers: [], mayConfirm: false })]);
  expect(await confirm(second)).toEqual([409, 'identity.not-to-confirm']);
  const told = await testing.asSuperuser(`select payload from audit_inbox where event = 'members.confirmed' and subject_id = $1`, [
    alias.accountId,
  ]);
  expect(JSON.stringify(told)).toContain(second.email);
  expect(await request.approve(alias)).toBe('approved');
});

test.each([
  ['demoted', { role: 'reader' }, { role: 'owner' }],
  ['disabled', { disabled: true }, { disabled: false }],
] as const)('whoever is %s and comes back needs the role for the whole time again', async (_what, away, back) => {
  const place = await aPlace();
  const second = settled(await server.member(place.organisationId, 'owner'));
  const change = (body: object) => call(place.owner, `/apollo/api/members/${second.accountId}`, { method: 'PUT', body });
  expect((await change(away)).status).toBe(200);
  expect((await change(back)).status).toBe(200);
  const request = await asked(place, place.owner);
  expect(await request.approve(settled(await signedInAgain(second)))).toBe('approvals.too-new');
  // Nobody else could approve, but the owner saw to that themselves.
  expect(await request.delay(place.owner)).toBe('approvals.approver-left');
});

async function signedInAgain({ email }: Who): Promise<SignedIn> {
  const answer = await server.send('/api/auth/signin', { body: { email, password: testPassword, audiences: ['main'] } });
  const { user, sessions } = (await answer.json()) as { user: { id: string }; sessions: { main: { token: string } } };
  return { email, accountId: user.id, tokens: { main: sessions.main.token, staging: '', legacy: '' } };
}

test.each([
  ['removed', { method: 'DELETE' }],
  ['given an end', { method: 'PUT', body: { accessEndsAt: '2020-01-01T00:00:00.000Z' } }],
] as const)('an owner who has everybody else %s waits as long as a new approver before the delay is theirs', async (_what, options) => {
  const place = await aPlace();
  const other = settled(await server.member(place.organisationId, 'administrator'));
  expect((await call(place.owner, `/apollo/api/members/${other.accountId}`, options)).status).toBeLessThan(300);
  const request = await asked(place, place.owner);
  expect(await request.delay(place.owner)).toBe('approvals.approver-left');
  const list = await listOf(place, place.owner);
  expect(list.items[0]).toMatchObject({ mayDelay: false, waitsFor: [] });
  expect(Date.parse(list.delayFrom ?? '') - Date.now()).toBeGreaterThan(6.9 * 86_400_000);
  await pass(place.organisationId, 7);
  expect(await request.delay(place.owner)).toBe('delayed');
});

test('a single owner is never locked out: the delay stays theirs while the person they let in is too new', async () => {
  const place = await aPlace();
  await letIn(place.owner, 'owner');
  const list = await listOf(place, place.owner);
  expect([list.secondPersons, list.delayFrom]).toEqual([[], null]);
  expect(await (await asked(place, place.owner)).delay(place.owner)).toBe('delayed');
});

test('a role that an open invitation is changed to is given by who changed it', async () => {
  const place = await aPlace();
  const second = settled(await server.member(place.organisationId, 'owner'));
  const person = await somebody();
  const { userId, link } = (
    await call<{ userId: string; link: string }>(second, '/apollo/api/members', { body: { email: person.email, role: 'reader' } })
  ).body;
  await call(place.owner, `/apollo/api/members/${userId}`, { method: 'PUT', body: { role: 'owner' } });
  await call(person, '/apollo/api/invitations/accept', { body: { code: link.split('/').at(-1) } });
  const { approvers } = await listOf(place, place.owner);
  expect(approvers.find(({ email }) => email === person.email)?.confirmers).toEqual([second.email]);
});
