import type { Disposition } from '@holdfast/contract/dispositions';
import type { Page } from '@holdfast/contract/paging';
import type { Policy } from '@holdfast/contract/retention';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { SignedIn } from '../../testing/test-server.ts';
import { hashOf, mail } from './testing/deletion-ground.ts';
import { oldMail, policyGround, type PolicyGround } from './testing/policy-ground.ts';

/** Reviews of what is past a maximum: who decides, in which order, what each decision keeps or lets go. */
const testing = testDatabase(import.meta.url);
let ground: PolicyGround;
let third: SignedIn;
let mailboxes: readonly string[] = [];
let mails: readonly string[] = [];
let made = 0;

beforeAll(async () => {
  ground = await policyGround(testing);
  third = await ground.server.member(ground.owner.organisationId, 'administrator');
}, 240_000);
beforeEach(async () => {
  await testing.asSuperuser(`update retention_policies set look_at = null where look_at is not null`);
  await testing.asSuperuser(`update retention_policies set ended_at = now() where activated_at is not null and ended_at is null`);
  mails = Array.from({ length: 3 }, () => oldMail(`Old ${(made += 1)}`));
  await ground.imports(2, [...mails, mail(`New ${made}`)]);
  mailboxes = [await ground.archiveIdOf(2)];
  // Earlier tests have left what they kept: each test is about its own mails.
  await testing.asSuperuser(
    `delete from catalog_items item using catalog_sources source where source.source_id = item.source_id and source.resource_id = $1
       and not item.item_key = any($2)`,
    [mailboxes[0], [...mails, mail(`New ${made}`)].map(hashOf)],
  );
}, 240_000);
afterAll(() => ground.close());

const stageOf = (...who: readonly SignedIn[]) => ({ reviewers: who.map(({ accountId }) => accountId) });
const named = (...hashes: readonly string[]) => hashes.map((messageId) => ({ mailboxId: mailboxes[0] ?? '', messageId }));

type Opens = Pick<Disposition, 'messageId' | 'locationId' | 'sourceId' | 'sequence'>;

async function waiting(who: SignedIn = ground.owner): Promise<readonly Disposition[]> {
  return (await ground.send<Page<Disposition>>('archive/dispositions?limit=200', { who })).body.items;
}

const decide = ({ policyId }: Policy, who: SignedIn, messages: ReturnType<typeof named>, said: object = {}) =>
  ground.send<{ decided: number }>('archive/dispositions', {
    who,
    body: { policyId, messages, decision: 'delete', reason: 'No longer needed', ...said },
  });

test('A22: nothing that reviewers are asked about goes before the last stage said delete, and nobody decides twice', async () => {
  const { owner, second } = ground;
  const stages = [stageOf(owner, second), stageOf(owner, third)];
  const policy = await ground.inForce('Reviewed', { mailboxes, stages });
  expect(policy.stages.map(({ reviewers }) => reviewers.map(({ email }) => email).toSorted())).toEqual(
    [
      [owner, second],
      [owner, third],
    ].map((people) => people.map(({ email }) => email).toSorted()),
  );
  expect(await ground.look(policy)).toBe(0);
  expect(await ground.listed(policy)).toEqual([]);
  const first = await waiting();
  expect(new Set(first.map(({ messageId }) => messageId))).toEqual(new Set(mails.map(hashOf)));
  expect(first[0]).toMatchObject({ stage: 1, stages: 2, mayDecide: true, before: [] });
  // Each says where it opens, as the list of its mailbox does.
  const placeOf = ({ messageId, locationId, sourceId, sequence }: Opens) => ({ messageId, locationId, sourceId, sequence });
  const listed = await ground.send<Page<Opens>>(`archive/mailboxes/${mailboxes[0] ?? ''}/messages`, {
    body: { reason: 'To decide', limit: 100 },
  });
  const known = new Map(listed.body.items.map((message) => [message.messageId, placeOf(message)]));
  expect(first.map(placeOf)).toEqual(first.map(({ messageId }) => known.get(messageId)));
  expect((await waiting(third)).every(({ mayDecide }) => !mayDecide)).toBe(true);
  expect((await decide(policy, third, named(hashOf(mails[0] ?? '')))).body.code).toBe('retention.not-reviewer');

  const [a = '', b = '', c = ''] = mails.map(hashOf);
  expect((await decide(policy, owner, named(a, b))).body).toEqual({ decided: 2 });
  // The same person is a reviewer of both stages, and has decided at the first.
  expect((await decide(policy, owner, named(a))).body.code).toBe('retention.decided-before');
  expect(await ground.look(policy)).toBe(0);
  // One of the list does not wait at that stage for this person: nothing of the list is decided.
  expect((await decide(policy, third, named(a, c))).body.code).toBe('retention.not-reviewer');
  const middle = await waiting(third);
  expect(middle.find(({ messageId }) => messageId === a)).toMatchObject({
    stage: 2,
    mayDecide: true,
    before: [{ stage: 1, by: owner.email, reason: 'No longer needed' }],
  });
  expect((await decide(policy, third, named(a))).body).toEqual({ decided: 1 });
  expect((await decide(policy, third, named(a))).body.code).toBe('retention.not-waiting');
  expect(await ground.look(policy)).toBe(1);
  const deletion = await ground.newest(policy);
  expect(deletion).toMatchObject({ state: 'approved', basis: 'expiry', listed: { messages: 1 } });
  // Whatever takes the word of the last stage away during the quarantine keeps the message.
  expect(await ground.carriedOut(deletion)).toMatchObject({ state: 'finished', erased: { messages: 1 } });
  const left = await ground.archived(2);
  expect(left).not.toContain(a);
  expect(left).toEqual(expect.arrayContaining([b, c]));
  const events = await testing.asSuperuser(
    `select entry from (select to_jsonb(inbox) as entry from audit_inbox inbox union all select to_jsonb(event) from audit_events event) logged
     where entry::text like '%retention.reviewed%'`,
  );
  expect(events).toHaveLength(2);
  expect(JSON.stringify(events)).toContain(a);
}, 240_000);

test('A22: a list whose word of the last stage is gone deletes nothing', async () => {
  const policy = await ground.inForce('One stage', { mailboxes, stages: [stageOf(ground.owner)] });
  await ground.look(policy);
  expect((await decide(policy, ground.owner, named(...mails.map(hashOf)))).body).toEqual({ decided: 3 });
  expect(await ground.look(policy)).toBe(3);
  await testing.asSuperuser(`delete from disposition_items where policy_id = $1`, [policy.policyId]);
  const done = await ground.carriedOut(await ground.newest(policy));
  expect(done).toMatchObject({ state: 'finished', erased: { messages: 0 }, kept: { messages: 3 } });
  expect(done.keepers).toMatchObject([{ kind: 'notDue', name: 'One stage' }]);
}, 240_000);

test('A20, A23: what a reviewer keeps longer is kept from every deletion until that day, and asked about again after it', async () => {
  const policy = await ground.inForce('Kept longer', { mailboxes, stages: [stageOf(ground.owner)] });
  await ground.look(policy);
  const [a = '', b = ''] = mails.map(hashOf);
  expect((await decide(policy, ground.owner, named(a), { decision: 'keep', until: '2026-01-01' })).body.code).toBe('retention.until-past');
  expect((await decide(policy, ground.owner, named(a), { decision: 'keep' })).status).toBe(400);
  expect((await decide(policy, ground.owner, named(a), { decision: 'keep', until: '2099-12-31' })).body).toEqual({ decided: 1 });
  const draft = await ground.drafted(2, { messageIds: [a, b] });
  expect(draft).toMatchObject({ listed: { messages: 2 }, kept: { messages: 1 } });
  expect(draft.keepers).toMatchObject([{ kind: 'minimum', name: 'Kept longer', messages: 1 }]);
  expect(draft.keepers[0]?.until).toMatch(/^2099-12-31|^2100-01-01/u);
  const minimums = await ground.minimumsOn(mailboxes[0] ?? '', ground.tenant.locationId);
  expect(minimums.map(({ name }) => name)).toEqual(['Kept longer']);
  await ground.inForce('Over long ago', { mailboxes, length: { amount: 1, unit: 'days' }, maximum: null });
  expect((await ground.minimumsOn(mailboxes[0] ?? '', ground.tenant.locationId)).map(({ name }) => name)).toContain('Kept longer');
  // It goes on under the policy that takes the place of this one.
  const next = await ground.inForce('Kept longer', { mailboxes, replaces: policy.policyId });
  expect((await ground.send<typeof draft>(`archive/deletions/${draft.deletionId}/preview`, { body: {} })).body.kept.messages).toBe(1);
  await ground.look(next);
  expect((await ground.newest(next)).listed.messages).toBe(2);
  // The day is over: a policy that asks, asks again.
  const again = await ground.inForce('Kept longer', { mailboxes, stages: [stageOf(ground.owner)], replaces: next.policyId });
  await testing.asSuperuser(`update disposition_items set keep_until = '2026-01-01' where policy_id = $1 and state = 'kept'`, [
    again.policyId,
  ]);
  await ground.look(again);
  expect((await waiting()).map(({ messageId }) => messageId)).toContain(a);
}, 240_000);

test('A20, A23: a message that comes under another policy is kept and deleted by that one', async () => {
  const other = await ground.inForce('Contracts', {
    mailboxes: [await archiveOf(1)],
    length: { amount: 50, unit: 'years' },
    maximum: null,
  });
  const policy = await ground.inForce('Moves', { mailboxes, stages: [stageOf(ground.owner)] });
  await ground.look(policy);
  const [a = '', b = ''] = mails.map(hashOf);
  const to = { decision: 'move', toPolicyId: other.policyId };
  expect((await decide(policy, ground.owner, named(a), { ...to, toPolicyId: policy.policyId })).body.code).toBe('retention.not-active');
  expect((await decide(policy, ground.owner, named(a), to)).body).toEqual({ decided: 1 });
  const draft = await ground.drafted(2, { messageIds: [a, b] });
  expect(draft.keepers).toMatchObject([{ kind: 'minimum', name: 'Contracts', messages: 1 }]);
  expect((await ground.minimumsOn(mailboxes[0] ?? '', ground.tenant.locationId)).map(({ name }) => name)).toEqual(['Contracts']);
  // The policy in whose place another comes keeps what reviewers brought there; that one deletes it when its maximum is over.
  const deletes = await ground.inForce('Contracts', { mailboxes: [await archiveOf(1)], replaces: other.policyId });
  expect(await ground.look(deletes)).toBe(1);
  expect(await ground.carriedOut(await ground.newest(deletes))).toMatchObject({ erased: { messages: 1 } });
  expect(await ground.archived(2)).not.toContain(a);
}, 240_000);

async function archiveOf(at: number): Promise<string> {
  await ground.imports(at, [mail(`Makes the archive ${(made += 1)}`)]);
  return ground.archiveIdOf(at);
}

test('A23: stages without different people, without a maximum or with somebody who may not decide are refused', async () => {
  const { owner } = ground;
  const reader = await ground.server.member(owner.organisationId, 'reader');
  const body = { name: 'Refused', anchor: 'received', start: 'day', length: null, maximum: { amount: 1, unit: 'years' }, mailboxes };
  const refused = async (terms: object) => (await ground.policy('', { body: { ...body, ...terms } })).body.code;
  expect(await refused({ stages: [stageOf(owner), stageOf(owner)] })).toBe('request.invalid');
  expect(await refused({ stages: [stageOf()] })).toBe('request.invalid');
  expect(await refused({ stages: [stageOf(owner)], length: { amount: 1, unit: 'years' }, maximum: null })).toBe('request.invalid');
  expect(await refused({ stages: [stageOf(reader)] })).toBe('retention.reviewer-unknown');
  expect((await ground.policy('', { body: { ...body, stages: [stageOf(owner), stageOf(owner, third)] } })).status).toBe(201);
});

test('reviewers are mailed what waits for their stage, and again after a week', async () => {
  const { owner, second } = ground;
  const policy = await ground.inForce('Reminds', { mailboxes, stages: [stageOf(owner), stageOf(second)] });
  await ground.look(policy);
  const told = async () => {
    await ground.remind();
    return ground.told.splice(0).map(({ messages, reviewers }) => ({ messages, reviewers }));
  };
  expect(await told()).toEqual([{ messages: 3, reviewers: [owner.accountId] }]);
  expect(await told()).toEqual([]);
  await testing.asSuperuser(`update retention_policies set remind_at = now() - interval '1 minute' where policy_id = $1`, [
    policy.policyId,
  ]);
  expect(await told()).toHaveLength(1);
  const [row] = await testing.asSuperuser(
    `select remind_at > now() + interval '6 days' and remind_at < now() + interval '8 days' as is_weekly from retention_policies where policy_id = $1`,
    [policy.policyId],
  );
  expect(row).toEqual({ is_weekly: true });
  await decide(policy, owner, named(...mails.map(hashOf)));
  await testing.asSuperuser(`update retention_policies set remind_at = now() - interval '1 minute' where policy_id = $1`, [
    policy.policyId,
  ]);
  expect(await told()).toEqual([{ messages: 3, reviewers: [second.accountId] }]);
}, 240_000);
