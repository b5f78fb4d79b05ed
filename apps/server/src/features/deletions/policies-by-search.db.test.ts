import type { SavedSearch } from '@holdfast/contract/saved-searches';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { hashOf } from './testing/deletion-ground.ts';
import { oldMail, policyGround, type PolicyGround } from './testing/policy-ground.ts';

/** Deletions of policies that go by a saved search, over mail that the index has really read. */
const testing = testDatabase(import.meta.url);
let ground: PolicyGround;
const person = 1;
const mails = { first: oldMail('Offer falcon'), second: oldMail('Offer heron'), lunch: oldMail('Lunch on Friday') };

async function read(): Promise<void> {
  const hashes = Object.values(mails).map(hashOf);
  const known = () => testing.asSuperuser('select from search_items where item_key = any($1)', [hashes]);
  await vi.waitFor(async () => expect(await known()).toHaveLength(hashes.length), { timeout: 120_000, interval: 500 });
}

const save = async (query: string): Promise<SavedSearch> =>
  (await ground.send<SavedSearch>('archive/searches', { body: { name: query, query, hasAlert: false } })).body;

beforeAll(async () => {
  ground = await policyGround(testing);
  await ground.imports(person, Object.values(mails));
  await read();
}, 240_000);
beforeEach(() =>
  testing.asSuperuser('update retention_policies set ended_at = now(), look_at = null where activated_at is not null and ended_at is null'),
);
afterAll(() => ground.close());

test('A23: who rewrites the query during the quarantine keeps what was listed, and the list says that it is not due', async () => {
  const search = await save('offer NOT lunch');
  const policy = await ground.inForce('Offers', { searchId: search.searchId });
  expect(await ground.look(policy)).toBe(2);
  const deletion = await ground.newest(policy);
  const body = { name: search.name, query: 'lunch', hasAlert: false };
  expect((await ground.send(`archive/searches/${search.searchId}`, { method: 'PUT', body })).status).toBe(200);
  expect(await ground.carriedOut(deletion)).toMatchObject({ state: 'finished', erased: { messages: 0 }, kept: { messages: 2 } });
  expect(await ground.look(policy)).toBe(0);
  expect(await ground.archived(person)).toEqual(expect.arrayContaining(Object.values(mails).map(hashOf)));
}, 240_000);

test('a maximum by search erases its hits alone, and a minimum by another search keeps one of them', async () => {
  const policy = await ground.inForce('Offers', { searchId: (await save('offer')).searchId });
  const kept = await ground.inForce('Herons', {
    length: { amount: 60, unit: 'years' },
    maximum: null,
    searchId: (await save('heron')).searchId,
  });
  expect(await ground.policiesOf(await ground.archiveIdOf(person), hashOf(mails.second))).toMatchObject([{ name: kept.name }]);
  expect(await ground.look(policy)).toBe(1);
  expect(await ground.carriedOut(await ground.newest(policy))).toMatchObject({ state: 'finished', erased: { messages: 1 } });
  const left = await ground.archived(person);
  expect(left).not.toContain(hashOf(mails.first));
  expect(left).toEqual(expect.arrayContaining([mails.second, mails.lunch].map(hashOf)));
}, 240_000);
