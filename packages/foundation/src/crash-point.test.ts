import { afterEach, expect, test } from 'vitest';
import { crashPoint, onCrashPoint } from './crash-point.ts';

afterEach(() => onCrashPoint(undefined));

test('a crash point does nothing until a test says what happens there', async () => {
  await crashPoint('vault.pack.before-write');
  const passed: string[] = [];
  onCrashPoint((name) => {
    passed.push(name);
    throw new Error('power cut');
  });
  expect(() => crashPoint('vault.pack.after-write')).toThrow('power cut');
  expect(passed).toEqual(['vault.pack.after-write']);
});
