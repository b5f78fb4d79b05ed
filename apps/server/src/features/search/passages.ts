import { marksIn, type Mark, type TextPart } from '@holdfast/contract/query/marks';
import type { Query } from '@holdfast/contract/query/tree';
import type { SearchPassage } from '@holdfast/contract/search';
import type { ItemWords } from '@holdfast/engine';

/** As many passages of a hit as are shown. */
const MOST = 3;
/** The length of a passage, in characters. */
const WIDTH = 200;
/** How much of it comes before its first mark. */
const BEFORE = 40;
/** A text is looked through so far: somebody waits for the passages. */
const LOOKED_THROUGH = 2_000_000;

interface Text {
  readonly part: TextPart;
  readonly name: string | null;
  readonly text: string;
}

function textsOf(words: ItemWords): readonly Text[] {
  const people = [words.from, words.to, words.cc, words.bcc].flat().join(', ');
  return [
    { part: 'text', name: null, text: words.text },
    ...words.attachmentTexts.map(({ name, text }) => ({ part: 'attachment' as const, name, text })),
    { part: 'name', name: null, text: words.attachments.join(', ') },
    { part: 'people', name: null, text: people },
  ];
}

/** The marks that a passage can hold, from each of them on: the first of those with the most different terms. */
function bestOf(marks: readonly Mark[]): { readonly start: number; readonly terms: number } {
  let best = { start: 0, terms: 0 };
  for (const [index, { from }] of marks.entries()) {
    const within = new Set<number>();
    for (let next = index; next < marks.length && (marks[next]?.to ?? 0) <= from + WIDTH - BEFORE; next += 1)
      within.add(marks[next]?.term ?? 0);
    if (within.size > best.terms) best = { start: from, terms: within.size };
  }
  return best;
}

/** Text around a place, cut between words, on one line. */
function around(text: string, start: number): string {
  const from = Math.max(0, start - BEFORE);
  const to = Math.min(text.length, from + WIDTH);
  const cutStart = from === 0 ? 0 : from + (/^\S*\s/.exec(text.slice(from, start))?.[0].length ?? 0);
  const cutEnd = to === text.length ? to : to - (/\s\S*$/.exec(text.slice(start, to))?.[0].length ?? 0);
  const line = text.slice(cutStart, cutEnd).replaceAll(/\s+/g, ' ').trim();
  return `${cutStart === 0 ? '' : '… '}${line}${cutEnd === text.length ? '' : ' …'}`;
}

/** A page ends with a form feed; a text without one tells no pages. */
function pageOf(text: string, at: number): number | null {
  return text.includes('\f') ? text.slice(0, at).split('\f').length : null;
}

/** Where an item says what a query looked for, the passages with the most of its terms first. */
export function passagesOf(words: ItemWords, query: Query): SearchPassage[] {
  const found = textsOf(words).flatMap(({ part, name, text: whole }) => {
    const text = whole.slice(0, LOOKED_THROUGH);
    const marks = marksIn(query, part, text);
    if (marks.length === 0) return [];
    const { start, terms } = bestOf(marks);
    return [{ terms, passage: { part, name, page: pageOf(text, start), text: around(text, start) } }];
  });
  return found
    .toSorted((one, other) => other.terms - one.terms)
    .slice(0, MOST)
    .map(({ passage }) => passage);
}
