import { expect, test } from 'vitest';
import { worksWith } from './version.policy.ts';

test('versions work together when they are at most one step apart', () => {
  for (const [one, other] of [
    ['1.4.0', '1.4.9'],
    ['1.4.0', '1.5.0'],
    ['1.5.1', '1.4.0-beta'],
  ] as const) {
    expect(worksWith(one, other)).toBe(true);
    expect(worksWith(other, one)).toBe(true);
  }
  for (const [one, other] of [
    ['1.4.0', '1.6.0'],
    ['1.9.0', '2.0.0'],
    ['', '1.0.0'],
    ['nonsense', 'nonsense'],
  ] as const) {
    expect(worksWith(one, other)).toBe(false);
    expect(worksWith(other, one)).toBe(false);
  }
});
