import { expect, test } from 'vitest';
import { pageFrom, windowOf } from './paging.ts';

test('a page says where the next begins, and what nobody was given is no place to begin', () => {
  const { nextCursor } = pageFrom([1, 2], 5, windowOf({ limit: 2 }));
  expect(windowOf({ limit: 2, cursor: nextCursor ?? '' })).toEqual({ offset: 2, limit: 2 });
  const madeUp = ['@@', '', 'zzz', ...['-1', '1.5', ' 2', '1e3', '10000001'].map((said) => Buffer.from(said).toString('base64url'))];
  for (const cursor of madeUp) expect(() => windowOf({ limit: 2, cursor }), cursor).toThrow('request.invalid');
});
