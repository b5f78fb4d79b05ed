import { expect, test } from 'vitest';
import { createSeededRandom } from '@holdfast/foundation/random';
import { createRecoveryCodes, readRecoveryCode } from './recovery-codes.ts';
import { sharedKeyOf, totpCode, totpStep } from './totp.ts';

/** The key of the examples in RFC 6238. */
const key = Buffer.from('12345678901234567890');
const strict = { steps: 1, asNumber: false };
const lenient = { steps: 2, asNumber: true };

test('the codes are those of RFC 6238, cut to six digits', () => {
  for (const [seconds, code] of [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_234_567_890, '005924'],
    [20_000_000_000, '353130'],
  ] as const) {
    expect(totpCode(key, seconds * 1_000)).toBe(code);
    expect(totpStep(key, code, seconds * 1_000, strict)).toBe(Math.floor(seconds / 30));
  }
});

test('the key is told in base32', () => {
  expect(sharedKeyOf(key)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
});

test('the neighbouring step is taken and named, the one beyond is not', () => {
  const nowMs = 1_111_111_109_000;
  const step = Math.floor(nowMs / 30_000);
  for (const shift of [-1, 0, 1]) expect(totpStep(key, totpCode(key, nowMs + shift * 30_000), nowMs, strict)).toBe(step + shift);
  for (const shift of [-2, 2]) {
    expect(totpStep(key, totpCode(key, nowMs + shift * 30_000), nowMs, strict)).toBeUndefined();
    expect(totpStep(key, totpCode(key, nowMs + shift * 30_000), nowMs, lenient)).toBe(step + shift);
  }
});

test('a code without its leading zeros counts as a number where that is allowed, and words never do', () => {
  const nowMs = 1_234_567_890_000;
  expect(totpStep(key, '5924', nowMs, lenient)).toBeDefined();
  expect(totpStep(key, '5924', nowMs, strict)).toBeUndefined();
  expect(totpStep(key, 'wrong', nowMs, lenient)).toBeUndefined();
});

test('recovery codes are ten, distinct, of 26 characters, and read as people type them', () => {
  const codes = createRecoveryCodes(createSeededRandom(1));
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) expect(code).toMatch(/^[23456789BCDFGHJKMNPQRTVWXY]{5}-[23456789BCDFGHJKMNPQRTVWXY]{5}$/);
  const [first = ''] = codes;
  expect(readRecoveryCode(` ${first.toLowerCase().replace('-', ' ')} `)).toBe(first);
  expect(readRecoveryCode('too short')).toBeUndefined();
});
