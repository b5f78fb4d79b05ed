import { expect, test } from 'vitest';
import { manual as de } from './de/manual.ts';
import { manual as en } from './en/manual.ts';
import { articleIds, diagramNames, screenshotNames } from './catalogue/manual.ts';

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

test('pictures are the same in both languages, and a diagram has as many words in German as in English', () => {
  const pictureOf = (block: object): unknown =>
    'name' in block ? [block.name, 'words' in block ? (block.words as unknown[]).length : 0] : undefined;
  for (const id of articleIds) expect(de.articles[id].blocks.map(pictureOf), id).toEqual(en.articles[id].blocks.map(pictureOf));
});

test('each picture and diagram of the manual is in an article', () => {
  const shown = articleIds.flatMap((id) => en.articles[id].blocks.flatMap((block) => ('name' in block ? [block.name] : [])));
  expect(shown.toSorted()).toEqual([...screenshotNames, ...diagramNames].toSorted());
});
