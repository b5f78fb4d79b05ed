import { expect, test } from 'vitest';
import { periodOf } from './period.ts';

test('the last day of a period belongs to it', () => {
  const { from = '', to = '' } = periodOf({ from: '2026-11-21', to: '2026-11-21' });
  expect(new Date(from).getHours()).toBe(0);
  expect(new Date(to).getDate()).toBe(22);
  expect(new Date(to).getTime() - new Date(from).getTime()).toBe(86_400_000);
});

test('an open end is left out', () => {
  expect(periodOf({ from: '', to: '' })).toEqual({});
  expect(Object.keys(periodOf({ from: '2026-12-31', to: '' }))).toEqual(['from']);
  expect(new Date(periodOf({ from: '', to: '2026-12-31' }).to ?? '').getFullYear()).toBe(2027);
});
