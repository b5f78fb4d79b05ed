import { expect, test } from 'vitest';
import { refusalOf, undoUntil, type UndoFacts } from './undo.policy.ts';

const endedAt = new Date('2026-11-01T08:00:00Z');
const last = Date.parse('2026-12-01T08:00:00Z');
const undoable: UndoFacts = { isIntoMicrosoft: true, endedAt, isUnderWay: false, noted: 1 };

test('a restore can be undone for 30 days after its end, to the last moment', () => {
  expect(undoUntil(endedAt).getTime()).toBe(last);
  expect(refusalOf(undoable, last)).toBeNull();
  expect(refusalOf(undoable, last + 1)).toBe('undo.too-late');
});

test.each([
  [{ isIntoMicrosoft: false }, 'undo.not-a-restore'],
  [{ endedAt: null }, 'undo.not-ended'],
  [{ isUnderWay: true }, 'undo.under-way'],
  [{ noted: 0 }, 'undo.nothing-noted'],
])('it cannot be undone with %o', (facts, refusal) => {
  expect(refusalOf({ ...undoable, ...facts }, last)).toBe(refusal);
});
