import { expect, test } from 'vitest';
import { pageOfCandidates } from './candidates.ts';
import type { Listed } from './directory.service.ts';
import type { Protection } from './protection-of.views.ts';

const person = (id: string, name: string, address = `${id}@contoso.com`): Listed => ({ id, name, address, kind: 'user' });
const people = [person('3', 'Zoë'), person('1', 'adele Vance'), person('2', 'Bodo Müller')];
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

test('pages follow each other without gap or repetition', () => {
  const many = Array.from({ length: 450 }, (_, index) => person(String(index), `Person ${index}`));
  const seen: string[] = [];
  for (let cursor: string | undefined; ;) {
    const page = pageOfCandidates(many, new Map(), { limit: 200, cursor });
    seen.push(...page.items.map((found) => found.id));
    if (page.nextCursor === null) break;
    cursor = page.nextCursor;
  }
  expect(seen).toHaveLength(450);
  expect(new Set(seen).size).toBe(450);
});
