import { expect, test } from 'vitest';
import { inOrder, pageOfCandidates, type Listed } from './candidates.ts';
import type { Protection } from './protection-of.views.ts';

const person = (id: string, name: string, address = `${id}@contoso.com`): Listed => ({ id, name, address, kind: 'user' });
const people = inOrder([person('3', 'Zoë'), person('1', 'adele Vance'), person('2', 'Bodo Müller')]);
const protection = new Map<string, Protection>([['2', { protection: 'protected', lastPointAt: '2026-11-20T00:00:00.000Z' }]]);

test('people come in the order of their names, without regard to case', () => {
  expect(pageOfCandidates(people, protection, { limit: 10 }).items.map((found) => found.name)).toEqual([
    'adele Vance',
    'Bodo Müller',
    'Zoë',
  ]);
});

test('a search takes every word, in name or address', () => {
  expect(pageOfCandidates(people, protection, { limit: 10, search: 'MÜLLER 2@con' }).items.map((found) => found.id)).toEqual(['2']);
});

test('who has a restore point is protected, who is unknown is not', () => {
  expect(pageOfCandidates(people, protection, { limit: 10, protection: 'unprotected' }).items.map((found) => found.id)).toEqual(['1', '3']);
  expect(pageOfCandidates(people, protection, { limit: 10, protection: 'protected' }).total).toBe(1);
});

test('they can be sorted by their addresses and by when they were last saved', () => {
  const ids = (sort: string): string[] => pageOfCandidates(people, protection, { limit: 10, sort }).items.map((found) => found.id);
  expect(ids('-address')).toEqual(['3', '2', '1']);
  expect(ids('-name')).toEqual(['3', '2', '1']);
  expect(ids('-lastPointAt')).toEqual(['2', '1', '3']);
});

/** A large organisation, in no order. */
const numbers = Array.from({ length: 50_000 }, (_, index) => (index * 7_919) % 50_000);
const crowd = inOrder(numbers.map((number) => person(`p${number}`, `Person ${number}`)));

test('pages of 50,000 follow each other without gap or repetition, in order', () => {
  const seen: string[] = [];
  for (let cursor: string | undefined; ;) {
    const page = pageOfCandidates(crowd, new Map(), { limit: 200, cursor });
    expect(page.total).toBe(50_000);
    seen.push(...page.items.map((found) => found.name));
    if (page.nextCursor === null) break;
    cursor = page.nextCursor;
  }
  expect(seen).toEqual(Array.from({ length: 50_000 }, (_, index) => `Person ${index}`));
});

test('a search goes over all 50,000, not over the page that is shown', () => {
  const found = pageOfCandidates(crowd, new Map(), { limit: 200, search: 'person 49999' });
  expect(found.items.map(({ name }) => name)).toEqual(['Person 49999']);
  expect(pageOfCandidates(crowd, new Map(), { limit: 200, search: 'p4999' }).total).toBe(11);
});
