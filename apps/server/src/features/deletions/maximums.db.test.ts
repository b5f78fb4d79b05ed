import { testDatabase } from '@holdfast/database/testing/test-database';
import { onCrashPoint } from '@holdfast/foundation/crash-point';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { hashOf, mail } from './testing/deletion-ground.ts';
import { oldMail, policyGround, receivedMail, type PolicyGround } from './testing/policy-ground.ts';

/** Maximums of retention policies: what they list, how long it waits, what keeps it, and who stops it. */
const testing = testDatabase(import.meta.url);
let ground: PolicyGround;
const person = 2;
let mailboxes: readonly string[] = [];

beforeAll(async () => {
  ground = await policyGround(testing);
  await ground.imports(person, [mail('Makes the archive')]);
  mailboxes = [await ground.archiveIdOf(person)];
}, 240_000);
beforeEach(async () => {
  await testing.asSuperuser(`update retention_policies set look_at = null where look_at is not null`);
  await testing.asSuperuser(`update retention_policies set ended_at = now() where activated_at is not null and ended_at is null`);
});
afterEach(() => onCrashPoint(undefined));
afterAll(() => ground.close());

test('A21: a mail that claims to be of 1998 and was received today stays under a maximum of one year', async () => {
  const claimed = 'Sat, 14 Feb 1998 10:00:00 +0000';
  const today = receivedMail('Received today', new Date().toUTCString(), claimed);
  const dateless = mail('Nothing but a date').replace(/^Date: .*$/mu, `Date: ${claimed}`);
  const old = oldMail('Received long ago');
  await ground.imports(person, [today, dateless, old]);
  const draft = await ground.draftedPolicy('One year', { mailboxes });
  expect(await ground.preview(draft)).toMatchObject({ kept: { messages: 0 }, over: { messages: 0 }, due: { messages: 1 } });
  const policy = await ground.inForce('A year', { mailboxes });
  expect(await ground.look(policy)).toBe(1);
  const done = await ground.carriedOut(await ground.newest(policy));
  expect(done).toMatchObject({ state: 'finished', erased: { messages: 1 } });
  const left = await ground.archived(person);
  expect(left).toEqual(expect.arrayContaining([today, dateless].map(hashOf)));
  expect(left).not.toContain(hashOf(old));
}, 240_000);

test('A22: 2,001 messages past a maximum all go once, the 2,002nd stays, with two looks at once and a death in the middle', async () => {
  const due = Array.from({ length: 2_001 }, (_, at) => oldMail(`Due ${at}`));
  await ground.imports(person, [...due, mail('Not due')]);
  const policy = await ground.inForce('Due', { mailboxes });
  await testing.asSuperuser(`update retention_policies set look_at = now() - interval '1 minute' where policy_id = $1`, [policy.policyId]);
  const looks = await Promise.all([0, 1].map(() => ground.lists.look(ground.scope, policy.policyId)));
  expect([...looks].sort((a, b) => a - b)).toEqual([0, 2_001]);
  // What waits is not listed again.
  expect(await ground.look(policy)).toBe(0);
  expect(await ground.listed(policy)).toHaveLength(1);
  const deletion = await ground.newest(policy);
  let batches = 0;
  onCrashPoint((passed) => {
    if (passed === 'backup.before-catalog' && (batches += 1) === 3) throw new Error('died in the middle');
  });
  await ground.passQuarantine(deletion);
  await ground.startDue(deletion);
  expect((await ground.ended(deletion)).state).toBe('failed');
  onCrashPoint(undefined);
  const { total } = await ground.tombstones(deletion);
  expect([total > 0, total < 2_001]).toEqual([true, true]);
  await ground.step('resume', deletion);
  expect(await ground.ended(deletion)).toMatchObject({ state: 'finished', erased: { messages: 2_001 }, gone: 0 });
  const { items, total: all } = await ground.tombstones(deletion);
  expect(all).toBe(2_001);
  expect(items[0]).toMatchObject({ basis: 'expiry', reason: 'Due', requester: ground.owner.email, approver: ground.second.email });
  const left = new Set(await ground.archived(person));
  expect(due.filter((text) => left.has(hashOf(text)))).toEqual([]);
  expect(left.has(hashOf(mail('Not due')))).toBe(true);
  await ground.expectCounted(person);
  expect(await ground.look(policy)).toBe(0);
}, 480_000);

test('A23: what an improper policy has listed waits 24 hours, and one person stops it without loss, until two put another in its place', async () => {
  const victims = ['Victim A', 'Victim B'].map(oldMail);
  await ground.imports(person, victims);
  const improper = await ground.inForce('Improper', { mailboxes });
  expect(await ground.look(improper)).toBe(2);
  const deletion = await ground.newest(improper);
  expect(deletion).toMatchObject({ state: 'approved', basis: 'expiry', requester: ground.owner.email, approver: ground.second.email });
  expect(Date.parse(deletion.dueAt ?? '') - Date.parse(deletion.createdAt)).toBe(24 * 3_600_000);
  expect(await ground.startDue(deletion)).toBe(false);
  expect((await ground.policy(`/${improper.policyId}/stop`, { who: ground.second, body: {} })).body).toMatchObject({
    status: 'active',
    stopped: { by: ground.second.email },
  });
  expect(await ground.read(deletion)).toMatchObject({ state: 'draft', returned: 'stopped', returnedBy: ground.second.email, dueAt: null });
  expect((await ground.policy(`/${improper.policyId}/stop`, { body: {} })).body.code).toBe('retention.not-deleting');
  await ground.passQuarantine(deletion);
  expect(await ground.startDue(deletion)).toBe(false);
  expect(await ground.look(improper)).toBe(0);
  expect(await ground.archived(person)).toEqual(expect.arrayContaining(victims.map(hashOf)));
  // The one in its place lists again, and its list is a new one that waits again.
  const proper = await ground.inForce('Improper', { mailboxes, replaces: improper.policyId });
  expect((await ground.policy(`/${improper.policyId}`)).body.status).toBe('ended');
  expect(await ground.look(proper)).toBe(2);
  expect((await ground.newest(proper)).state).toBe('approved');
  // Stopping the list stops the policy: it would list the same tomorrow.
  expect((await ground.step('stop', await ground.newest(proper))).body).toMatchObject({ state: 'draft', returned: 'stopped' });
  expect((await ground.policy(`/${proper.policyId}`)).body.stopped).toMatchObject({ by: ground.owner.email });
  expect(await ground.archived(person)).toEqual(expect.arrayContaining(victims.map(hashOf)));
}, 240_000);

test('A23: what a minimum kept is deleted by no list that was made while it did, and a policy that ends takes its list with it', async () => {
  const text = oldMail('Kept for long');
  await ground.imports(person, [text]);
  const keeping = await ground.inForce('Keeps', { mailboxes, length: { amount: 90, unit: 'years' }, maximum: null });
  const deleting = await ground.inForce('Deletes', { mailboxes });
  expect(await ground.look(deleting)).toBe(0);
  // A person has listed it while it is kept, beside one that nothing keeps.
  const chosen = await ground.drafted(person, { messageIds: [hashOf(text)] });
  expect(chosen.kept.messages).toBe(1);
  await testing.asSuperuser(
    `update message_deletions set state = 'approved', approver = 'x', due_at = now() - interval '1 hour' where deletion_id = $1`,
    [chosen.deletionId],
  );
  await ground.end(keeping);
  await ground.startDue(chosen);
  expect(await ground.ended(chosen)).toMatchObject({ state: 'finished', erased: { messages: 0 }, kept: { messages: 1 } });
  expect(await ground.archived(person)).toContain(hashOf(text));
  // The next look is the first to find it, and that waits a day.
  expect(await ground.look(deleting)).toBeGreaterThan(0);
  const list = await ground.newest(deleting);
  expect(list.state).toBe('approved');
  await ground.end(deleting);
  expect(await ground.read(list)).toMatchObject({ state: 'draft', returned: 'policyEnded', returnedBy: null, dueAt: null });
  expect(await ground.archived(person)).toContain(hashOf(text));
}, 240_000);

test('a hold beats a maximum, the longest minimum wins over it, and both are asked again when the list runs', async () => {
  const [first, other] = [oldMail('First'), oldMail('Other')];
  await ground.imports(person, [first, other]);
  const policy = await ground.inForce('Ends in a year', { mailboxes, length: { amount: 1, unit: 'months' } });
  const found = await ground.look(policy);
  const deletion = await ground.newest(policy);
  const { body: hold } = await ground.send<{ holdId: string }>('holds', {
    body: { name: 'Case 7', reason: 'A dispute', resourceId: mailboxes[0], from: null, to: null },
  });
  expect(await ground.preview(policy)).toMatchObject({ due: { messages: 0 }, dueKept: { messages: found } });
  expect(await ground.carriedOut(deletion)).toMatchObject({
    state: 'finished',
    erased: { messages: 0 },
    keepers: [{ kind: 'hold', name: 'Case 7', messages: found }],
  });
  expect(await ground.look(policy)).toBe(0);
  await testing.asSuperuser('update holds set released_at = now() where hold_id = $1', [hold.holdId]);
  expect(await ground.look(policy)).toBe(found);
  const again = await ground.newest(policy);
  const longest = await ground.inForce('Longest', { mailboxes, length: { amount: 80, unit: 'years' }, maximum: null });
  const kept = await ground.carriedOut(again);
  expect(kept).toMatchObject({ erased: { messages: 0 }, keepers: [{ kind: 'minimum', name: 'Longest', messages: found }] });
  await ground.end(longest);
  expect(await ground.look(policy)).toBe(found);
  const last = await ground.newest(policy);
  // Nobody deletes by a policy that was stopped behind the back of its list.
  await testing.asSuperuser('update retention_policies set look_at = null, stopped_at = now() where policy_id = $1', [policy.policyId]);
  expect(await ground.carriedOut(last)).toMatchObject({
    erased: { messages: 0 },
    keepers: [{ kind: 'notDue', name: 'Ends in a year', messages: found }],
  });
  expect(await ground.archived(person)).toEqual(expect.arrayContaining([first, other].map(hashOf)));
}, 300_000);

test('a policy says what it cannot mean, by the field', async () => {
  const fault = async (terms: object) =>
    (await ground.policy('', { body: { name: 'Faulty', anchor: 'received', start: 'day', mailboxes, ...terms } })).body as unknown;
  const years = (amount: number) => ({ amount, unit: 'years' });
  expect(await fault({ length: null, maximum: null })).toMatchObject({ errors: { length: ['Enter a minimum, a maximum or both.'] } });
  expect(await fault({ length: years(2), maximum: years(1) })).toHaveProperty(['errors', 'maximum.amount']);
  expect(await fault({ length: years(2), maximum: { amount: 23, unit: 'months' } })).toHaveProperty(['errors', 'maximum.amount']);
  expect(await fault({ length: null, maximum: years(101) })).toHaveProperty(['errors', 'maximum.amount']);
  const places = [{ resourceId: mailboxes[0] }];
  expect(await fault({ length: years(1), maximum: years(2), about: 'files', mailboxes: null, places })).toHaveProperty([
    'errors',
    'maximum',
  ]);
  for (const role of ['operator', 'auditor', 'reader'] as const) {
    const who = await ground.server.member(ground.owner.organisationId, role);
    expect(
      (await ground.policy(`/${(await ground.draftedPolicy(`Draft ${role}`, { mailboxes })).policyId}/stop`, { who, body: {} })).status,
    ).toBe(403);
  }
}, 60_000);
