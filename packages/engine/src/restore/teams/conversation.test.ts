import { expect, test } from 'vitest';
import { beginningFor } from './conversation.ts';

test('a conversation that began before its first message keeps its beginning', () => {
  expect(beginningFor('2026-03-02T10:00:00.000Z', '2026-03-01T08:00:00.000Z')).toBeUndefined();
});

test('a conversation that was made again begins a millisecond before its first message', () => {
  expect(beginningFor('2026-03-02T10:00:00.000Z', '2026-11-21T08:00:00.000Z')).toBe('2026-03-02T09:59:59.999Z');
  expect(beginningFor('2026-03-02T10:00:00.000Z', undefined)).toBe('2026-03-02T09:59:59.999Z');
});

test('a conversation without messages needs no other beginning', () => {
  expect(beginningFor(undefined, '2026-03-01T08:00:00.000Z')).toBeUndefined();
});
