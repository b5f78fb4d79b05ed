import type { WordPart } from '@holdfast/contract/compliance-values';
import { diffLines, diffWordsWithSpace, type ChangeObject } from 'diff';

type Changes = readonly ChangeObject<string>[] | undefined;

/** Texts that have less in common are compared by lines, then not at all: the time it takes grows with the square of the changes. */
const MOST_CHANGED_WORDS = 1_000;
const MOST_CHANGED_LINES = 500;

const changeOf = ({ added, removed }: ChangeObject<string>): WordPart['change'] => (added ? 'added' : removed ? 'removed' : 'same');

/** With a callback the library lets others run between its steps. */
function byWords(older: string, newer: string): Promise<Changes> {
  return new Promise((resolve) => diffWordsWithSpace(older, newer, { maxEditLength: MOST_CHANGED_WORDS, callback: resolve }));
}

function byLines(older: string, newer: string): Promise<Changes> {
  return new Promise((resolve) => diffLines(older, newer, { maxEditLength: MOST_CHANGED_LINES, callback: resolve }));
}

/** What became of a text, word by word: without what was added it is the older one, without what was removed the newer. */
export async function wordDifferences(older: string, newer: string): Promise<WordPart[]> {
  const changes = (await byWords(older, newer)) ?? (await byLines(older, newer));
  const parts = changes?.map((one): WordPart => ({ change: changeOf(one), text: one.value })) ?? [
    { change: 'removed', text: older },
    { change: 'added', text: newer },
  ];
  return parts.filter(({ text }) => text !== '');
}
