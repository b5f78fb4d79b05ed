import type { ItemWords } from '@holdfast/engine';
import { expect, onTestFinished, test } from 'vitest';
import { createSliceThread, slicesHere } from './slice-maker.ts';

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
  const slices = createSliceThread();
  onTestFinished(() => slices.close());
  const other = { ...words, title: 'Other' };
  const [one, two] = await Promise.all([slices.make(words), slices.make(other)]);
  expect(one).toEqual(await slicesHere.make(words));
  expect(two).toEqual(await slicesHere.make(other));
  expect(one.vectors.length).toBeGreaterThan(1);
});

test('a thread that has ended is replaced, and what it was asked for fails', async () => {
  const slices = createSliceThread();
  const asked = slices.make(words).catch((error: unknown) => error);
  await slices.close();
  expect(String(await asked)).toContain('has ended');
  onTestFinished(() => slices.close());
  expect((await slices.make(words)).vectors.length).toBeGreaterThan(1);
});
