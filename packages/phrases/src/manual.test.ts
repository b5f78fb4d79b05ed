import { expect, test } from 'vitest';
import { manual as de } from './de/manual.ts';
import { manual as en } from './en/manual.ts';
import { articleIds } from './catalogue/manual.ts';

test('an article has the same group and the same blocks in both languages', () => {
  for (const id of articleIds) {
    const [english, german] = [en.articles[id], de.articles[id]];
    expect(german.group, id).toBe(english.group);
    expect(
      german.blocks.map((block) => block.kind),
      id,
    ).toEqual(english.blocks.map((block) => block.kind));
  }
});

test('steps and tables have as many entries in German as in English', () => {
  const size = (block: object): unknown =>
    'items' in block ? (block.items as unknown[]).length : 'rows' in block ? (block.rows as unknown[]).length : 1;
  for (const id of articleIds) expect(de.articles[id].blocks.map(size), id).toEqual(en.articles[id].blocks.map(size));
});
