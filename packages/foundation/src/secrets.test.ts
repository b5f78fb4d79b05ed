import { inspect } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aesKey, deriveKey, open, seal, Secret } from './secrets.ts';

const key = aesKey(Buffer.alloc(32, 7));

test('what is sealed opens again with the same key and context', () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.string(), (plaintext, context) => {
      expect(open(key, seal(key, plaintext, context), context)).toEqual(Buffer.from(plaintext));
    }),
  );
});

test('any flipped bit, another context or another key is refused', () => {
  const sealed = seal(key, Buffer.from('the client secret'), 'tenants/1');
  for (let index = 0; index < sealed.byteLength; index += 1) {
    const damaged = Buffer.from(sealed);
    damaged[index] = (damaged[index] ?? 0) ^ 1;
    expect(() => open(key, damaged, 'tenants/1')).toThrow('secrets.cannot-open');
  }
  expect(() => open(key, sealed, 'tenants/2')).toThrow('secrets.cannot-open');
  expect(() => open(deriveKey(key, 'other'), sealed, 'tenants/1')).toThrow('secrets.cannot-open');
});

test('a key of the wrong length is refused', () => {
  expect(() => aesKey(Buffer.alloc(16))).toThrow('A key has 32 bytes.');
});

test('a secret shows itself nowhere but where it is asked', () => {
  const secret = new Secret('hunter2');
  expect(`${String(secret)} ${JSON.stringify({ secret })} ${inspect(secret)}`).not.toContain('hunter2');
  expect(secret.reveal()).toBe('hunter2');
});
