import { testDatabase } from '@holdfast/database/testing/test-database';
import { systemClock as clock } from '@holdfast/foundation/clock';
import { onCrashPoint } from '@holdfast/foundation/crash-point';
import { silentLogger as logger } from '@holdfast/foundation/logger';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createMailQueue } from '../../mail/mail-queue.ts';
import { aSealing, testIds as ids } from '../../testing/rows.ts';
import { createApprovalsFeature } from '../approvals/index.ts';
import { createAuditInbox } from '../audit/index.ts';
import { deletionEffects } from './deletion-effects.ts';
import { createDeletionsStore } from './deletions.store.ts';
import { deletionGround, hashOf, mail, type DeletionGround } from './testing/deletion-ground.ts';

/** Deletions of archived messages over HTTP: two people, a list, a quarantine, and what is left. */
const testing = testDatabase(import.meta.url);
let ground: DeletionGround;

beforeAll(async () => {
  ground = await deletionGround(testing);
}, 240_000);
afterEach(() => onCrashPoint(undefined));
afterAll(() => ground.close());

test('a deletion is drafted, previewed, requested, approved by another person, waits a day and leaves tombstones', async () => {
  const mails = [mail('Salary one'), mail('Salary two'), mail('Lunch')];
  await ground.imports(0, mails);
  const draft = await ground.drafted(0, { subject: 'Salary' });
  expect(draft).toMatchObject({ listed: { messages: 2 }, kept: { messages: 0 }, keepers: [], remains: null, approval: null });
  expect(draft.mailboxes).toMatchObject([{ email: ground.person(0).address, locationName: 'Vault', listed: { messages: 2 } }]);
  expect((await ground.step('stop', draft)).body.code).toBe('deletions.not-stoppable');
  expect((await ground.step('request', draft)).body).toMatchObject({ state: 'waiting', requester: ground.owner.email });
  // Nobody approves what they have asked for, and waiting is no second person.
  expect((await ground.decide(draft, 'approve', ground.owner)).body.code).toBe('approvals.second-person-needed');
  expect((await ground.decide(draft, 'delay', ground.owner)).body.code).toBe('approvals.second-person-needed');
  expect((await ground.decide(draft, 'approve')).body).toMatchObject({ status: 'approved', decider: ground.second.email });
  const waiting = await ground.read(draft);
  expect(waiting).toMatchObject({ state: 'approved', approver: ground.second.email, runId: null });
  expect(Date.parse(waiting.dueAt ?? '') - Date.parse(waiting.decidedAt ?? '')).toBe(24 * 3_600_000);
  expect(await ground.startDue(draft)).toBe(false);
  await ground.passQuarantine(draft);
  expect(await ground.startDue(draft)).toBe(true);
  expect(await ground.ended(draft)).toMatchObject({ state: 'finished', erased: { messages: 2 }, kept: { messages: 0 }, gone: 0 });
  expect(await ground.archived(0)).toEqual([hashOf(mails[2] ?? '')]);
  await ground.expectCounted(0);
  const { items, total } = await ground.tombstones(draft);
  expect([total, items.map(({ messageId }) => messageId).sort()]).toEqual([2, mails.slice(0, 2).map(hashOf).sort()]);
  expect(items[0]).toMatchObject({
    requester: ground.owner.email,
    approver: ground.second.email,
    basis: 'erasure',
    reason: 'Art. 17, ticket 4711',
  });
  expect(Object.keys(items[0] ?? {}).sort()).toEqual(
    [
      'approver',
      'archivedAt',
      'basis',
      'erasedAt',
      'logIndex',
      'mailbox',
      'messageId',
      'reason',
      'receivedAt',
      'requester',
      'sizeBytes',
    ].sort(),
  );
  expect(JSON.stringify(items)).not.toMatch(/Salary|ada@proseware/u);
  const events = await testing.asSuperuser(
    `select entry ->> 'event' as event from (select to_jsonb(e) as entry from audit_events e union all select to_jsonb(i) from audit_inbox i) log`,
  );
  const told = events.map(({ event }) => event);
  for (const event of ['deletions.drafted', 'deletions.requested', 'approvals.approved', 'archive.erased', 'deletions.finished'])
    expect(told).toContain(event);
  // The log numbers what waits in its inbox before it is verified.
  expect((await ground.send<{ ok: boolean }>('audit/verify', { body: {} })).body.ok).toBe(true);
  expect((await ground.tombstones(draft)).items.every(({ logIndex }) => logIndex !== null)).toBe(true);
}, 240_000);

test('a rejection needs a reason, a stop brings the draft back, and a list that has changed needs another preview', async () => {
  await ground.imports(1, [mail('Draft A'), mail('Draft B')]);
  const rejected = await ground.drafted(1, { subject: 'Draft' });
  await ground.step('request', rejected);
  expect((await ground.decide(rejected, 'refuse')).body.code).toBe('approvals.reason-needed');
  expect((await ground.decide(rejected, 'refuse', ground.second, { reason: 'These are letters.' })).body).toMatchObject({
    status: 'refused',
  });
  expect(await ground.read(rejected)).toMatchObject({
    state: 'rejected',
    rejection: 'These are letters.',
    approval: { decisionReason: 'These are letters.' },
  });
  const draft = await ground.drafted(1, { subject: 'Draft' });
  await ground.approved(draft);
  expect((await ground.step('stop', draft, ground.second)).body).toMatchObject({
    state: 'draft',
    returned: 'stopped',
    returnedBy: ground.second.email,
    dueAt: null,
  });
  expect(await ground.startDue(draft)).toBe(false);
  await ground.step('request', draft);
  await testing.asSuperuser(`update catalog_items set from_point = from_point + 1000 where item_key = $1 and to_point = 9007199254740991`, [
    hashOf(mail('Draft A')),
  ]);
  expect((await ground.decide(draft, 'approve')).body).toMatchObject({ status: 'superseded' });
  expect(await ground.read(draft)).toMatchObject({ state: 'draft', returned: 'listChanged', approver: null });
  expect((await ground.step('request', draft)).body.code).toBe('deletions.list-changed');
  await ground.step('preview', draft);
  expect((await ground.step('request', draft)).body.state).toBe('waiting');
  expect((await ground.decide(draft, 'withdraw', ground.owner)).status).toBe(200);
  expect(await ground.read(draft)).toMatchObject({ state: 'draft', returned: 'withdrawn' });
  await testing.asSuperuser(`update catalog_items set from_point = from_point - 1000 where item_key = $1 and to_point = 9007199254740991`, [
    hashOf(mail('Draft A')),
  ]);
  expect((await ground.archived(1)).length).toBe(2);
}, 240_000);

/** What the scheduler does each minute with requests that nobody decides. */
async function sweepApprovals(): Promise<number> {
  const { database } = testing;
  const sent: string[] = [];
  const transport = { send: async ({ to }: { readonly to: string }) => void sent.push(to) };
  const mail = createMailQueue({ database, sealing: aSealing(database), transport, clock, ids, logger });
  const audit = createAuditInbox({ clock, ids });
  const config = { HOLDFAST_APPROVER_DAYS: 7 };
  const approvals = createApprovalsFeature({ config, database, audit, mail, publicUrl: () => '', clock, ids, logger });
  approvals.on('messageDeletion', deletionEffects({ store: createDeletionsStore(database), clock }));
  return approvals.sweep();
}

test('a request for erasure that nobody decides in seven days lapses: it is a draft again, deletes nothing and needs another request', async () => {
  const mails = [mail('Lapsed A'), mail('Lapsed B')];
  await ground.imports(0, mails);
  const draft = await ground.drafted(0, { subject: 'Lapsed' });
  await ground.step('request', draft);
  const age = (hours: number) =>
    testing.asSuperuser(
      `update approvals set requested_at = now() - interval '${hours} hours' where subject_id = $1 and status = 'waiting'`,
      [draft.deletionId],
    );
  await age(7 * 24 - 1);
  expect(await sweepApprovals()).toBe(0);
  expect((await ground.read(draft)).state).toBe('waiting');
  await age(7 * 24);
  // Too late, whether or not anybody has looked.
  expect((await ground.decide(draft, 'approve')).body.code).toBe('approvals.not-open');
  expect(await sweepApprovals()).toBe(1);
  expect(await ground.read(draft)).toMatchObject({ state: 'draft', returned: 'expired', approver: null, dueAt: null });
  expect((await ground.decide(draft, 'approve')).body.code).toBe('approvals.not-open');
  await ground.passQuarantine(draft);
  expect(await ground.startDue(draft)).toBe(false);
  expect(await ground.archived(0)).toEqual(expect.arrayContaining(mails.map(hashOf)));
  expect((await ground.step('request', draft)).body).toMatchObject({ state: 'waiting' });
  expect((await ground.decide(draft, 'approve')).body).toMatchObject({ status: 'approved' });
  await ground.step('stop', draft);
}, 240_000);

test('A20: a hold, and the minimum of a policy, that come after the approval still win, and are named', async () => {
  await ground.imports(2, [mail('Kept A'), mail('Kept B')]);
  const hold = { name: 'Case 12', reason: 'A dispute', resourceId: await ground.archiveIdOf(2), from: null, to: null };
  const draft = await ground.drafted(2, { subject: 'Kept' });
  await ground.approved(draft);
  const { body: placed } = await ground.send<{ holdId: string }>('holds', { body: hold });
  await ground.passQuarantine(draft);
  await ground.startDue(draft);
  const kept = await ground.ended(draft);
  expect(kept).toMatchObject({ state: 'finished', erased: { messages: 0 }, kept: { messages: 2 } });
  expect(kept.keepers).toEqual([{ kind: 'hold', name: 'Case 12', until: null, messages: 2 }]);
  // While it is there, nothing can even be asked for.
  const again = await ground.drafted(2, { subject: 'Kept' });
  expect(again).toMatchObject({ kept: { messages: 2 }, keepers: [{ kind: 'hold', name: 'Case 12' }] });
  const refused = await ground.step('request', again);
  expect([refused.status, refused.body.code, refused.body.message]).toEqual([
    409,
    'deletions.all-kept',
    expect.stringContaining('Case 12'),
  ]);
  await testing.asSuperuser('update holds set released_at = now() where hold_id = $1', [placed.holdId]);
  expect((await ground.step('preview', again)).body.kept.messages).toBe(0);
  await ground.approved(again);
  await testing.asSuperuser(
    `insert into retention_policies (organisation_id, realm, policy_id, tenant_id, name, anchor, amount, unit, starts, fiscal_year_end,
       is_everything, created_by, creator, created_at, activated_at)
     values ($1, 'production', gen_random_uuid(), $2, 'Letters', 'received', 60, 'years', 'day', 12, true, gen_random_uuid(), 'x', now(), now())`,
    [ground.owner.organisationId, ground.tenant.tenantId],
  );
  await ground.passQuarantine(again);
  await ground.startDue(again);
  const minimum = await ground.ended(again);
  expect(minimum).toMatchObject({
    erased: { messages: 0 },
    kept: { messages: 2 },
    keepers: [{ kind: 'minimum', name: 'Letters', messages: 2 }],
  });
  expect(Date.parse(minimum.keepers[0]?.until ?? '')).toBeGreaterThan(Date.parse('2080-01-01'));
  expect((await ground.archived(2)).length).toBe(2);
  await testing.asSuperuser(`update retention_policies set ended_at = now()`);
}, 240_000);

test('only owners and administrators see and decide deletions, of their own organisation alone', async () => {
  const draft = await ground.drafted(0, {});
  for (const role of ['operator', 'auditor', 'reader'] as const) {
    const who = await ground.server.member(ground.owner.organisationId, role);
    for (const to of ['archive/deletions', `archive/deletions/${draft.deletionId}`, 'archive/tombstones'])
      expect([role, to, (await ground.send(to, { who })).status]).toEqual([role, to, 403]);
    expect((await ground.step('request', draft, who)).status).toBe(403);
  }
  const stranger = await ground.server.owner();
  expect((await ground.send(`archive/deletions/${draft.deletionId}`, { who: stranger })).status).toBe(404);
  for (const table of ['message_deletions', 'message_deletion_items', 'tombstones'] as const) {
    const seen = await testing.database.within({ organisationId: stranger.organisationId, realm: 'production' }, (tx) =>
      tx.selectFrom(table).select('organisation_id').execute(),
    );
    expect([table, seen]).toEqual([table, []]);
    const staged = await testing.database.within({ ...ground.scope, realm: 'staging' }, (tx) =>
      tx.selectFrom(table).select('realm').execute(),
    );
    expect([table, staged]).toEqual([table, []]);
  }
  // A selection of somebody else is none.
  const { selectionId } = await ground.selected(0, {});
  const body = { selectionId, basis: 'mistake', reason: 'Not mine' };
  expect((await ground.send('archive/deletions', { who: ground.second, body })).body.code).toBe('search.selection-unknown');
  expect((await ground.send(`archive/deletions/${draft.deletionId}`, { method: 'DELETE' })).status).toBe(204);
  expect((await ground.send(`archive/deletions/${draft.deletionId}`)).status).toBe(404);
}, 120_000);
