import { roles } from '@holdfast/contract/actions';
import type { SearchAnswer } from '@holdfast/contract/search';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { NEEDED, refused, startContentGround, thrice, type ContentGround } from './testing/content-ground.ts';

/** A27: messages that the owner of a mailbox has marked as private. */
const testing = testDatabase(import.meta.url);
let on: ContentGround;
let mailbox: ContentGround['mailbox'];
let other: ContentGround['other'];
const aCase: ContentGround['aCase'] = (...asked) => on.aCase(...asked);
const actorOf: ContentGround['actorOf'] = (...asked) => on.actorOf(...asked);
const all: ContentGround['all'] = (...asked) => on.all(...asked);
const grant: ContentGround['grant'] = (...asked) => on.grant(...asked);
const personOf: ContentGround['personOf'] = (...asked) => on.personOf(...asked);
const searched: ContentGround['searched'] = (...asked) => on.searched(...asked);
const setAccess: ContentGround['setAccess'] = (...asked) => on.setAccess(...asked);

beforeAll(async () => {
  on = await startContentGround(testing);
  ({ mailbox, other } = on);
}, 120_000);
afterAll(() => on.server.close());
beforeEach(() => on.reset());

const ORIGINAL = 'a'.repeat(64);
/** The owner of the mailbox marks its first message, of which a backup has the bytes. */
async function markPrivate(): Promise<void> {
  const contents = JSON.stringify([{ role: 'mime', ref: { sha256: ORIGINAL, sizeBytes: 1, parts: [] } }]);
  await testing.asSuperuser(
    "update catalog_items set detail = jsonb_set(detail::jsonb, '{contents}', $1::jsonb)::json where item_key = 'm1'",
    [contents],
  );
  await testing.asSuperuser("update search_items set content_hash = $1 where item_key = 'm1'", [ORIGINAL]);
  await testing.asSuperuser(
    `insert into private_messages (organisation_id, realm, tenant_id, graph_id, message_id, marked_by, marked_at)
     select organisation_id, realm, tenant_id, graph_id, $1, gen_random_uuid(), now() from resources where resource_id = $2`,
    [ORIGINAL, mailbox.resourceId],
  );
}
const PRIVATE = thrice('content.private');

test.each(roles)(
  'A27: a private message opens to no role and on no right but one over private messages, and is neither found nor counted, as %s',
  async (role) => {
    await setAccess('open');
    await markPrivate();
    const isOpen = role === 'owner' || role === 'administrator';
    const others = isOpen ? ['A foreign offer', 'Another offer'] : ['Another offer'];
    expect(await all(actorOf(role))).toEqual(isOpen ? PRIVATE : NEEDED);
    expect(await all(actorOf(role), 'all')).toEqual(isOpen ? PRIVATE : NEEDED);
    expect(await all(actorOf(role), ['m2'])).toEqual(isOpen ? thrice('role') : NEEDED);
    expect(await searched(role)).toEqual(isOpen ? [200, others, 2] : refused);
    await grant(role);
    expect(await all(actorOf(role))).toEqual(PRIVATE);
    expect(await all(actorOf(role), 'all')).toEqual(PRIVATE);
    expect(await all(actorOf(role), ['m1', 'm2'])).toEqual(PRIVATE);
    expect(await all(actorOf(role), ['m2'])).toEqual(thrice(isOpen ? 'role' : 'proxy'));
    expect(await searched(role)).toEqual([200, others, others.length]);
    await grant(role, { includes_private: true });
    expect(await all(actorOf(role))).toEqual(thrice('proxy'));
    expect(await all(actorOf(role), 'all')).toEqual(thrice('proxy'));
    expect(await searched(role)).toEqual([200, [...others, 'An offer'].toSorted((a, b) => a.localeCompare(b)), others.length + 1]);
    await testing.asSuperuser('delete from proxy_rights');
    await testing.asSuperuser('update resources set address = $1 where resource_id = $2', [personOf(role).email, mailbox.resourceId]);
    expect(await all(actorOf(role))).toEqual(thrice('own'));
    expect(await searched(role)).toEqual([200, [...others, 'An offer'].toSorted((a, b) => a.localeCompare(b)), others.length + 1]);
  },
);

test('A27: a right over private messages opens them in its own mailbox and period alone, and under strict access too', async () => {
  await markPrivate();
  await grant('reader', { includes_private: true, mail_from: new Date('2025-01-01') });
  expect(await all(actorOf('reader'))).toEqual(thrice('content.outside-period'));
  await testing.asSuperuser('update proxy_rights set mail_from = null, access_to = now()');
  expect(await all(actorOf('reader'))).toEqual(NEEDED);
  await testing.asSuperuser("update proxy_rights set access_to = now() + interval '1 hour'");
  expect(await all(actorOf('reader'))).toEqual(thrice('proxy'));
  await testing.asSuperuser('update private_messages set graph_id = (select graph_id from resources where resource_id = $1)', [
    other.resourceId,
  ]);
  await grant('auditor');
  expect(await all(actorOf('auditor')), "somebody else's mark hides nothing").toEqual(thrice('proxy'));
});

test('A27: a case opens what it finds of private messages, for they are exempt from no hold and no search of a case', async () => {
  await setAccess('open');
  await markPrivate();
  await aCase('offer', [{ role: 'administrator' }, { role: 'auditor' }]);
  expect(await all(actorOf('administrator'))).toEqual(['case', 'case', 'content.private']);
  expect(await all(actorOf('auditor'))).toEqual(['case', 'case', NEEDED[2]]);
});

test('A27: a folder of a mailbox with private messages opens as a whole to nobody whom they are hidden from', async () => {
  await setAccess('open');
  await markPrivate();
  await testing.asSuperuser("update catalog_items set is_container = true where item_key = 'm2'");
  expect(await all(actorOf('owner'), ['m2'])).toEqual(PRIVATE);
  await testing.asSuperuser("update catalog_items set is_container = false where item_key = 'm2'");
  expect(await all(actorOf('owner'), ['m2'])).toEqual(thrice('role'));
});

test('the field private: finds what is marked, for those alone who may see it', async () => {
  await setAccess('open');
  await markPrivate();
  const found = async (query: string): Promise<string[]> => {
    const answer = await on.server.send(`/apollo/api/${on.ground.tenantId}/archive/search`, {
      token: personOf('owner').tokens.main,
      body: { query, reason: 'Test' },
    });
    return ((await answer.json()) as SearchAnswer).items.map(({ title }) => title).toSorted((a, b) => a.localeCompare(b));
  };
  expect(await found('private:true')).toEqual([]);
  expect(await found('offer private:false')).toEqual(['A foreign offer', 'Another offer']);
  await testing.asSuperuser('update resources set address = $1 where resource_id = $2', [personOf('owner').email, mailbox.resourceId]);
  expect(await found('private:true')).toEqual(['An offer']);
  expect(await found('offer -private:true')).toEqual(['A foreign offer', 'Another offer']);
});
