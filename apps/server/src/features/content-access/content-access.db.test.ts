import { roles } from '@holdfast/contract/actions';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { aGround, testIds } from '../../testing/rows.ts';
import { anIndexedMailbox } from '../search/testing/indexed.ts';
import { inDays, NEEDED, refused, startContentGround, thrice, type Changes, type ContentGround } from './testing/content-ground.ts';

/** A27: who opens what, decided by the one function that everything asks and by the searches that ask it. */
const testing = testDatabase(import.meta.url);
const { database } = testing;
let on: ContentGround;
let ground: ContentGround['ground'];
let mailbox: ContentGround['mailbox'];
let other: ContentGround['other'];
const aCase: ContentGround['aCase'] = (...asked) => on.aCase(...asked);
const actorOf: ContentGround['actorOf'] = (...asked) => on.actorOf(...asked);
const all: ContentGround['all'] = (...asked) => on.all(...asked);
const grant: ContentGround['grant'] = (...asked) => on.grant(...asked);
const opened: ContentGround['opened'] = (...asked) => on.opened(...asked);
const personOf: ContentGround['personOf'] = (...asked) => on.personOf(...asked);
const searched: ContentGround['searched'] = (...asked) => on.searched(...asked);
const setAccess: ContentGround['setAccess'] = (...asked) => on.setAccess(...asked);

beforeAll(async () => {
  on = await startContentGround(testing);
  ({ ground, mailbox, other } = on);
}, 120_000);
afterAll(() => on.server.close());
beforeEach(() => on.reset());

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
