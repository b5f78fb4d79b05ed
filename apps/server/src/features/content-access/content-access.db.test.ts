import { roles, type Role } from '@holdfast/contract/actions';
import { proxyActions, type ProxyAction } from '@holdfast/contract/proxy-rights';
import type { SearchAnswer, SearchCounted, SearchFacets } from '@holdfast/contract/search';
import type { OrganisationTables } from '@holdfast/database';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { systemClock } from '@holdfast/foundation/clock';
import { isAppError } from '@holdfast/foundation/errors';
import type { Insertable } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { AccountId, Actor, SessionId } from '../../access/actor.ts';
import { aGround, testIds, type Ground } from '../../testing/rows.ts';
import { testServer, type SignedIn, type TestServer } from '../../testing/test-server.ts';
import { createCaseGround } from '../cases/index.ts';
import { anIndexedMailbox, type IndexedMailbox } from '../search/testing/indexed.ts';
import { createContentAccess } from './index.ts';

/** A27: who opens what, decided by the one function that everything asks and by the searches that ask it. */
const testing = testDatabase(import.meta.url);
const { database } = testing;
const access = createContentAccess({ clock: systemClock, cases: createCaseGround({ clock: systemClock }) });
const day = 86_400_000;
const inDays = (days: number): Date => new Date(Date.now() + days * day);
let server: TestServer;
let ground: Ground;
let mailbox: IndexedMailbox;
let other: IndexedMailbox;
const people = new Map<Role, SignedIn>();
const MAY = '2024-05-17T10:00:00.000Z';

beforeAll(async () => {
  server = await testServer(testing);
  ground = await aGround(database);
  mailbox = await anIndexedMailbox(database, ground, 'Adele Vance');
  other = await anIndexedMailbox(database, ground, 'Ben Walters');
  await mailbox.receive({ m1: 'An offer', m2: 'Another offer' });
  await other.receive({ o1: 'A foreign offer' });
  await testing.asSuperuser(`update catalog_items set modified_at = $1`, [MAY]);
  for (const role of roles) people.set(role, await server.member(ground.scope.organisationId, role, `${role}@contoso.example`));
}, 120_000);
afterAll(() => server.close());
beforeEach(async () => {
  await testing.asSuperuser('delete from proxy_rights');
  await testing.asSuperuser('delete from cases');
  await testing.asSuperuser('delete from proxy_exemptions');
  await testing.asSuperuser("update resources set address = '', deleted_at = null");
  await setAccess('strict');
});

async function setAccess(mode: 'open' | 'strict'): Promise<void> {
  await testing.asSuperuser('update organisations set content_access = $1', [mode]);
}
function personOf(role: Role): SignedIn {
  const person = people.get(role);
  if (!person) throw new Error(`Nobody is ${role}.`);
  return person;
}

/** Everything but who they are by the directory and what they may is the same for each role. */
function actorOf(role: Role, changes: Partial<Actor> = {}): Actor {
  const { accountId, email } = personOf(role);
  return {
    accountId: accountId as AccountId,
    sessionId: testIds.uuid() as SessionId,
    email,
    isEmailConfirmed: true,
    audience: 'main',
    realm: 'production',
    memberships: [{ organisationId: ground.scope.organisationId, role }],
    ...changes,
  };
}

type Changes = Partial<Insertable<OrganisationTables['proxy_rights']>>;
async function grant(role: Role, changes: Changes = {}): Promise<void> {
  const person = `id of ${role}`;
  const tenant_id = ground.tenantId;
  await database.within(ground.scope, async (tx) => {
    for (const party of [{ tenant_id, party_id: person, kind: 'account' as const, synchronised_at: new Date() }])
      await tx
        .insertInto('proxy_parties')
        .values(party)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    await tx
      .insertInto('proxy_people')
      .values({ tenant_id, party_id: person, person_id: person, addresses: [`${role}@contoso.example`, `${role}.alias@contoso.example`] })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const [target] = await tx.selectFrom('resources').select('graph_id').where('resource_id', '=', mailbox.resourceId).execute();
    const row: Insertable<OrganisationTables['proxy_rights']> = {
      proxy_right_id: testIds.uuid(),
      tenant_id,
      holder_kind: 'account',
      holder_id: person,
      holder_name: role,
      holder_address: '',
      target_kind: 'account',
      target_id: target?.graph_id ?? null,
      target_name: 'Adele Vance',
      target_address: '',
      may: [...proxyActions],
      access_from: inDays(-1),
      access_to: inDays(1),
      purpose: 'Test',
      granted_by: testIds.uuid(),
      granter: 'someone@contoso.example',
      granted_at: inDays(-1),
      remover: null,
      ...changes,
    };
    await tx.insertInto('proxy_rights').values(row).execute();
  });
}

/** What opening comes to: the ground, or the code of the refusal. */
async function opened(actor: Actor, action: ProxyAction, items: 'all' | readonly string[] = ['m1'], of = mailbox): Promise<string> {
  try {
    const asking = { actor, scope: ground.scope, tenantId: ground.tenantId };
    const why = await database.within(ground.scope, (tx) => access.require(tx, asking, { action, resourceId: of.resourceId, items }));
    return why.by;
  } catch (error) {
    return isAppError(error) ? error.code : String(error);
  }
}
async function all(actor: Actor, items?: 'all' | readonly string[]): Promise<string[]> {
  return Promise.all(proxyActions.map((action) => opened(actor, action, items)));
}
const NEEDED = ['content.read-right-needed', 'content.export-right-needed', 'content.restore-right-needed'];
const thrice = (what: string): string[] => [what, what, what];

async function searched(role: Role): Promise<readonly [number, unknown, unknown]> {
  const send = async <T>(to: string): Promise<{ status: number; body: T & { code?: string } }> => {
    const answer = await server.send(`/apollo/api/${ground.tenantId}/archive/${to}`, {
      token: personOf(role).tokens.main,
      body: { query: 'offer', reason: 'Test' },
    });
    return { status: answer.status, body: (await answer.json()) as T & { code?: string } };
  };
  const found = await send<SearchAnswer>('search');
  const counted = await send<SearchCounted>('search/count');
  const facets = await send<SearchFacets>('search/facets');
  expect([counted.status, facets.status]).toEqual([found.status, found.status]);
  if (found.status !== 200) return [found.status, found.body.code, counted.body.code];
  expect([counted.body.total, facets.body.total]).toEqual([found.body.total, found.body.total]);
  return [200, found.body.items.map(({ title }) => title).toSorted((a, b) => a.localeCompare(b)), found.body.coverage.items];
}
const refused = [403, 'content.read-right-needed', 'content.read-right-needed'];

test.each(roles)('A27: under strict access a role alone opens nothing, as %s', async (role) => {
  expect(await all(actorOf(role))).toEqual(NEEDED);
  expect(await searched(role)).toEqual(refused);
});

test.each(roles)('A27: under open access owners and administrators open everything and nobody else anything, as %s', async (role) => {
  await setAccess('open');
  const isOpen = role === 'owner' || role === 'administrator';
  expect(await all(actorOf(role), 'all')).toEqual(isOpen ? thrice('role') : NEEDED);
  expect(await searched(role)).toEqual(isOpen ? [200, ['A foreign offer', 'An offer', 'Another offer'], 3] : refused);
});

test.each(roles)('A27: whoever owns a mailbox opens it, and no other, as %s', async (role) => {
  const own = 'update resources set address = $1 where resource_id = $2';
  await testing.asSuperuser(own, [personOf(role).email.toUpperCase(), mailbox.resourceId]);
  expect(await all(actorOf(role), 'all')).toEqual(thrice('own'));
  expect(await opened(actorOf(role), 'read', ['o1'], other)).toBe('content.read-right-needed');
  expect(await searched(role)).toEqual([200, ['An offer', 'Another offer'], 2]);
  expect(await all(actorOf(role, { isEmailConfirmed: false }))).toEqual(NEEDED);
  // The address may have passed on to somebody else since.
  await testing.asSuperuser('update resources set deleted_at = now()');
  expect(await all(actorOf(role))).toEqual(NEEDED);
});

test.each(roles)('A27: a proxy right opens what it covers, for what it allows, as %s', async (role) => {
  await grant(role, { may: ['read'] });
  expect(await all(actorOf(role))).toEqual(['proxy', NEEDED[1], NEEDED[2]]);
  expect(await opened(actorOf(role), 'read', ['o1'], other)).toBe('content.read-right-needed');
  expect(await searched(role)).toEqual([200, ['An offer', 'Another offer'], 2]);
  await grant(role, { may: ['export'] });
  expect(await all(actorOf(role))).toEqual(['proxy', 'proxy', NEEDED[2]]);
  expect(await all(actorOf(role, { email: `${role}.ALIAS@contoso.example` }))).toEqual(['proxy', 'proxy', NEEDED[2]]);
  expect(await all(actorOf(role, { isEmailConfirmed: false }))).toEqual(NEEDED);
});

test('A27: a right to export alone finds nothing in a search', async () => {
  await grant('reader', { may: ['export', 'restore'] });
  expect(await searched('reader')).toEqual(refused);
});

test.each<readonly [string, Changes]>([
  ['has expired', { access_to: inDays(-0.5) }],
  ['is not in force yet', { access_from: inDays(0.5) }],
  ['was removed', { removed_at: new Date(), remover: 'someone@contoso.example' }],
])('A27: a right that %s opens nothing', async (_what, changes) => {
  await grant('reader', changes);
  expect(await all(actorOf('reader'))).toEqual(NEEDED);
  expect(await searched('reader')).toEqual(refused);
});

test('A27: nobody uses a right that they granted themselves, whichever group they join later', async () => {
  await grant('administrator', { granted_by: personOf('administrator').accountId });
  expect(await all(actorOf('administrator'))).toEqual(NEEDED);
});

test('A27: whoever has left the group of a right opens nothing with it', async () => {
  await grant('reader');
  await testing.asSuperuser("update proxy_people set gone_at = now() where person_id = 'id of reader'");
  expect(await all(actorOf('reader'))).toEqual(NEEDED);
  await testing.asSuperuser('update proxy_people set gone_at = null');
});

test('A27: a right for a time opens single items of that time, counts none outside it, and never a whole mailbox', async () => {
  await grant('reader', { mail_from: new Date('2024-05-01'), mail_to: new Date('2024-06-01') });
  expect(await all(actorOf('reader'), ['m1', 'm2'])).toEqual(thrice('proxy'));
  expect(await all(actorOf('reader'), 'all')).toEqual(thrice('content.outside-period'));
  expect(await all(actorOf('reader'), ['m1', 'nothing'])).toEqual(thrice('content.outside-period'));
  expect(await searched('reader')).toEqual([200, ['An offer', 'Another offer'], 2]);
  await testing.asSuperuser('delete from proxy_rights');
  await grant('reader', { mail_from: new Date('2024-05-18') });
  expect(await all(actorOf('reader'))).toEqual(thrice('content.outside-period'));
  expect(await searched('reader')).toEqual([200, [], 0]);
});

test('A27: a right over everyone covers every resource of its tenant and none of another', async () => {
  await grant('reader', { target_kind: 'everyone', target_id: null });
  expect(await opened(actorOf('reader'), 'read', 'all', other)).toBe('proxy');
  const elsewhere = await aGround(database);
  const foreign = await anIndexedMailbox(database, elsewhere, 'Foreign');
  expect(await opened(actorOf('reader'), 'read', 'all', foreign)).toBe('content.read-right-needed');
});

/** An open case of the tenant about whoever has the mailbox, with one query and these members. */
async function aCase(
  query: string,
  members: readonly { readonly role: Role; readonly addedBy?: Role }[],
  of: { readonly from?: Date; readonly to?: Date; readonly about?: string } = {},
): Promise<string> {
  const caseId = testIds.uuid();
  const made = { created_by: personOf('owner').accountId, creator: 'owner', created_at: new Date() };
  await database.within(ground.scope, async (tx) => {
    const period = { from_at: of.from ?? null, to_at: of.to ?? null };
    await tx
      .insertInto('cases')
      .values({ case_id: caseId, tenant_id: ground.tenantId, matter: 'Falcon', reference: '', ...period, ...made, closed_at: null })
      .execute();
    for (const { role, addedBy } of members) {
      const added = { account_id: personOf(role).accountId, added_by: personOf(addedBy ?? 'owner').accountId, added_at: new Date() };
      await tx
        .insertInto('case_members')
        .values({ case_id: caseId, ...added })
        .execute();
    }
    const custodian = { custodian_id: testIds.uuid(), name: 'Adele Vance', address: '', added_at: new Date() };
    const [resource] = await tx.selectFrom('resources').select('graph_id').where('resource_id', '=', mailbox.resourceId).execute();
    await tx
      .insertInto('case_custodians')
      .values({ case_id: caseId, person_key: of.about ?? `u:${resource?.graph_id ?? ''}`, ...custodian })
      .execute();
    await tx
      .insertInto('case_queries')
      .values({ case_id: caseId, query_id: testIds.uuid(), name: 'Q', query, creator: 'owner', created_at: new Date() })
      .execute();
  });
  return caseId;
}
const READ_AND_EXPORT = ['case', 'case', NEEDED[2]];

test.each(['administrator', 'auditor'] as const)(
  'A27: a member of a case opens what its queries find, and nothing else, as %s',
  async (role) => {
    const caseId = await aCase('another', [{ role }]);
    expect(await all(actorOf(role), ['m2'])).toEqual(READ_AND_EXPORT);
    expect(await all(actorOf(role), ['m1'])).toEqual(NEEDED);
    expect(await all(actorOf(role), ['m1', 'm2'])).toEqual(NEEDED);
    expect(await all(actorOf(role), 'all')).toEqual(NEEDED);
    expect(await opened(actorOf(role), 'read', ['o1'], other)).toBe('content.read-right-needed');
    expect(await all(actorOf('owner'), ['m2'])).toEqual(NEEDED);
    await testing.asSuperuser('update cases set closed_at = now() where case_id = $1', [caseId]);
    expect(await all(actorOf(role), ['m2'])).toEqual(NEEDED);
    await testing.asSuperuser('update cases set closed_at = null where case_id = $1', [caseId]);
    expect(await all(actorOf(role), ['m2'])).toEqual(READ_AND_EXPORT);
    await testing.asSuperuser('delete from case_members where case_id = $1', [caseId]);
    expect(await all(actorOf(role), ['m2'])).toEqual(NEEDED);
  },
);

test('A27: a case opens nothing to whoever made themselves a member, and nothing to a role that works on no cases', async () => {
  await aCase('another', [{ role: 'owner' }, { role: 'operator' }]);
  expect(await all(actorOf('owner'), ['m2'])).toEqual(NEEDED);
  expect(await all(actorOf('operator'), ['m2'])).toEqual(NEEDED);
  await aCase('another', [{ role: 'owner', addedBy: 'administrator' }]);
  expect(await all(actorOf('owner'), ['m2'])).toEqual(READ_AND_EXPORT);
});

test('A27: a case opens nothing outside its period, and nothing of people it is not about', async () => {
  await aCase('offer', [{ role: 'auditor' }], { from: new Date('2024-05-18') });
  expect(await all(actorOf('auditor'))).toEqual(NEEDED);
  await aCase('offer', [{ role: 'auditor' }], { about: 'u:somebody else' });
  expect(await all(actorOf('auditor'))).toEqual(NEEDED);
  await aCase('offer', [{ role: 'auditor' }], { to: new Date('2024-05-18') });
  expect(await all(actorOf('auditor'))).toEqual(READ_AND_EXPORT);
});

/** Exempts whoever has the mailbox, or a group of which they are a member. */
async function exempt(kind: 'account' | 'group' = 'account'): Promise<void> {
  const tenant_id = ground.tenantId;
  await database.within(ground.scope, async (tx) => {
    const [owning] = await tx.selectFrom('resources').select('graph_id').where('resource_id', '=', mailbox.resourceId).execute();
    const person = owning?.graph_id ?? '';
    const party_id = kind === 'account' ? person : 'works council';
    await tx
      .insertInto('proxy_parties')
      .values({ tenant_id, party_id, kind, synchronised_at: new Date() })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await tx
      .insertInto('proxy_people')
      .values({ tenant_id, party_id, person_id: person, addresses: [] })
      .onConflict((conflict) =>
        conflict.columns(['organisation_id', 'realm', 'tenant_id', 'party_id', 'person_id']).doUpdateSet({ gone_at: null }),
      )
      .execute();
    const names = { party_name: 'Adele Vance', party_address: '', reason: 'Works council', adder: 'someone' };
    await tx
      .insertInto('proxy_exemptions')
      .values({ exemption_id: testIds.uuid(), tenant_id, party_kind: kind, party_id, ...names, added_at: new Date() })
      .execute();
  });
}
const EXEMPT = ['content.exempt', 'content.exempt', 'content.exempt'];

test.each(roles)('A27: what is exempt opens to no role and on no proxy right, and is neither found nor counted, as %s', async (role) => {
  await setAccess('open');
  const isOpen = role === 'owner' || role === 'administrator';
  const others = isOpen ? [200, ['A foreign offer'], 1] : refused;
  await exempt();
  expect(await all(actorOf(role))).toEqual(EXEMPT);
  expect(await all(actorOf(role), 'all')).toEqual(EXEMPT);
  expect(await searched(role)).toEqual(others);
  await grant(role);
  expect(await all(actorOf(role))).toEqual(EXEMPT);
  await grant(role, { target_kind: 'everyone', target_id: null });
  expect(await all(actorOf(role))).toEqual(EXEMPT);
  expect(await opened(actorOf(role), 'read', ['o1'], other)).toBe(isOpen ? 'role' : 'proxy');
  expect(await searched(role)).toEqual([200, ['A foreign offer'], 1]);
  // Whoever is exempt keeps their own, and an end brings back what was.
  const own = 'update resources set address = $1 where resource_id = $2';
  await testing.asSuperuser(own, [personOf(role).email, mailbox.resourceId]);
  expect(await all(actorOf(role))).toEqual(thrice('own'));
  expect(await searched(role)).toEqual([200, ['A foreign offer', 'An offer', 'Another offer'], 3]);
  await testing.asSuperuser("update resources set address = ''");
  await testing.asSuperuser('update proxy_exemptions set ended_at = now()');
  expect(await all(actorOf(role))).toEqual(thrice(isOpen ? 'role' : 'proxy'));
});

test('A27: the members of an exempt group are exempt until they leave it, and a case opens what it finds of them', async () => {
  await setAccess('open');
  await exempt('group');
  expect(await all(actorOf('owner'))).toEqual(EXEMPT);
  await aCase('offer', [{ role: 'auditor' }]);
  expect(await all(actorOf('auditor'))).toEqual(['case', 'case', 'content.exempt']);
  await testing.asSuperuser("update proxy_people set gone_at = now() where party_id = 'works council'");
  expect(await all(actorOf('owner'))).toEqual(thrice('role'));
});

test('A27: a proxy of a proxy opens nothing of whom the first one may open', async () => {
  await grant('reader');
  await database.within(ground.scope, async (tx) => {
    const [first, second] = await Promise.all(
      [mailbox, other].map(({ resourceId }) =>
        tx.selectFrom('resources').select('graph_id').where('resource_id', '=', resourceId).executeTakeFirstOrThrow(),
      ),
    );
    const [right] = await tx.selectFrom('proxy_rights').selectAll().execute();
    if (!right || !first || !second) throw new Error('There is nothing to grant.');
    const { organisation_id: _organisation, realm: _realm, ...same } = right;
    const names = { holder_id: first.graph_id, holder_name: 'Adele Vance', target_id: second.graph_id, target_name: 'Ben Walters' };
    await tx
      .insertInto('proxy_rights')
      .values({ ...same, ...names, proxy_right_id: testIds.uuid() })
      .execute();
  });
  expect(await opened(actorOf('reader'), 'read')).toBe('proxy');
  expect(await opened(actorOf('reader'), 'read', ['o1'], other)).toBe('content.read-right-needed');
  expect(await searched('reader')).toEqual([200, ['An offer', 'Another offer'], 2]);
});
