import type { RetentionEvent } from '@holdfast/contract/retention';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { act } from '../../testing/simulated-tenant.ts';
import { hashOf } from './testing/deletion-ground.ts';
import { oldMail, policyGround, type PolicyGround } from './testing/policy-ground.ts';

/** Policies whose scope goes by the directory, and the events it reports. */
const testing = testDatabase(import.meta.url);
let ground: PolicyGround;
/** Two people with archives, and their mail. */
const [ann, ben] = [1, 2];
const mails = { ann: oldMail('Of Ann'), ben: oldMail('Of Ben') };
let archives: Readonly<Record<'ann' | 'ben', string>>;

const change = (at: number, input: object): void => act(ground.simulator, 'directory.changeUser', { user: ground.person(at).id, ...input });
const sales = [{ attribute: 'department', values: [' sales '] }];
const keeps = { length: { amount: 60, unit: 'years' }, maximum: null } as const;
const keepers = async (who: 'ann' | 'ben'): Promise<readonly string[]> =>
  (await ground.policiesOf(archives[who], hashOf(mails[who]))).map(({ name }) => name);
const due = async (terms: object): Promise<number> =>
  (await ground.preview(await ground.draftedPolicy(`Draft ${JSON.stringify(terms)}`.slice(0, 100), terms))).due.messages;
const events = async (): Promise<readonly RetentionEvent[]> =>
  (await ground.send<{ items: RetentionEvent[] }>('archive/events')).body.items;

beforeAll(async () => {
  ground = await policyGround(testing);
  await ground.imports(ann, [mails.ann]);
  await ground.imports(ben, [mails.ben]);
  archives = { ann: await ground.archiveIdOf(ann), ben: await ground.archiveIdOf(ben) };
}, 240_000);
beforeEach(async () => {
  await testing.asSuperuser('delete from retention_policies where activated_at is null');
  await testing.asSuperuser('update retention_policies set ended_at = now(), look_at = null where ended_at is null');
  change(ann, { department: 'Sales', country: 'Germany', accountEnabled: true });
  change(ben, { department: 'Legal', country: 'Austria', accountEnabled: true, extensionAttributes: { extensionAttribute7: 'Z-9' } });
});
afterAll(() => ground.close());

test('nothing is counted or activated by a directory that was never read; a draft has it read', async () => {
  const draft = await ground.draftedPolicy('Unread', { attributes: sales });
  expect(await ground.policy(`/${draft.policyId}/preview`, { body: {} })).toMatchObject({
    status: 409,
    body: { code: 'retention.directory-unread' },
  });
  expect((await ground.send('archive/directory')).body).toMatchObject({ readAt: null, isWaiting: true, people: 0 });
  const state = await ground.readDirectory();
  expect(state).toMatchObject({ code: null, isWaiting: false });
  expect(state.readAt).not.toBeNull();
  expect(state.values.find(({ attribute }) => attribute === 'extensionAttribute7')?.values).toEqual(['Z-9']);
  expect((await ground.policy(`/${draft.policyId}/preview`, { body: {} })).status).toBe(200);
});

test.each([
  ['department', 'SALES', 'ann'],
  ['country', 'Austria', 'ben'],
  ['extensionAttribute7', 'z-9', 'ben'],
] as const)('a policy by %s keeps and deletes of those who have the value alone', async (attribute, value, who) => {
  await ground.readDirectory();
  const terms = { attributes: [{ attribute, values: [value, 'Nobody has this'] }] };
  const draft = await ground.draftedPolicy(`By ${attribute}`, terms);
  expect(await ground.preview(draft)).toMatchObject({
    due: { messages: 1 },
    mailboxes: [{ mailboxId: archives[who], due: { messages: 1 } }],
  });
  await ground.inForce(`Keeps by ${attribute}`, { ...keeps, ...terms });
  expect(await keepers('ann')).toEqual(who === 'ann' ? [`Keeps by ${attribute}`] : []);
  expect(await keepers('ben')).toEqual(who === 'ben' ? [`Keeps by ${attribute}`] : []);
});

test('all conditions have to be met, and one with mailboxes, with files or twice the same is refused at its field', async () => {
  await ground.readDirectory();
  const both = [...sales, { attribute: 'country', values: ['Austria'] }];
  expect(await due({ attributes: both })).toBe(0);
  for (const terms of [
    { attributes: sales, mailboxes: [archives.ann] },
    { attributes: [...sales, ...sales] },
    { attributes: [{ attribute: 'department', values: [] }] },
  ]) {
    const answer = await ground.policy('', {
      body: { name: 'Wrong', anchor: 'received', length: null, maximum: { amount: 1, unit: 'years' }, start: 'day', ...terms },
    });
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body)).toContain('attributes');
  }
});

test('A23: whoever changes or leaves is kept by the policy that was on them, and newcomers are from the next look on', async () => {
  await ground.readDirectory();
  await ground.inForce('Sales', { ...keeps, attributes: sales });
  expect([await keepers('ann'), await keepers('ben')]).toEqual([['Sales'], []]);
  change(ann, { department: '' });
  change(ben, { department: 'Sales' });
  expect(await keepers('ben')).toEqual([]);
  await ground.readDirectory();
  expect([await keepers('ann'), await keepers('ben')]).toEqual([['Sales'], ['Sales']]);
});

test('A23: a maximum deletes of nobody who has changed, left, or of whom the directory has said nothing for a week', async () => {
  await ground.readDirectory();
  expect(await due({ attributes: sales, anchor: 'received' })).toBe(1);
  const policy = await ground.inForce('Sales go', { attributes: sales });
  expect(await ground.look(policy)).toBe(1);
  const deletion = await ground.newest(policy);
  await testing.asSuperuser(`update directory_people set seen_at = now() - interval '8 days'`);
  expect((await ground.preview(policy)).due.messages).toBe(0);
  await ground.readDirectory();
  expect((await ground.preview(policy)).due.messages).toBe(1);
  change(ann, { department: 'Finance' });
  await ground.readDirectory();
  // It was listed while it was due: the run asks again.
  expect(await ground.carriedOut(deletion)).toMatchObject({ erased: { messages: 0 } });
  expect(await ground.archived(ann)).toContain(hashOf(mails.ann));
}, 120_000);

test('what the directory never knew is kept, and never deleted', async () => {
  await ground.readDirectory();
  await testing.asSuperuser('delete from directory_people where graph_id = $1', [ground.person(ben).id]);
  await ground.inForce('Sales', { ...keeps, attributes: sales });
  expect(await keepers('ben')).toEqual(['Sales']);
  expect(await due({ attributes: [{ attribute: 'department', values: ['Legal'] }] })).toBe(0);
});

test('while the directory cannot be read, or names nobody, what it said last stays, and the reason is shown', async () => {
  await ground.readDirectory();
  await ground.inForce('Sales', { ...keeps, attributes: sales });
  ground.simulator.control.setFaults([{ match: { method: 'GET', path: '/users' }, do: 'status', status: 403 }]);
  const failed = await ground.readDirectory();
  ground.simulator.control.setFaults([]);
  expect(failed.code).not.toBeNull();
  expect(failed.departures).toEqual([]);
  expect(await keepers('ann')).toEqual(['Sales']);
  expect((await ground.readDirectory()).code).toBeNull();
});

test('an account that was closed waits for somebody who knows the day: the directory names none, and none is made up', async () => {
  await ground.readDirectory();
  change(ben, { accountEnabled: false });
  const { departures } = await ground.readDirectory();
  expect(departures).toMatchObject([{ subject: { mailboxId: archives.ben }, kind: 'disabled', date: null, recordedFrom: null }]);
  expect(departures[0]?.lastSeenAt).not.toBeNull();
  expect(await events()).toEqual([]);
  const body = { kind: 'leftCompany', subject: archives.ben, description: 'HR, ticket 12', date: '2026-03-31' };
  expect((await ground.send('archive/events', { body: { ...body, date: '' } })).status).toBe(400);
  expect((await ground.send('archive/events', { body })).status).toBe(201);
  expect((await ground.readDirectory()).departures).toEqual([]);
});

test('a deleted account starts its period by itself 30 days later, from the day that the directory names; one that comes back does not', async () => {
  await ground.readDirectory();
  const { id } = ground.person(ann);
  const waits = {
    anchor: 'event',
    eventKind: 'leftCompany',
    attributes: sales,
    length: { amount: 1, unit: 'years' },
    maximum: null,
  } as const;
  await ground.inForce('After leaving', waits);
  const [tenant] = ground.simulator.simulation.tenants.values();
  const account = tenant?.directory.user(id);
  if (!tenant || !account) throw new Error('The simulator has lost somebody.');
  const before = (await events()).length;

  act(ground.simulator, 'directory.removeUser', { user: id });
  const today = new Date().toISOString().slice(0, 10);
  expect((await ground.readDirectory()).departures).toMatchObject([{ subject: { mailboxId: archives.ann }, kind: 'deleted', date: today }]);
  tenant.directory.putUser(account);
  expect((await ground.readDirectory()).departures).toEqual([]);
  expect(await events()).toHaveLength(before);

  act(ground.simulator, 'directory.removeUser', { user: id });
  await ground.readDirectory();
  await testing.asSuperuser(`update directory_people set deleted_at = '2026-05-03T12:00:00Z' where graph_id = $1`, [id]);
  // Microsoft has forgotten the account by now.
  tenant.directory.putUser(account);
  tenant.directory.removeUser(id);
  expect((await ground.readDirectory()).departures).toEqual([]);
  const [event] = await events();
  expect(event).toMatchObject({ subject: { mailboxId: archives.ann }, kind: 'leftCompany', date: '2026-05-03', recorder: null });
  expect(event?.description).toContain(ground.person(ann).address);
  expect(event?.policies).toEqual(['After leaving']);
  const [kept] = await ground.policiesOf(archives.ann, hashOf(mails.ann));
  expect(kept?.until?.toISOString()).toBe('2027-05-04T00:00:00.000Z');
  await ground.readDirectory();
  expect(await events()).toHaveLength(before + 1);
  tenant.directory.putUser(account);
});

test('an account that is gone without a word of its deletion waits for somebody who knows the day', async () => {
  await ground.readDirectory();
  const { id } = ground.person(ben);
  const [tenant] = ground.simulator.simulation.tenants.values();
  const account = tenant?.directory.user(id);
  if (!tenant || !account) throw new Error('The simulator has lost somebody.');
  await testing.asSuperuser(`update directory_people set settled_at = null`);
  const before = (await events()).length;
  act(ground.simulator, 'directory.removeUser', { user: id, forGood: true });
  expect((await ground.readDirectory()).departures).toMatchObject([{ subject: { mailboxId: archives.ben }, kind: 'missing', date: null }]);
  expect(await events()).toHaveLength(before);
  tenant.directory.putUser(account);
});
