import { expect, test } from 'vitest';
import { AppError, errorText, isAppError, systemCode } from './errors.ts';

test('an error is recognised by its code, and only by the codes asked for', () => {
  const error = new AppError('vault.wrong-key', { details: { vaultId: 'v1' }, cause: new Error('tag') });
  expect(isAppError(error)).toBe(true);
  expect(isAppError(error, 'vault.wrong-key')).toBe(true);
  expect(isAppError(error, 'vault.foreign')).toBe(false);
  expect(isAppError(new Error('vault.wrong-key'))).toBe(false);
});

test('the code of a failed system call is found, and its absence is no error', () => {
  expect(systemCode(Object.assign(new Error('x'), { code: 'ENOENT' }))).toBe('ENOENT');
  expect(systemCode('text')).toBeUndefined();
  expect(errorText('thrown text')).toBe('thrown text');
});
