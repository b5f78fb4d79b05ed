import type { DeletionDetails } from '@holdfast/contract/deletions';
import type { Policy } from '@holdfast/contract/retention';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { act, everyone } from '../../testing/simulated-tenant.ts';
import { mail } from './testing/deletion-ground.ts';
import { policyGround, type PolicyGround } from './testing/policy-ground.ts';

/** Erasure of what a backup has and an archive has yet to take in: the minimum of its archive keeps it, whichever run comes first. */
const testing = testDatabase(import.meta.url);
let ground: PolicyGround;

beforeAll(async () => {
  ground = await policyGround(testing);
}, 240_000);
afterEach(async () => {
  await testing.asSuperuser(`update retention_policies set ended_at = now() where activated_at is not null and ended_at is null`);
  await testing.asSuperuser(`delete from jobs where type = 'archive'`);
});
afterAll(() => ground.close());

const only = (at: number, folders: object = {}) => ({ ...everyone, everyone: false, users: [ground.person(at)], ...folders });
const backupOf = (at: number) => ground.tenant.job({ type: 'backup', name: `Mail ${at}`, source: only(at) });
const archiveOf = (at: number, source: object = only(at), terms: object = {}) =>
  ground.tenant.job({ type: 'archive', name: `Archive ${at} ${Math.random()}`, source, ...terms });

function deliver(at: number, subject: string, folder = 'inbox'): void {
  const mime = Buffer.from(mail(subject).replaceAll('\n', '\r\n'), 'latin1').toString('base64');
  act(ground.simulator, 'mail.deliver', { user: ground.person(at).id, folder, mime });
}

async function mailboxOf(at: number): Promise<string> {
  const [row] = await testing.asSuperuser(`select resource_id from resources where kind = 'mailbox' and graph_id = $1`, [
    ground.person(at).id,
  ]);
  return String(row?.['resource_id']);
}

/** How many messages restore points of a mailbox, or its archive, have. */
async function messagesIn(at: number, kind: 'mailbox' | 'archive'): Promise<number> {
  const [row] = await testing.asSuperuser(
    `select count(distinct item.item_key)::int as messages from resources resource join catalog_sources source using (resource_id)
     join catalog_items item using (source_id) where resource.kind = $2 and resource.graph_id = $1 and item.kind = 'message'`,
    [ground.person(at).id, kind],
  );
  return Number(row?.['messages']);
}

async function draftOf(at: number): Promise<DeletionDetails> {
  const answer = await ground.send<DeletionDetails>('archive/deletions/people', {
    body: { resourceId: await mailboxOf(at), reason: 'Art. 17, ticket 816' },
  });
  expect(answer.status).toBe(201);
  return answer.body;
}

async function previewed({ deletionId }: DeletionDetails): Promise<DeletionDetails> {
  return (await ground.send<DeletionDetails>(`archive/deletions/${deletionId}/preview`, { body: {} })).body;
}

/** What keeps messages of a draft, as the second person reads it. */
const keeping = ({ keepers }: Pick<DeletionDetails, 'keepers'>) => keepers.map(({ kind, name, messages }) => ({ kind, name, messages }));

const forLong = { length: { amount: 60, unit: 'years' }, maximum: null };
const keeper = ({ name }: Policy, messages: number) => ({ kind: 'minimum', name, messages });

test('A23, A25: what only a backup has is kept by the minimum of its archive before the archive run and after it', async () => {
  const backup = await backupOf(0);
  await ground.tenant.finish(backup);
  deliver(0, 'Never archived');
  await ground.tenant.finish(backup);
  const messages = await messagesIn(0, 'mailbox');
  const policy = await ground.inForce('Letters', forLong);

  // No archive job covers the mailbox: no policy will ever keep these.
  const draft = await draftOf(0);
  expect(draft.kept.messages).toBe(0);

  const archive = await archiveOf(0);
  const before = await previewed(draft);
  expect(keeping(before)).toEqual([keeper(policy, messages)]);
  expect(Date.parse(before.keepers[0]?.until ?? '')).toBeGreaterThan(Date.parse('2060-01-01'));
  expect(await ground.executed(before)).toMatchObject({ state: 'finished', kept: { messages } });
  expect(await messagesIn(0, 'mailbox')).toBe(messages);

  await ground.tenant.finish(archive);
  const archived = await messagesIn(0, 'archive');
  expect(archived).toBeGreaterThan(0);
  const after = await draftOf(0);
  expect(keeping(after)).toEqual([keeper(policy, archived)]);
  expect(after.mailboxes.find(({ kind }) => kind === 'archive')).toMatchObject({
    listed: { messages: archived },
    kept: { messages: archived },
  });
  await ground.executed(after);
  expect(await messagesIn(0, 'archive')).toBe(archived);
}, 240_000);

test('A23: a policy or an archive job that comes during the quarantine keeps what an archive run has yet to take in', async () => {
  const backup = await backupOf(1);
  await ground.tenant.finish(backup);
  const messages = await messagesIn(1, 'mailbox');
  const draft = await ground.approved(await draftOf(1));
  expect(draft.kept.messages).toBe(0);
  await ground.inForce('Archived mail', { ...forLong, anchor: 'archived' });
  await archiveOf(1);
  await ground.passQuarantine(draft);
  await ground.startDue(draft);
  expect(await ground.ended(draft)).toMatchObject({ state: 'finished', kept: { messages } });
  expect(await messagesIn(1, 'mailbox')).toBe(messages);
}, 240_000);

test('A23: what no archive job takes goes: another mailbox, somebody exempt, folders that are left out', async () => {
  const backup = await backupOf(2);
  await ground.tenant.finish(backup);
  deliver(2, 'Junk', 'junkemail');
  await ground.tenant.finish(backup);
  const messages = await messagesIn(2, 'mailbox');
  const policy = await ground.inForce('Everything', forLong);
  const draft = await draftOf(2);
  const keptBy = async (source: object, terms: object = {}) => {
    await testing.asSuperuser(`delete from jobs where type = 'archive'`);
    await archiveOf(2, source, terms);
    return keeping(await previewed(draft));
  };
  expect(await keptBy(only(1))).toEqual([]);
  expect(await keptBy(everyone, { exempt: [ground.person(2)] })).toEqual([]);
  expect(await keptBy({ ...everyone, excluded: [ground.person(2)] })).toEqual([]);
  expect(await keptBy(everyone)).toEqual([keeper(policy, messages)]);
  // Whom a group has as members is known to Microsoft 365 alone.
  const group = { id: 'b0a1c2d3-0000-4000-8000-000000000001', name: 'Group', address: '' };
  expect(await keptBy({ ...everyone, everyone: false, groups: [group] })).toEqual([keeper(policy, messages)]);
  const [left] = await keptBy(only(2, { options: { junk: false } }));
  expect(left?.messages).toBeLessThan(messages);
  expect(left?.messages).toBeGreaterThan(0);
}, 240_000);
