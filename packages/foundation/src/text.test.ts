import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sortText, storableText } from './text.ts';

test('storable text has neither NUL nor half a surrogate pair', () => {
  expect(storableText('a\0b\ud800c')).toBe('a\u2400b\ufffdc');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(storableText(text)).not.toContain('\0');
      expect(storableText(text).isWellFormed()).toBe(true);
    }),
  );
});

test('names that differ only in case or in the writing of accents sort alike', () => {
  expect(sortText('E\u0301CLAIR')).toBe(sortText('\u00e9clair'));
});
