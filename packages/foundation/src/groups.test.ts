import { expect, test } from 'vitest';
import { groupsOf } from './groups.ts';

test('every value is in one group, in its order, and the last group has what is left', () => {
  expect([...groupsOf([1, 2, 3, 4, 5], 2)]).toEqual([[1, 2], [3, 4], [5]]);
  expect([...groupsOf([1, 2], 2)]).toEqual([[1, 2]]);
  expect([...groupsOf([], 2)]).toEqual([]);
});
