import type { CaseDetails, CaseEvent, CasePerson } from '@holdfast/contract/case-values';
import type { Page } from '@holdfast/contract/paging';
import type { ReviewItem, ReviewPerson, ReviewSet } from '@holdfast/contract/review-values';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aGround, type Ground } from '../../testing/rows.ts';
import { testServer, type SignedIn, type TestServer } from '../../testing/test-server.ts';
import { anIndexedMailbox, type IndexedMailbox } from '../search/testing/indexed.ts';

/** Review sets over HTTP: what is frozen into them, who sees what of them, and what becomes of decisions. */
const testing = testDatabase(import.meta.url);
let server: TestServer;
let ground: Ground;
let administrator: SignedIn;
let auditor: SignedIn;
let adele: IndexedMailbox;
let bob: IndexedMailbox;

type Answer<T> = { status: number; body: T & { code?: string } };
type Details = ReviewSet & { readonly people: ReviewPerson[]; readonly reviewers: string[] };

async function ask<T>(who: SignedIn, to: string, body?: object, method?: string): Promise<Answer<T>> {
  const options = { token: who.tokens.main, ...(body === undefined ? {} : { body }), ...(method === undefined ? {} : { method }) };
  const answer = await server.send(`/apollo/api/${ground.tenantId}/archive/cases${to}`, options);
  const text = await answer.text();
  return { status: answer.status, body: (text === '' ? {} : JSON.parse(text)) as T & { code?: string } };
}

async function done<T>(who: SignedIn, to: string, body?: object, method?: string): Promise<T> {
  const answer = await ask<T>(who, to, body, method);
  if (answer.status >= 300) throw new Error(`${to} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** An open case about Adele and Bob, which the auditor works on. */
async function aCase(matter: string, queries: readonly string[] = ['']): Promise<string> {
  const { caseId } = await done<CaseDetails>(administrator, '', { matter, reference: '', from: null, to: null });
  const { items } = await done<Page<CasePerson>>(administrator, `/${caseId}/people`);
  await done(administrator, `/${caseId}/custodians`, { keys: items.map(({ key }) => key) });
  await done(administrator, `/${caseId}/members`, { userId: auditor.accountId });
  for (const query of queries) await done(administrator, `/${caseId}/queries`, { name: `Q ${query}`, query });
  return caseId;
}

const all = { kind: 'allQueries' } as const;
const makeSet = (caseId: string, body: object, who = administrator): Promise<ReviewSet> => done(who, `/${caseId}/review`, body);
const listed = (caseId: string, setId: string, wanted: object = {}, who = administrator): Promise<Page<ReviewItem>> =>
  done(who, `/${caseId}/review/${setId}/items`, { limit: 200, ...wanted });
const decide = (who: SignedIn, set: string, { position, revision }: ReviewItem, status: string) =>
  ask<ReviewItem>(who, `${set}/items/${position}`, { status, revision }, 'PUT');
/** What of a list never changes; the restore points that show its items do. */
const frozen = ({ items, total }: Page<ReviewItem>): unknown[] => [total, ...items.map(({ position, hit }) => [position, hit?.hitId])];
const titles = ({ items }: Page<ReviewItem>): (string | null)[] => items.map(({ hit }) => hit?.title ?? null);

beforeAll(async () => {
  server = await testServer(testing);
  ground = await aGround(testing.database);
  administrator = await server.member(ground.scope.organisationId, 'administrator');
  auditor = await server.member(ground.scope.organisationId, 'auditor');
  adele = await anIndexedMailbox(testing.database, ground, 'Adele Vance');
  bob = await anIndexedMailbox(testing.database, ground, 'Bob Kelly');
  await adele.receive({ a1: 'Offer to Fabrikam', a2: 'Lunch', a3: 'Offer to Contoso' }, '2024-05-17T10:00:00.000Z');
  await bob.receive({ b1: 'Offer to Fabrikam', b2: 'Holiday' }, '2024-06-01T10:00:00.000Z');
  await testing.asSuperuser(`update search_items set content_hash = item_key where item_key not in ('a1', 'b1')`);
  await testing.asSuperuser(`update search_items set content_hash = 'same' where item_key in ('a1', 'b1')`);
}, 120_000);
afterAll(() => server.close());

test('a review set freezes what the queries find, each item once and copies folded, whatever comes later', async () => {
  const caseId = await aCase('Falcon', ['offer', 'offer OR lunch']);
  const set = await makeSet(caseId, { name: 'First pass', source: all });
  expect(set).toMatchObject({ items: 4, population: 4, query: 'offer · offer OR lunch', sample: null, estimate: null });
  expect(set.progress).toEqual({ unreviewed: 3, relevant: 0, notRelevant: 0, privileged: 0 });
  const before = await listed(caseId, set.setId);
  expect(before.items.map(({ position, copies, place, hit }) => [position, copies, place, hit?.title, hit?.resource.name])).toEqual([
    [1, 2, 'kept', 'Offer to Fabrikam', 'Bob Kelly'],
    [3, 1, 'kept', 'Lunch', 'Adele Vance'],
    [4, 1, 'kept', 'Offer to Contoso', 'Adele Vance'],
  ]);
  await adele.receive({ a9: 'Offer to Litware' });
  expect(frozen(await listed(caseId, set.setId))).toEqual(frozen(before));
  expect((await makeSet(caseId, { name: 'Second pass', source: all })).items).toBe(5);
  await testing.asSuperuser(`delete from catalog_items where item_key = 'a9'`);
});

test('a set of one query has what this query finds, and a set without hits is refused', async () => {
  const caseId = await aCase('Queries', ['lunch', 'zwetschge']);
  const { queries } = await done<CaseDetails>(administrator, `/${caseId}`);
  const [lunch, nothing] = queries.map(({ queryId }) => ({ kind: 'query', queryId }));
  const set = await makeSet(caseId, { name: 'Lunch', source: lunch });
  expect(titles(await listed(caseId, set.setId))).toEqual(['Lunch']);
  const refused = async (body: object): Promise<string | undefined> => (await ask(administrator, `/${caseId}/review`, body)).body.code;
  expect(await refused({ name: 'Nothing', source: nothing })).toBe('reviews.nothing-found');
  expect(await refused({ name: 'LUNCH', source: lunch })).toBe('reviews.name-taken');
  expect((await done<{ items: ReviewSet[] }>(administrator, `/${caseId}/review`)).items.map(({ name }) => name)).toEqual(['Lunch']);
});

test('a decision is that of all copies of a content, says who made it and when, and can be taken back', async () => {
  const caseId = await aCase('Decisions');
  const { setId } = await makeSet(caseId, { name: 'Set', source: all });
  const [first] = (await listed(caseId, setId)).items as [ReviewItem];
  const made = await decide(auditor, `/${caseId}/review/${setId}`, first, 'privileged');
  expect(made.body).toMatchObject({ position: 1, status: 'privileged', revision: 1, reviewer: auditor.email, copies: 2 });
  const rows = await testing.asSuperuser('select item_key, status, reviewer from review_items where set_id = $1 and status = $2', [
    setId,
    'privileged',
  ]);
  expect(rows.map((row) => `${String(row['item_key'])} ${String(row['reviewer'])}`).sort()).toEqual([
    `a1 ${auditor.email}`,
    `b1 ${auditor.email}`,
  ]);
  const set = await done<Details>(administrator, `/${caseId}/review/${setId}`);
  expect([set.progress, set.reviewers]).toEqual([{ unreviewed: 3, relevant: 0, notRelevant: 0, privileged: 1 }, [auditor.email]]);
  const [decided] = (await listed(caseId, setId, { status: 'privileged' })).items as [ReviewItem];
  const back = await decide(administrator, `/${caseId}/review/${setId}`, decided, 'unreviewed');
  expect(back.body).toMatchObject({ status: 'unreviewed', reviewer: null, reviewedAt: null, revision: 2 });
  expect((await listed(caseId, setId, { status: 'unreviewed' })).total).toBe(4);
  const { items } = await done<Page<CaseEvent>>(administrator, `/${caseId}/log`);
  expect(items.filter(({ event }) => event === 'cases.reviewed').map(({ actor, details }) => [actor, details])).toEqual([
    [administrator.email, { name: 'Set', item: 1, before: 'privileged', after: 'unreviewed', copies: 2 }],
    [auditor.email, { name: 'Set', item: 1, before: 'unreviewed', after: 'privileged', copies: 2 }],
  ]);
});

test('of two reviewers who saw the same item one decides and the other is refused, and nothing is overwritten', async () => {
  const caseId = await aCase('Two');
  const { setId } = await makeSet(caseId, { name: 'Set', source: all });
  const [first, second] = (await listed(caseId, setId)).items as [ReviewItem, ReviewItem];
  expect((await decide(auditor, `/${caseId}/review/${setId}`, first, 'privileged')).status).toBe(200);
  const late = await decide(administrator, `/${caseId}/review/${setId}`, first, 'notRelevant');
  expect([late.status, late.body.code]).toEqual([409, 'reviews.decided-meanwhile']);
  const both = await Promise.all([
    decide(auditor, `/${caseId}/review/${setId}`, second, 'relevant'),
    decide(administrator, `/${caseId}/review/${setId}`, second, 'notRelevant'),
  ]);
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  const now = (await listed(caseId, setId)).items;
  expect(now[0]).toMatchObject({ status: 'privileged', reviewer: auditor.email });
  expect(now[1]?.status).toBe(both.find(({ status }) => status === 200)?.body.status);
});

test('the list of a set is narrowed by status, by person and by reviewer, with exact totals', async () => {
  const caseId = await aCase('Filters');
  const { setId } = await makeSet(caseId, { name: 'Set', source: all });
  const items = (await listed(caseId, setId)).items;
  const lunch = items.find(({ hit }) => hit?.title === 'Lunch') as ReviewItem;
  await decide(auditor, `/${caseId}/review/${setId}`, lunch, 'relevant');
  expect(titles(await listed(caseId, setId, { resourceId: bob.resourceId }))).toEqual(['Offer to Fabrikam', 'Holiday']);
  expect(titles(await listed(caseId, setId, { resourceId: adele.resourceId }))).toContain('Offer to Fabrikam');
  expect(titles(await listed(caseId, setId, { reviewer: auditor.email }))).toEqual(['Lunch']);
  expect((await listed(caseId, setId, { status: 'unreviewed', resourceId: bob.resourceId, limit: 1 })).total).toBe(2);
  const { people } = await done<Details>(administrator, `/${caseId}/review/${setId}`);
  expect(people.map(({ name, contents }) => [name, contents])).toEqual([
    ['Adele Vance', 3],
    ['Bob Kelly', 2],
  ]);
  const paged: number[] = [];
  for (let cursor: string | null = null; ;) {
    const page: Page<ReviewItem> = await listed(caseId, setId, { limit: 1, ...(cursor === null ? {} : { cursor }) });
    paged.push(...page.items.map(({ position }) => position));
    cursor = page.nextCursor;
    if (cursor === null) break;
  }
  expect(paged).toEqual(items.map(({ position }) => position));
});

test('members see of a set only what the case includes now: without a custodian or outside the period an item is a number', async () => {
  const caseId = await aCase('Scope');
  const { setId } = await makeSet(caseId, { name: 'Set', source: all });
  const places = async (): Promise<unknown[]> =>
    (await listed(caseId, setId, {}, auditor)).items.map(({ place, hit }) => [place, hit?.resource.name ?? null]);
  const { custodians } = await done<CaseDetails>(administrator, `/${caseId}`);
  const ofBob = custodians.find(({ name }) => name === 'Bob Kelly')?.custodianId ?? '';
  await done(administrator, `/${caseId}/custodians/${ofBob}`, undefined, 'DELETE');
  expect(await places()).toEqual([
    ['kept', 'Adele Vance'],
    ['outside', null],
    ['kept', 'Adele Vance'],
    ['kept', 'Adele Vance'],
  ]);
  expect((await done<Details>(auditor, `/${caseId}/review/${setId}`)).people.map(({ name }) => name)).toEqual(['Adele Vance']);
  expect((await listed(caseId, setId, { resourceId: bob.resourceId }, auditor)).total).toBe(0);
  await done(administrator, `/${caseId}`, { matter: 'Scope', from: '2024-05-20T00:00:00.000Z', to: null }, 'PUT');
  expect(new Set((await places()).map((place) => JSON.stringify(place)))).toEqual(new Set(['["outside",null]']));
});

test('an item that no restore point has any more stays in the set with its decision and without its subject', async () => {
  const caseId = await aCase('Gone', ['holiday OR fabrikam']);
  const { setId } = await makeSet(caseId, { name: 'Set', source: all });
  const items = (await listed(caseId, setId)).items;
  for (const item of items) await decide(auditor, `/${caseId}/review/${setId}`, item, 'relevant');
  const rows = await testing.asSuperuser(`select * from catalog_items where item_key in ('b1', 'b2')`);
  await testing.asSuperuser(`delete from catalog_items where item_key in ('b1', 'b2')`);
  expect(rows).toHaveLength(2);
  const after = (await listed(caseId, setId)).items;
  expect(after.map(({ status, copies, place, hit }) => [status, copies, place, hit?.resource.name ?? null])).toEqual([
    ['relevant', 2, 'kept', 'Adele Vance'],
    ['relevant', 1, 'gone', null],
  ]);
  const [columns] = await testing.asSuperuser('select * from review_items where set_id = $1 limit 1', [setId]);
  expect(Object.keys(columns ?? {}).filter((name) => /title|subject|sender|name/u.test(name))).toEqual([]);
});

test('whoever is no member finds no set, a closed case changes nothing, and the set of another case does not exist', async () => {
  const caseId = await aCase('Rights');
  const other = await aCase('Other');
  const { setId } = await makeSet(caseId, { name: 'Set', source: all });
  const [item] = (await listed(caseId, setId)).items as [ReviewItem];
  const stranger = await server.member(ground.scope.organisationId, 'auditor');
  const calls = [
    ['GET', `/${caseId}/review`, undefined],
    ['POST', `/${caseId}/review`, { name: 'Mine', source: all }],
    ['GET', `/${caseId}/review/${setId}`, undefined],
    ['POST', `/${caseId}/review/${setId}/items`, {}],
    ['PUT', `/${caseId}/review/${setId}/items/1`, { status: 'relevant', revision: 0 }],
  ] as const;
  for (const [method, to, body] of calls) expect([to, (await ask(stranger, to, body, method)).status]).toEqual([to, 404]);
  const moved = calls.slice(2).map(([method, to, body]) => [method, to.replace(caseId, other), body] as const);
  for (const [method, to, body] of moved) expect([to, (await ask(administrator, to, body, method)).status]).toEqual([to, 404]);
  const strange = { name: 'Rest', source: { kind: 'unreviewed', setId } };
  expect((await ask(administrator, `/${other}/review`, strange)).status).toBe(404);
  await done(administrator, `/${caseId}/close`, { reason: 'Settled' });
  expect((await decide(administrator, `/${caseId}/review/${setId}`, item, 'relevant')).body.code).toBe('cases.closed');
  expect((await ask(administrator, `/${caseId}/review`, { name: 'More', source: all })).body.code).toBe('cases.closed');
  expect((await ask(administrator, `/${caseId}/review/${setId}/items`, {})).body.code).toBe('cases.closed');
  expect((await done<Details>(administrator, `/${caseId}/review/${setId}`)).progress.unreviewed).toBeGreaterThan(0);
});

test('A26: a page of a set is in the log of the case before it is answered, and without a log there is no page', async () => {
  const caseId = await aCase('Log');
  const { setId } = await makeSet(caseId, { name: 'Set', source: all });
  await listed(caseId, setId, { limit: 2 }, auditor);
  const { items } = await done<Page<CaseEvent>>(administrator, `/${caseId}/log`);
  expect(items.slice(0, 2).map(({ event, actor, details }) => [event, actor, details])).toMatchObject([
    ['cases.review-listed', auditor.email, { name: 'Set', query: '', hits: 2 }],
    ['cases.review-made', administrator.email, { name: 'Set' }],
  ]);
  await testing.asSuperuser('revoke insert on audit_inbox from holdfast_application');
  expect((await ask(auditor, `/${caseId}/review/${setId}/items`, {})).status).toBe(500);
  await testing.asSuperuser('grant insert on audit_inbox to holdfast_application');
  expect((await listed(caseId, setId)).total).toBeGreaterThan(0);
});
