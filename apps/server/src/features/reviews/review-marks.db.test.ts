import type { CaseDetails, CaseEvent, CasePerson } from '@holdfast/contract/case-values';
import type { Page } from '@holdfast/contract/paging';
import { tagsMax, type ReviewNote, type ReviewTag } from '@holdfast/contract/review-marks';
import type { ReviewItem, ReviewSet } from '@holdfast/contract/review-values';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aGround, type Ground } from '../../testing/rows.ts';
import { testServer, type SignedIn, type TestServer } from '../../testing/test-server.ts';
import { anIndexedMailbox } from '../search/testing/indexed.ts';

/** Tags and notes on contents of a review set, over HTTP. */
const testing = testDatabase(import.meta.url);
let server: TestServer;
let ground: Ground;
let owner: SignedIn;
let stranger: SignedIn;
let caseId = '';
let set: ReviewSet;

interface Answer<T> {
  readonly status: number;
  readonly body: T & { readonly code?: string };
}

async function ask<T>(
  to: string,
  { who = owner, body, method }: { who?: SignedIn; body?: object; method?: string } = {},
): Promise<Answer<T>> {
  const options = { token: who.tokens.main, ...(body === undefined ? {} : { body }), ...(method === undefined ? {} : { method }) };
  const answer = await server.send(`/apollo/api/${ground.tenantId}/archive/cases${to}`, options);
  const text = await answer.text();
  return { status: answer.status, body: (text === '' ? {} : JSON.parse(text)) as Answer<T>['body'] };
}

const item = (position: number): string => `/${caseId}/review/${set.setId}/items/${position}`;
const addTag = async (name: string, group = ''): Promise<ReviewTag> =>
  (await ask<ReviewTag>(`/${caseId}/tags`, { body: { name, group } })).body;
const put = (position: number, tag: ReviewTag) => ask<{ tags: string[] }>(`${item(position)}/tags/${tag.tagId}`, { method: 'PUT' });
const listed = async (filters: object = {}): Promise<ReviewItem[]> =>
  (await ask<Page<ReviewItem>>(`/${caseId}/review/${set.setId}/items`, { body: filters })).body.items;
const events = async (): Promise<string[]> => (await ask<Page<CaseEvent>>(`/${caseId}/log?limit=200`)).body.items.map(({ event }) => event);

beforeAll(async () => {
  server = await testServer(testing);
  ground = await aGround(testing.database);
  owner = await server.member(ground.scope.organisationId, 'owner');
  stranger = await server.member(ground.scope.organisationId, 'auditor');
  await (await anIndexedMailbox(testing.database, ground, 'Adele Vance')).receive({ m1: 'Offer', m2: 'Invoice', m3: 'Contract' });
  ({ caseId } = (await ask<CaseDetails>('', { body: { matter: 'Falcon', reference: '', from: null, to: null } })).body);
  const { items } = (await ask<Page<CasePerson>>(`/${caseId}/people`)).body;
  await ask(`/${caseId}/custodians`, { body: { keys: items.map(({ key }) => key) } });
  await ask(`/${caseId}/queries`, { body: { name: 'All', query: '' } });
  set = (await ask<ReviewSet>(`/${caseId}/review`, { body: { name: 'Set', source: { kind: 'allQueries' } } })).body;
}, 120_000);
afterAll(() => server.close());

test('a content has the tags that it was given, lists are narrowed by one, and the case counts and logs them', async () => {
  const [price, urgent] = [await addTag('Price'), await addTag('Urgent')];
  expect((await put(1, price)).body.tags).toEqual([price.tagId]);
  expect((await put(1, urgent)).body.tags).toEqual([price.tagId, urgent.tagId]);
  expect((await put(1, urgent)).body.tags).toEqual([price.tagId, urgent.tagId]);
  await put(2, urgent);
  expect((await listed()).map(({ tags }) => tags.length)).toEqual([2, 1, 0]);
  expect((await listed({ tagId: price.tagId })).map(({ position }) => position)).toEqual([1]);
  const { items } = (await ask<{ items: ReviewTag[] }>(`/${caseId}/tags`)).body;
  expect(items.map(({ name, contents }) => [name, contents])).toEqual([
    ['Price', 1],
    ['Urgent', 2],
  ]);
  expect((await ask<{ tags: string[] }>(`${item(1)}/tags/${price.tagId}`, { method: 'DELETE' })).body.tags).toEqual([urgent.tagId]);
  expect(await listed({ tagId: price.tagId })).toEqual([]);
  const log = await events();
  expect(log.filter((event) => event === 'cases.tagged')).toHaveLength(3);
  expect(log).toEqual(expect.arrayContaining(['cases.tag-added', 'cases.untagged']));
});

test('of the tags of a group a content has one at most, and those of other groups stay', async () => {
  const [high, low, other] = [await addTag('High', 'Weight'), await addTag('Low', 'Weight'), await addTag('Ask counsel')];
  await put(3, other);
  await put(3, high);
  expect((await put(3, low)).body.tags).toEqual([other.tagId, low.tagId]);
});

test('a tag that is removed is on nothing any more; a name is taken once, and a case takes so many tags', async () => {
  const tag = await addTag('Passing');
  await put(2, tag);
  expect((await ask(`/${caseId}/tags`, { body: { name: ' passing ' } })).body).toMatchObject({ code: 'reviews.tag-taken' });
  expect((await ask(`/${caseId}/tags/${tag.tagId}`, { method: 'DELETE' })).status).toBe(204);
  expect((await listed())[1]?.tags).not.toContain(tag.tagId);
  expect((await put(2, tag)).status).toBe(404);
  const { items } = (await ask<{ items: ReviewTag[] }>(`/${caseId}/tags`)).body;
  for (let at = items.length; at < tagsMax; at += 1) await addTag(`Tag ${at}`);
  expect((await ask(`/${caseId}/tags`, { body: { name: 'One more' } })).body).toMatchObject({ code: 'reviews.tags-full' });
});

test('notes are listed in their order, counted, removed by whoever wrote them, and never in the audit log', async () => {
  const first = await ask<ReviewNote>(`${item(1)}/notes`, { body: { text: '  Ask Ben about the secret price.  ' } });
  expect(first).toMatchObject({ status: 201, body: { text: 'Ask Ben about the secret price.', author: owner.email, isOwn: true } });
  await ask(`${item(1)}/notes`, { body: { text: 'He has answered.' } });
  expect((await listed())[0]?.notes).toBe(2);
  const { items } = (await ask<{ items: ReviewNote[] }>(`${item(1)}/notes`)).body;
  expect(items.map(({ text }) => text)).toEqual(['Ask Ben about the secret price.', 'He has answered.']);
  await testing.asSuperuser(`update review_notes set author_id = gen_random_uuid() where text = 'He has answered.'`);
  expect((await ask(`${item(1)}/notes/${items[1]?.noteId}`, { method: 'DELETE' })).status).toBe(404);
  expect((await ask(`${item(1)}/notes/${items[0]?.noteId}`, { method: 'DELETE' })).status).toBe(204);
  expect((await listed())[0]?.notes).toBe(1);
  expect((await ask(`${item(1)}/notes`, { body: { text: ' ' } })).status).toBe(400);
  const [logged] = await testing.asSuperuser(
    `select count(*)::int as rows from (select payload::text from audit_inbox union all select payload from audit_events) all_of
     where payload like '%secret price%'`,
  );
  expect(logged?.['rows']).toBe(0);
});

test('who may not see the case finds no tag and no note; a closed case shows its tags and takes none', async () => {
  const { items } = (await ask<{ items: ReviewTag[] }>(`/${caseId}/tags`)).body;
  const tagId = items[0]?.tagId ?? '';
  const asked = [
    [`/${caseId}/tags`, {}],
    [`/${caseId}/tags`, { body: { name: 'Mine' } }],
    [`/${caseId}/tags/${tagId}`, { method: 'DELETE' }],
    [`${item(1)}/tags/${tagId}`, { method: 'PUT' }],
    [`${item(1)}/notes`, {}],
    [`${item(1)}/notes`, { body: { text: 'Mine' } }],
  ] as const;
  for (const [to, options] of asked) expect([to, (await ask(to, { ...options, who: stranger })).status]).toEqual([to, 404]);
  await testing.asSuperuser('update cases set closed_at = now()');
  expect((await ask<{ items: ReviewTag[] }>(`/${caseId}/tags`)).body.items.length).toBe(items.length);
  for (const [to, options] of asked.slice(1)) expect([to, (await ask(to, options)).status]).toEqual([to, 409]);
  await testing.asSuperuser('update cases set closed_at = null');
});
