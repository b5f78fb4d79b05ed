import { expect, test } from 'vitest';
import { beginningFor } from './conversation.ts';

test('a conversation that began before its first message keeps its beginning', () => {
  expect(beginningFor('2026-03-02T10:00:00.000Z', { createdAt: '2026-03-01T08:00:00.000Z', isMoved: false })).toBeUndefined();
});

test('a conversation that was made again begins a millisecond before its first message', () => {
  expect(beginningFor('2026-03-02T10:00:00.000Z', { createdAt: '2026-11-21T08:00:00.000Z', isMoved: false })).toBe(
    '2026-03-02T09:59:59.999Z',
  );
  expect(beginningFor('2026-03-02T10:00:00.000Z', { createdAt: undefined, isMoved: false })).toBe('2026-03-02T09:59:59.999Z');
});

test('a conversation without messages needs no other beginning', () => {
  expect(beginningFor(undefined, { createdAt: '2026-03-01T08:00:00.000Z', isMoved: false })).toBeUndefined();
});

test('a conversation that a migration has moved keeps the beginning it was given', () => {
  const moved = { createdAt: '2026-03-01T08:00:00.000Z', isMoved: true };
  expect(beginningFor('2026-03-02T10:00:00.000Z', moved)).toBe('2026-03-01T08:00:00.000Z');
  expect(beginningFor('2026-02-02T10:00:00.000Z', moved)).toBe('2026-02-02T09:59:59.999Z');
});
