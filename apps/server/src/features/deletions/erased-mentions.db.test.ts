import type { DeletionDetails, DeletionMention } from '@holdfast/contract/deletions';
import type { Page } from '@holdfast/contract/paging';
import type { SearchAnswer } from '@holdfast/contract/search';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { act, everyone } from '../../testing/simulated-tenant.ts';
import { deletionGround, hashOf, type DeletionGround } from './testing/deletion-ground.ts';

/** Where the person of an erasure is mentioned in what is not theirs, and what of it is erased with the rest. */
const testing = testDatabase(import.meta.url);
let ground: DeletionGround;
const texts = {
  from: () => `From: ${ground.person(0).address}\r\nTo: x@fabrikam.example\r\nSubject: From them\r\n\r\nQuince\r\n`,
  named: () => `From: x@fabrikam.example\r\nTo: y@fabrikam.example\r\nSubject: Named\r\n\r\nAsk ${ground.person(0).name}.\r\n`,
  held: () => `From: x@fabrikam.example\r\nTo: ${ground.person(0).address}\r\nSubject: Held\r\n\r\nQuince\r\n`,
  neither: () => 'From: x@fabrikam.example\r\nTo: y@fabrikam.example\r\nSubject: Unrelated\r\n\r\nQuince\r\n',
};

beforeAll(async () => {
  ground = await deletionGround(testing);
  for (const [name, text] of Object.entries(texts)) {
    const user = ground.person(name === 'held' ? 2 : 1).id;
    act(ground.simulator, 'mail.deliver', { user, folder: 'inbox', mime: Buffer.from(text(), 'latin1').toString('base64') });
  }
  const source = { ...everyone, everyone: false, users: [0, 1, 2].map((at) => ground.person(at)) };
  for (const type of ['backup', 'archive']) await ground.tenant.finish(await ground.tenant.job({ type, name: type, source }));
  await vi.waitFor(
    async () => {
      const { coverage } = await searched('');
      if (coverage.items === 0 || coverage.searched < coverage.items) throw new Error('Not everything has been read yet.');
    },
    { timeout: 60_000, interval: 300 },
  );
}, 240_000);
afterAll(() => ground.close());

const searched = async (query: string): Promise<SearchAnswer> =>
  (await ground.send<SearchAnswer>('archive/search', { body: { query, reason: 'Compare', limit: 200 } })).body;
const mentionsOf = async ({ deletionId }: DeletionDetails): Promise<Page<DeletionMention>> =>
  (await ground.send<Page<DeletionMention>>(`archive/deletions/${deletionId}/mentions?limit=200`)).body;
const change = ({ deletionId }: DeletionDetails, verb: '' | '/exclude', body: object) =>
  ground.send<DeletionDetails>(`archive/deletions/${deletionId}/mentions${verb}`, { body });

/** Which of the delivered messages each kind of resource has at any restore point, by subject. */
async function kept(kind: string): Promise<string[]> {
  const rows = await testing.asSuperuser(
    `select distinct catalog_items.name from catalog_items join catalog_sources using (source_id) join resources using (resource_id)
     where resources.kind = $1 and catalog_items.name = any($2) order by 1`,
    [kind, ['From them', 'Named', 'Held', 'Unrelated']],
  );
  return rows.map((row) => String(row['name']));
}

test('mentions are found exactly, judged by holds, and go from backup and archive with the erasure that takes them in', async () => {
  const { name, address } = ground.person(0);
  const [mailbox] = await testing.asSuperuser("select resource_id from resources where kind = 'mailbox' and graph_id = $1", [
    ground.person(0).id,
  ]);
  const [other] = await testing.asSuperuser("select resource_id from resources where kind = 'mailbox' and graph_id = $1", [
    ground.person(2).id,
  ]);
  const hold = { name: 'Case 12', reason: 'A dispute', resourceId: String(other?.['resource_id']), from: null, to: null };
  expect((await ground.send('holds', { body: hold })).status).toBe(201);
  const body = { resourceId: String(mailbox?.['resource_id']), reason: 'Art. 17, ticket 12' };
  const draft = (await ground.send<DeletionDetails>('archive/deletions/people', { body })).body;
  const own = draft.listed.messages;

  const found = await mentionsOf(draft);
  const query = `(from:"${address}" OR recipients:"${address}" OR "${name}") -mailbox="${address}"`;
  expect(found.total).toBe((await searched(query)).total);
  const mention = (subject: string) => {
    const one = found.items.find(({ hit }) => hit.title === subject);
    if (!one) throw new Error(`${subject} is not listed.`);
    return one;
  };
  for (const subject of ['From them', 'Named', 'Held']) expect(mention(subject)).toMatchObject({ state: null, keepers: [] });
  expect(found.items.map(({ hit }) => hit.title)).not.toContain('Unrelated');

  // One by one, and back: with its copy in the archive.
  const one = { hitIds: [mention('Named').hit.hitId] };
  expect((await change(draft, '', one)).body.listed.messages).toBe(own + 2);
  const [shown] = (await mentionsOf(draft)).items.filter(({ hit }) => hit.title === 'Named');
  expect(shown).toMatchObject({ state: 'listed' });
  expect((await change(draft, '/exclude', one)).body.listed.messages).toBe(own);
  // A number that is no mention takes nothing in.
  const [unrelated] = (await searched('Unrelated')).items.filter(({ title }) => title === 'Unrelated');
  expect(await change(draft, '', { hitIds: [unrelated?.hitId] })).toMatchObject({ status: 400, body: { code: 'search.nothing-selected' } });

  const all = (await change(draft, '', {})).body;
  expect(all.listed.messages).toBeGreaterThanOrEqual(own + 6);
  expect(all.keepers).toMatchObject([{ kind: 'hold', name: 'Case 12', messages: all.kept.messages }]);
  expect(all.mailboxes.filter(({ isMention }) => isMention).map(({ mailboxId }) => mailboxId)).toContain(String(other?.['resource_id']));
  expect(all.mailboxes.filter(({ isMention }) => !isMention).every(({ email }) => email.toLowerCase() === address.toLowerCase())).toBe(
    true,
  );
  const judged = (await mentionsOf(draft)).items.filter(({ hit }) => hit.title === 'Held');
  expect(judged).toMatchObject([{ state: 'kept', keepers: [{ kind: 'hold', name: 'Case 12', until: null }] }]);

  const done = await ground.executed(all);
  expect(done).toMatchObject({ state: 'finished', erased: { messages: all.listed.messages - all.kept.messages }, gone: 0 });
  for (const kind of ['mailbox', 'archive']) expect(await kept(kind), kind).toEqual(['Held', 'Unrelated']);
  const left = await mentionsOf(draft);
  expect(left.items.every(({ state }) => state === 'kept')).toBe(true);
  expect(await change(draft, '', {})).toMatchObject({ status: 409, body: { code: 'deletions.not-draft' } });
  const gone = (await ground.tombstones(draft)).items.map(({ messageId }) => messageId);
  for (const text of [texts.from(), texts.named()]) expect(gone).toContain(hashOf(text));
  const log = await testing.asSuperuser(
    `select distinct event from (select event, subject_id from audit_inbox union all select event, subject_id from audit_events) told
     where subject_id = $1 and event like 'deletions.mentions-%' order by 1`,
    [draft.deletionId],
  );
  expect(log.map(({ event }) => event)).toEqual(['deletions.mentions-added', 'deletions.mentions-listed', 'deletions.mentions-removed']);
}, 240_000);
