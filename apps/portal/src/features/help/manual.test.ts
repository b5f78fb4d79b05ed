import { manual } from '@holdfast/phrases/en/manual';
import { articleIds } from '@holdfast/phrases/manual';
import { expect, test } from 'vitest';
import { findArticles } from './manual.ts';

test('an empty search shows every article in order', () => {
  expect(findArticles(manual, '  ').map(([id]) => id)).toEqual([...articleIds]);
});

test('a search finds articles that hold all its words, whatever their case', () => {
  expect(findArticles(manual, 'MASTER key strongbox').map(([id]) => id)).toEqual(['keys']);
  expect(findArticles(manual, 'Mail.ReadWrite').map(([id]) => id)).toEqual(['registerApp']);
});

test('a search without a match finds nothing', () => {
  expect(findArticles(manual, 'zeppelin')).toEqual([]);
});
