import { expect, test } from 'vitest';
import { commonPasswords, minimumLength, passwordFaults } from './password-policy.ts';

const product = { kind: 'product', minLength: 12, checkCommon: true } as const;
const floor = { kind: 'product', minLength: 6, checkCommon: false } as const;

test('the list of common passwords has three thousand entries and more, lower case and distinct', () => {
  const list = commonPasswords();
  expect(list.size).toBeGreaterThanOrEqual(3_000);
  expect([...list].every((entry) => entry === entry.toLowerCase())).toBe(true);
});

test('the default asks for twelve characters and a special one', () => {
  expect(passwordFaults('Short-1', product)).toEqual(['PasswordTooShort']);
  expect(passwordFaults('LongEnoughButPlain1', product)).toEqual(['PasswordRequiresNonAlphanumeric']);
  expect(passwordFaults('Sturdy-Heron-Wanders', product)).toEqual([]);
});

test('the floor of the specification is never gone below', () => {
  expect(minimumLength({ ...floor, minLength: 1 })).toBe(6);
  expect(passwordFaults('ab-12', { ...floor, minLength: 1 })).toEqual(['PasswordTooShort']);
  expect(passwordFaults('ab-123', floor)).toEqual([]);
});

test.each(['password1234!', 'P@ssw0rd2026!!', '!!Qwertyuiop!!', 'summer2026!!!!', 'Welcome-2026!'])(
  'a common password in any dress is refused: %s',
  (password) => {
    expect(passwordFaults(password, product)).toEqual(['PasswordTooCommon']);
  },
);

test('the address, the product and the organisation make no password', () => {
  const context = { email: 'margarete.holm@contoso.example', organisation: 'Contoso' };
  for (const password of ['margarete.holm-1!', 'Holdfast-2026!!', 'Contoso-12345!']) {
    expect(passwordFaults(password, product, context)).toEqual(['PasswordTooCommon']);
  }
});

test('spaces and any Unicode count, up to 256 characters', () => {
  expect(passwordFaults('drei alte Bäume – im Nebel', product)).toEqual([]);
  expect(passwordFaults('🦊'.repeat(12), product)).toEqual([]);
  expect(passwordFaults(`${'a'.repeat(256)}!`, product)).toEqual(['PasswordTooLong']);
});

test('the faults of upstream come in its order', () => {
  expect(passwordFaults('', { kind: 'upstream' })).toEqual([
    'PasswordTooShort',
    'PasswordRequiresNonAlphanumeric',
    'PasswordRequiresDigit',
    'PasswordRequiresLower',
    'PasswordRequiresUpper',
  ]);
});
