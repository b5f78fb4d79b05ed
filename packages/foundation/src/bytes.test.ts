import { expect, test } from 'vitest';
import { equalBytes, formatBytes, sha256, sha256Hex } from './bytes.ts';

test('sizes are told in steps of 1,024 with three significant digits', () => {
  expect([0, 1023, 1536, 5 * 1024 ** 3].map(formatBytes)).toEqual(['0 B', '1023 B', '1.50 KB', '5.00 GB']);
});

test('hashes of text and bytes agree, and equality needs the same length', () => {
  expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  expect(sha256(Buffer.from('abc')).toString('hex')).toBe(sha256Hex('abc'));
  expect(equalBytes(Buffer.from('a'), Buffer.from('ab'))).toBe(false);
  expect(equalBytes(Buffer.from('ab'), Buffer.from('ab'))).toBe(true);
});
