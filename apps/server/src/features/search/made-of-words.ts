import type { ItemWords } from '@holdfast/engine';
import { languageOf, sumSensitive, type SensitiveSum } from '@holdfast/words';
import { slicesOf, type Slices } from './lexemes.ts';

/** What the index keeps of the words of an item. */
export interface MadeOfWords {
  readonly slices: Slices;
  /** Personal and payment numbers among them. */
  readonly sensitive: readonly SensitiveSum[];
  /** ISO 639-1; null where the words do not tell. */
  readonly language: string | null;
}

export function madeOfWords(words: ItemWords): MadeOfWords {
  return {
    slices: slicesOf(words),
    sensitive: sumSensitive([words.text, ...words.attachmentTexts.map(({ text }) => text)]),
    language: languageOf(`${words.title}\n${words.text}`),
  };
}
