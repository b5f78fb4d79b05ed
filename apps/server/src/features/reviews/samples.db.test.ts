import type { CaseDetails, CasePerson } from '@holdfast/contract/case-values';
import type { Page } from '@holdfast/contract/paging';
import type { ReviewItem, ReviewSet } from '@holdfast/contract/review-values';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aGround, type Ground } from '../../testing/rows.ts';
import { testServer, type SignedIn, type TestServer } from '../../testing/test-server.ts';
import { anIndexedMailbox } from '../search/testing/indexed.ts';

/** Samples of review sets: the same seed draws the same items, and what was read of a sample says something of the whole. */
const testing = testDatabase(import.meta.url);
const MESSAGES = 120;
let server: TestServer;
let ground: Ground;
let administrator: SignedIn;
let caseId = '';

async function done<T>(to: string, body?: object, method?: string): Promise<T> {
  const options = {
    token: administrator.tokens.main,
    ...(body === undefined ? {} : { body }),
    ...(method === undefined ? {} : { method }),
  };
  const answer = await server.send(`/apollo/api/${ground.tenantId}/archive/cases${to}`, options);
  const text = await answer.text();
  if (answer.status >= 300) throw new Error(`${to} answered ${answer.status}: ${text}`);
  return (text === '' ? {} : JSON.parse(text)) as T;
}

let sets = 0;
function makeSet(sample: object | null, source: object = { kind: 'allQueries' }): Promise<ReviewSet> {
  sets += 1;
  return done(`/${caseId}/review`, { name: `Set ${sets}`, source, sample });
}

const listed = async ({ setId }: ReviewSet): Promise<ReviewItem[]> =>
  (await done<Page<ReviewItem>>(`/${caseId}/review/${setId}/items`, { limit: 200 })).items;
const keysOf = async (set: ReviewSet): Promise<string[]> => (await listed(set)).map(({ hit }) => hit?.nodeId ?? '').sort();
const decide = ({ setId }: ReviewSet, { position, revision }: ReviewItem, status: string): Promise<unknown> =>
  done(`/${caseId}/review/${setId}/items/${position}`, { status, revision }, 'PUT');

beforeAll(async () => {
  server = await testServer(testing);
  ground = await aGround(testing.database);
  administrator = await server.member(ground.scope.organisationId, 'administrator');
  const mailbox = await anIndexedMailbox(testing.database, ground, 'Adele Vance');
  await mailbox.receive(Object.fromEntries(Array.from({ length: MESSAGES }, (_, at) => [`m${at}`, `Offer ${at}`])));
  ({ caseId } = await done<CaseDetails>('', { matter: 'Falcon', reference: '', from: null, to: null }));
  const { items } = await done<Page<CasePerson>>(`/${caseId}/people`);
  await done(`/${caseId}/custodians`, { keys: items.map(({ key }) => key) });
  await done(`/${caseId}/queries`, { name: 'Offers', query: 'offer' });
}, 120_000);
afterAll(() => server.close());

test('A35: the same seed draws the same list, another seed another one, and both as many as were asked for', async () => {
  const first = await makeSet({ size: 20, seed: 'Falcon 1' });
  const again = await makeSet({ size: 20, seed: 'Falcon 1' });
  const other = await makeSet({ size: 20, seed: 'Falcon 2' });
  expect(first).toMatchObject({ items: 20, population: MESSAGES, sample: { size: 20, seed: 'Falcon 1' } });
  expect(await keysOf(first)).toEqual(await keysOf(again));
  expect(new Set(await keysOf(first)).size).toBe(20);
  expect(await keysOf(other)).not.toEqual(await keysOf(first));
});

test('a sample larger than the whole is all of it', async () => {
  expect(await makeSet({ size: 10_000, seed: 'x' })).toMatchObject({ items: MESSAGES, population: MESSAGES });
});

test('the rest that nobody has reviewed is sampled for an elusion test, whose exact interval appears once the sample has been read', async () => {
  const whole = await makeSet(null);
  const items = await listed(whole);
  for (const item of items.slice(0, 10)) await decide(whole, item, 'relevant');
  const decided = new Set(items.slice(0, 10).map(({ hit }) => hit?.nodeId));
  const rest = await makeSet({ size: 10, seed: 'rest' }, { kind: 'unreviewed', setId: whole.setId });
  expect(rest).toMatchObject({ population: MESSAGES - 10, items: 10, estimate: null, query: 'offer' });
  expect((await keysOf(rest)).some((key) => decided.has(key))).toBe(false);
  const sampled = await listed(rest);
  for (const [at, item] of sampled.entries()) {
    expect((await done<ReviewSet>(`/${caseId}/review/${rest.setId}`)).estimate).toBeNull();
    await decide(rest, item, at === 0 ? 'relevant' : at === 1 ? 'privileged' : 'notRelevant');
  }
  const { estimate } = await done<ReviewSet>(`/${caseId}/review/${rest.setId}`);
  // Two of ten: 0.0252 to 0.5561 in the tables of Clopper and Pearson.
  expect(estimate?.share).toBe(0.2);
  expect(estimate?.low).toBeCloseTo(0.0252, 4);
  expect(estimate?.high).toBeCloseTo(0.5561, 4);
});
