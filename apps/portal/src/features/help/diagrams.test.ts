import type { Drawing } from '@holdfast/contract/paper';
import { manual as de } from '@holdfast/phrases/de/manual';
import { manual as en } from '@holdfast/phrases/en/manual';
import { articleIds, type Manual } from '@holdfast/phrases/manual';
import { expect, test } from 'vitest';
import { diagrams } from './diagrams.ts';

const diagramsOf = (manual: Manual) =>
  articleIds.flatMap((id) => manual.articles[id].blocks.flatMap((block) => (block.kind === 'diagram' ? [block] : [])));

/** No letter is wider on average, in the fonts of the portal. */
const LETTER = 0.56;

interface Box {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

function textsOf({ shapes }: Drawing): readonly Box[] {
  return shapes.flatMap((shape) => {
    if (shape.kind !== 'text') return [];
    const width = shape.text.length * shape.size * LETTER;
    const left = shape.x - { start: 0, middle: width / 2, end: width }[shape.anchor];
    return [{ text: shape.text, left, right: left + width, top: shape.y - shape.size, bottom: shape.y }];
  });
}

const meet = (one: Box, other: Box): boolean =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

test.each([
  ['English', en],
  ['German', de],
] as const)('each diagram has all its words in %s, inside of the picture and beside each other', (_language, manual) => {
  const found = diagramsOf(manual);
  expect(found).toHaveLength(3);
  for (const { name, words } of found) {
    const drawing = diagrams[name](words);
    const texts = textsOf(drawing);
    for (const word of words)
      expect(
        texts.map(({ text }) => text.replace(/^\+ /, '')),
        name,
      ).toContain(word);
    const outside = texts.filter(({ left, right, top, bottom }) => left < 0 || right > drawing.width || top < 0 || bottom > drawing.height);
    expect(outside, name).toEqual([]);
    const meeting = texts.flatMap((one, at) => texts.slice(at + 1).flatMap((other) => (meet(one, other) ? [[one.text, other.text]] : [])));
    expect(meeting, name).toEqual([]);
  }
});
