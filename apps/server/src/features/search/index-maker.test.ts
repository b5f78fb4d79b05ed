import type { ItemWords } from '@holdfast/engine';
import { expect, onTestFinished, test } from 'vitest';
import { createIndexMaker } from './index-maker.ts';
import { madeOfWords } from './made-of-words.ts';

const words: ItemWords = {
  title: 'Offer 17',
  from: ['Anna <anna@contoso.com>'],
  to: [],
  cc: [],
  bcc: [],
  attachments: ['Größen.pdf'],
  attachmentTexts: [{ name: 'Größen.pdf', text: 'Tisch 80 × 160' }],
  text: 'delivered in week 12 '.repeat(2_000),
  at: null,
  state: 'indexed',
};

test('a thread makes the same rows as its caller would, of several items at a time', async () => {
  const maker = createIndexMaker();
  onTestFinished(() => maker.close());
  const other = { ...words, title: 'Other' };
  const [one, two] = await Promise.all([maker.make(words), maker.make(other)]);
  expect(one).toEqual(madeOfWords(words));
  expect(two).toEqual(madeOfWords(other));
  expect(one.slices.vectors.length).toBeGreaterThan(1);
});

test('a thread that has ended is replaced, and what it was asked for fails', async () => {
  const maker = createIndexMaker();
  const asked = maker.make(words).catch((error: unknown) => error);
  await maker.close();
  expect(String(await asked)).toContain('has ended');
  onTestFinished(() => maker.close());
  expect((await maker.make(words)).slices.vectors.length).toBeGreaterThan(1);
});
