import type { Conversation } from '@holdfast/contract/content';
import { testDatabase } from '@holdfast/database/testing/test-database';
import type { ItemVersion, JsonObject, ResourceKind } from '@holdfast/engine';
import { anItem, aSegment } from '@holdfast/engine/testing/builders';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createCatalog } from '../../storage/index.ts';
import { aResource, testIds } from '../../testing/rows.ts';
import { startContentGround, type ContentGround } from '../content-access/testing/content-ground.ts';
import { readWords } from '../search/testing/indexed.ts';

/** A26, A27: a message of a chat or channel with what was said around it, over HTTP. */
const testing = testDatabase(import.meta.url);
const { database } = testing;
let on: ContentGround;

/** A chat or team of which restore points are kept. */
interface Kept {
  readonly sourceId: string;
  readonly resourceId: string;
}
let chat: Kept;
let team: Kept;

const HIT = '2026-05-04T10:00:00Z';
const hours = (after: number): string => new Date(Date.parse(HIT) + after * 3_600_000).toISOString();
const text = (content: string): JsonObject => ({ body: { contentType: 'text', content }, from: { user: { displayName: 'Adele Vance' } } });

/** A message, said so many hours after the hit. */
function said(key: string, after: number, changes: Partial<ItemVersion> & { readonly more?: JsonObject } = {}): ItemVersion {
  const { more, ...rest } = changes;
  const properties = { ...text(`says ${key}`), createdDateTime: hours(after), ...more };
  return anItem(key, { kind: 'chatMessage', parentKey: 'chat:c', createdAt: hours(after), modifiedAt: hours(after), properties, ...rest });
}

/** Commits restore points in turn: when, what they bring and what is gone. */
async function kept(
  kind: ResourceKind,
  graphId: string,
  points: readonly { readonly at: string; readonly put: readonly ItemVersion[]; readonly removed?: readonly string[] }[],
): Promise<Kept> {
  const { scope, locationId } = on.ground;
  const resourceId = await aResource(database, on.ground, { kind, graphId, name: `The ${kind}`, workload: 'teams' });
  const catalog = createCatalog({ database, scope, locationId, ids: testIds });
  for (const [index, { at, put, removed = [] }] of points.entries())
    await catalog.apply(aSegment(resourceId, index + 1, { committedAt: at, put, removed }));
  const [row] = await testing.asSuperuser('select source_id from catalog_sources where resource_id = $1', [resourceId]);
  return { resourceId, sourceId: String(row?.['source_id']) };
}

async function memberOf(about: Kept): Promise<void> {
  const [row] = await testing.asSuperuser('select graph_id from resources where resource_id = $1', [on.mailbox.resourceId]);
  await testing.asSuperuser(
    `update catalog_items set detail = jsonb_set(detail::jsonb, '{properties,members}', $1::jsonb)::json where source_id = $2 and item_key = 'chat:c'`,
    [JSON.stringify([{ userId: row?.['graph_id'], email: 'adele@contoso.example' }]), about.sourceId],
  );
}

beforeAll(async () => {
  on = await startContentGround(testing);
  chat = await kept('chat', 'c', [
    {
      at: hours(-20),
      put: [
        anItem('chat:c', { kind: 'chat', name: 'The chat', properties: {} }),
        said('early', -30),
        said('gone', -11),
        said('deleted', -1),
      ],
    },
    {
      at: hours(30),
      put: [
        said('edge', -12),
        said('hit', 0),
        said('after', 11.9, { more: { attachments: [{ name: 'Offer.docx' }], lastEditedDateTime: hours(12.5) } }),
        said('late', 12.1),
        said('deleted', -1, { more: { ...text('taken back'), deletedDateTime: hours(1) } }),
      ],
      removed: ['gone'],
    },
  ]);
  await memberOf(chat);
  team = await kept('team', 't', [
    {
      at: hours(2),
      put: [
        anItem('channel:x', { kind: 'channel', name: 'General', properties: {} }),
        said('post', -100, { kind: 'post', parentKey: 'channel:x', more: { subject: 'Budget' } }),
        said('other', -1, { kind: 'post', parentKey: 'channel:x' }),
        said('answer', 0, { kind: 'reply', parentKey: 'post' }),
        said('last', 90, { kind: 'reply', parentKey: 'post' }),
        said('orphan', 0, { kind: 'reply', parentKey: 'nowhere' }),
      ],
    },
  ]);
  await readWords(database, on.ground.scope, { hit: 'Falcon offer', after: 'Yes', answer: 'Falcon too' }, { at: HIT });
}, 240_000);
afterAll(() => on.server.close());
beforeEach(() => on.reset());

type Role = Parameters<ContentGround['personOf']>[0];

async function asked(
  role: Role,
  of: Kept,
  nodeId: string,
  more: object = {},
): Promise<{ status: number; body: Conversation & { code?: string } }> {
  const { tenantId, locationId } = on.ground;
  const answer = await on.server.send(`/apollo/api/${tenantId}/conversations`, {
    token: on.personOf(role).tokens.main,
    body: { locationId, sourceId: of.sourceId, nodeId, reason: 'Falcon', ...more },
  });
  return { status: answer.status, body: (await answer.json()) as Conversation & { code?: string } };
}

const keysOf = ({ body }: Awaited<ReturnType<typeof asked>>): string[] => body.messages.map(({ nodeId }) => nodeId);
const refusal = ({ status, body }: Awaited<ReturnType<typeof asked>>): string => `${status} ${body.code}`;

/** The openings of conversations that the log has, the last one first. */
async function openings(): Promise<readonly Record<string, unknown>[]> {
  return testing.asSuperuser(
    `select payload ->> 'reason' as reason, payload -> 'details' as details, subject_id as item from (
       select at, event, subject_id, payload::jsonb as payload from audit_events where payload is not null
       union all select at, event, subject_id, payload from audit_inbox) told
     where event = 'content.conversation-opened' order by at desc`,
  );
}

test('A27: a case opens what was said 12 hours before and after a hit, whatever its queries find of it', async () => {
  const caseId = await on.aCase('falcon', [{ role: 'administrator' }]);
  const { body, ...answer } = await asked('administrator', chat, 'hit');
  expect([answer.status, keysOf({ body, ...answer })]).toEqual([200, ['edge', 'gone', 'deleted', 'hit', 'after']]);
  expect(body).toMatchObject({
    kind: 'chat',
    title: 'The chat',
    from: new Date(hours(-12)).toISOString(),
    to: new Date(hours(12)).toISOString(),
  });
  expect(body.messages.filter(({ isHit }) => isHit).map(({ text: words }) => words)).toEqual(['says hit']);
  expect(body.gaps).toEqual([]);
  expect(await openings()).toMatchObject([{ reason: 'Falcon', item: 'hit', details: { ground: 'case', case: caseId, messages: 5 } }]);
});

test('what is no longer in Microsoft 365 is marked and keeps what it said', async () => {
  await on.setAccess('open');
  const { body } = await asked('owner', chat, 'hit');
  expect(body.messages.map(({ nodeId, text: words, isDeleted }) => [nodeId, words, isDeleted])).toEqual([
    ['edge', 'says edge', false],
    ['gone', 'says gone', true],
    ['deleted', 'taken back', true],
    ['hit', 'says hit', false],
    ['after', 'says after', false],
  ]);
  expect(body.messages.at(-1)).toMatchObject({ author: 'Adele Vance', attachments: ['Offer.docx'], isEdited: true, isHit: false });
});

test('A27: the surroundings of what a case does not find stay closed, and so do all of them to everybody else', async () => {
  await on.aCase('falcon', [{ role: 'administrator' }, { role: 'owner', addedBy: 'owner' }]);
  expect(refusal(await asked('administrator', chat, 'after'))).toBe('403 content.read-right-needed');
  for (const role of ['owner', 'operator', 'auditor', 'reader'] as const) expect(refusal(await asked(role, chat, 'hit'))).toMatch(/^403 /u);
  const { sourceId } = chat;
  await testing.asSuperuser('update cases set closed_at = now()');
  expect(refusal(await asked('administrator', { ...chat, sourceId }, 'hit'))).toBe('403 content.read-right-needed');
});

test('A27: the period of a case ends the window at either side, and says so', async () => {
  await on.aCase('falcon', [{ role: 'administrator' }], { from: new Date(hours(-2)), to: new Date(hours(3)) });
  const { body, status } = await asked('administrator', chat, 'hit');
  expect([status, keysOf({ body, status })]).toEqual([200, ['deleted', 'hit']]);
  expect([body.from, body.to]).toEqual([hours(-2), hours(3)]);
  expect(body.gaps).toEqual(['casePeriodBefore', 'casePeriodAfter', 'limitedRight']);
});

test('A27: an auditor reads of what was said around a message what their list has', async () => {
  const { scope, tenantId } = on.ground;
  const accessId = testIds.uuid();
  await database.within(scope, (tx) =>
    tx
      .insertInto('auditor_accesses')
      .values({
        access_id: accessId,
        tenant_id: tenantId,
        account_id: on.personOf('auditor').accountId,
        auditor: 'auditor@contoso.example',
        purpose: 'Audit',
        source_kind: 'search',
        source_id: testIds.uuid(),
        source_name: 'Falcon',
        query: 'falcon',
        items: 2,
        access_from: new Date(Date.now() - 60_000),
        access_to: new Date(Date.now() + 600_000),
        granter: 'owner',
        granted_at: new Date(),
      })
      .execute(),
  );
  await testing.asSuperuser(
    `insert into auditor_access_items (organisation_id, realm, access_id, source_id, item_key, from_point)
     select organisation_id, realm, $1, source_id, item_key, from_point from catalog_items
     where source_id = $2 and item_key in ('hit', 'after') and to_point > 2`,
    [accessId, chat.sourceId],
  );
  const { body, status } = await asked('auditor', chat, 'hit');
  expect([status, keysOf({ body, status })]).toEqual([200, ['hit', 'after']]);
  expect(body.gaps).toEqual(['limitedRight']);
  expect((await openings())[0]).toMatchObject({ details: { ground: 'auditor', auditorAccess: accessId, messages: 2 } });
  expect(refusal(await asked('auditor', chat, 'edge'))).toBe('403 content.read-right-needed');
  await testing.asSuperuser('delete from auditor_accesses');
});

test('a conversation says at which end messages may be missing', async () => {
  await on.setAccess('open');
  const place = 'update catalog_points set committed_at = $1 where source_id = $2 and sequence = $3';
  await testing.asSuperuser(place, [hours(11), chat.sourceId, 2]);
  expect((await asked('owner', chat, 'hit')).body.gaps).toEqual(['afterRestorePoints']);
  await testing.asSuperuser(place, [hours(-11), chat.sourceId, 1]);
  const { body } = await asked('owner', chat, 'hit');
  expect(body.gaps).toEqual(['beforeRestorePoints', 'afterRestorePoints']);
  expect([body.oldestPointAt, body.newestPointAt]).toEqual([hours(-11), hours(11)]);
  await testing.asSuperuser(place, [hours(-20), chat.sourceId, 1]);
  await testing.asSuperuser(place, [hours(30), chat.sourceId, 2]);
});

test('a message of a channel comes with its whole thread, and one whose first post is not kept says so', async () => {
  await on.setAccess('open');
  const { body, status } = await asked('owner', team, 'answer');
  expect([status, keysOf({ body, status })]).toEqual([200, ['post', 'answer', 'last']]);
  expect(body).toMatchObject({ kind: 'thread', title: 'The team · General', from: null, to: null });
  expect(body.messages.map(({ isHit, isReply, subject }) => [isHit, isReply, subject])).toEqual([
    [false, false, 'Budget'],
    [true, true, null],
    [false, true, null],
  ]);
  expect(body.gaps).toEqual(['beforeRestorePoints', 'afterRestorePoints']);
  expect((await asked('owner', team, 'orphan')).body.gaps).toContain('noFirstPost');
});

test('the hit is shown in the version that was found, its surroundings in the newest', async () => {
  await on.setAccess('open');
  const first = await asked('owner', chat, 'gone', { sequence: 1 });
  expect(keysOf(first)).toEqual(['edge', 'gone', 'deleted', 'hit']);
  const old = await asked('owner', chat, 'deleted', { sequence: 1 });
  expect(old.body.messages.find(({ isHit }) => isHit)).toMatchObject({
    nodeId: 'deleted',
    text: 'says deleted',
    isDeleted: true,
  });
  expect(refusal(await asked('owner', chat, 'gone'))).toBe('404 content.item-unknown');
});

test('what is no message of a chat or channel has no surroundings, which is said to whoever may open it alone', async () => {
  const [mail] = await testing.asSuperuser('select source_id from catalog_sources where resource_id = $1', [on.mailbox.resourceId]);
  const place = { resourceId: on.mailbox.resourceId, sourceId: String(mail?.['source_id']) };
  expect(refusal(await asked('owner', place, 'm1'))).toBe('403 content.read-right-needed');
  await on.setAccess('open');
  expect(refusal(await asked('owner', place, 'm1'))).toBe('422 content.no-conversation');
  expect(refusal(await asked('owner', chat, 'nothing'))).toBe('404 content.item-unknown');
});

test('A26: what cannot be logged is not opened', async () => {
  await on.setAccess('open');
  await testing.asSuperuser('alter table audit_inbox rename to audit_inbox_away');
  const { status, body } = await asked('owner', chat, 'hit');
  await testing.asSuperuser('alter table audit_inbox_away rename to audit_inbox');
  expect([status, body.messages]).toEqual([500, undefined]);
});
