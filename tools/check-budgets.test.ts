import { expect, test } from 'vitest';
import { overBudget } from './check-budgets.ts';

test('files of a readable size are within the budget', () => {
  expect(
    overBudget([
      { path: 'a.ts', lines: 60 },
      { path: 'b.ts', lines: 80 },
    ]),
  ).toEqual([]);
});

test('a file over the maximum is named', () => {
  const small = Array.from({ length: 40 }, (_, index) => ({ path: `s${index}.ts`, lines: 20 }));
  expect(overBudget([...small, { path: 'long.ts', lines: 401 }])).toEqual(['long.ts has 401 lines, more than 400.']);
});

test('a median that has crept up is reported', () => {
  const files = Array.from({ length: 10 }, (_, index) => ({ path: `${index}.ts`, lines: 150 }));
  expect(overBudget(files)).toEqual(['The median source file has 150 lines, more than 100.']);
});
