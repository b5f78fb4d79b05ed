import { testDatabase } from '@holdfast/database/testing/test-database';
import { aSegment, anItem } from '@holdfast/engine/testing/builders';
import { expect, test } from 'vitest';
import { aGround, aResource, testIds as ids, type Ground } from '../../testing/rows.ts';
import { createCatalog } from '../../storage/index.ts';
import { createMailboxesViews } from './mailboxes.views.ts';
import { createTeamsViews } from './teams.views.ts';

/** What dashboards rank and count: each resource once, wherever and however often it is held. */
const { database } = testDatabase(import.meta.url);
const now = new Date('2026-11-21T12:00:00Z');
const mailboxes = createMailboxesViews(database);
const teams = createTeamsViews(database);
const daysAgo = (days: number): string => new Date(now.getTime() - days * 24 * 3_600_000).toISOString();

async function aSecondLocation(ground: Ground): Promise<string> {
  const location_id = ids.uuid();
  await database.within(ground.scope, (tx) =>
    tx
      .insertInto('locations')
      .values({
        location_id,
        tenant_id: ground.tenantId,
        name: 'Elsewhere',
        kind: 'filesystem',
        use: 'both',
        target: JSON.stringify({ kind: 'filesystem', path: '/elsewhere' }),
        sealed_keys: null,
        immutability: JSON.stringify({ mode: 'none', days: 0 }),
        created_at: now,
      })
      .execute(),
  );
  return location_id;
}

/** A mailbox with messages of a size, some of which have attachments. */
async function aMailbox(
  ground: Ground,
  address: string,
  { bytes, count, attached }: Record<'bytes' | 'count' | 'attached', number>,
): Promise<string> {
  const resourceId = await aResource(database, ground, { name: address.split('@', 1)[0] ?? '' });
  await database.within(ground.scope, (tx) => tx.updateTable('resources').set({ address }).where('resource_id', '=', resourceId).execute());
  const put = Array.from({ length: count }, (_, at) =>
    anItem(`message-${at}`, { sizeBytes: bytes / count, properties: { hasAttachments: at < attached } }),
  );
  const folder = anItem('folder', { kind: 'mailFolder' });
  await createCatalog({ database, ...ground, ids }).apply(aSegment(resourceId, 1, { put: [folder, ...put] }));
  return resourceId;
}

test('the largest mailboxes are ranked by size, messages or attachments, and ties by address', async () => {
  const ground = await aGround(database);
  await aMailbox(ground, 'zoe@contoso.example', { bytes: 9_000, count: 1, attached: 0 });
  await aMailbox(ground, 'ben@contoso.example', { bytes: 600, count: 6, attached: 1 });
  await aMailbox(ground, 'Ada@contoso.example', { bytes: 900, count: 6, attached: 3 });
  const namesBy = async (by: 'size' | 'messages' | 'attachments') =>
    (await mailboxes.top(ground.scope, ground.tenantId, by)).map(({ name }) => name);
  expect(await namesBy('size')).toEqual(['zoe', 'Ada', 'ben']);
  expect(await namesBy('messages')).toEqual(['Ada', 'ben', 'zoe']);
  expect(await namesBy('attachments')).toEqual(['Ada', 'ben', 'zoe']);
  expect((await mailboxes.top(ground.scope, ground.tenantId, 'size'))[1]).toMatchObject({ messages: 6, attachments: 3 });
});

test('a mailbox in two locations is ranked once, as its newest restore point has it', async () => {
  const ground = await aGround(database);
  const resourceId = await aMailbox(ground, 'ada@contoso.example', { bytes: 100, count: 1, attached: 0 });
  const locationId = await aSecondLocation(ground);
  const newer = aSegment(resourceId, 1, { committedAt: '2026-02-01T00:00:00.000Z', put: [anItem('a', { sizeBytes: 700 })] });
  await createCatalog({ database, ...ground, locationId, ids }).apply(newer);
  const top = await mailboxes.top(ground.scope, ground.tenantId, 'size');
  expect(top.map(({ locationId: place, messages }) => [place, messages])).toEqual([[locationId, 1]]);
});

/** A team whose last post was made so many days ago; null for a team without a post. */
async function aTeam(ground: Ground, name: string, days: number | null, known?: string): Promise<string> {
  const resourceId = known ?? (await aResource(database, ground, { name, workload: 'teams', kind: 'team' }));
  const posts = days === null ? [] : [anItem('post', { kind: 'post', modifiedAt: daysAgo(days) })];
  const put = [anItem('general', { kind: 'channel' }), ...posts];
  await createCatalog({ database, ...ground, ids }).apply(aSegment(resourceId, 1, { put }));
  return resourceId;
}

test('each unused filter shows which teams had no post for so long', async () => {
  const ground = await aGround(database);
  for (const [name, days] of [
    ['Busy', 3],
    ['Month', 40],
    ['Weeks', 60],
    ['Months', 200],
    ['Silent', null],
  ] as const)
    await aTeam(ground, name, days);
  const unused = async (filter?: 'days30' | 'weeks8' | 'months6') =>
    (await teams.activity(ground.scope, ground.tenantId, { limit: 50, unused: filter, sort: 'name' }, now)).items.map(({ name }) => name);
  expect(await unused()).toEqual(['Busy', 'Month', 'Months', 'Silent', 'Weeks']);
  expect(await unused('days30')).toEqual(['Month', 'Months', 'Silent', 'Weeks']);
  expect(await unused('weeks8')).toEqual(['Months', 'Silent', 'Weeks']);
  expect(await unused('months6')).toEqual(['Months', 'Silent']);
  const counted = await teams.content(ground.scope, ground.tenantId, now);
  expect(counted.unused).toEqual({ days30: 4, weeks8: 3, months6: 2 });
  const newest = await teams.activity(ground.scope, ground.tenantId, { limit: 2, sort: '-lastActivityAt' }, now);
  expect([newest.total, newest.items.map(({ name }) => name)]).toEqual([5, ['Busy', 'Month']]);
});

test('a team in two locations is counted once, with its channels', async () => {
  const ground = await aGround(database);
  const resourceId = await aTeam(ground, 'Twice', 3);
  await aTeam({ ...ground, locationId: await aSecondLocation(ground) }, 'Twice', 3, resourceId);
  expect(await teams.content(ground.scope, ground.tenantId, now)).toMatchObject({ teams: 1, channels: 1, messages: 1 });
});
