import type { FieldName } from './fields.ts';
import type { Place, Query, TextTerm } from './tree.ts';
import { placedWordsOf, spellingsOf, wordsOf } from './words.ts';

/** What of an item a text is: its name, its people, the name of an attachment, what it says, what an attachment says. */
export const textParts = ['subject', 'people', 'name', 'text', 'attachment'] as const;
export type TextPart = (typeof textParts)[number];

/** Words that a query looked for, where they are in a text. `term` is the number of the term within the query. */
export interface Mark extends Place {
  readonly term: number;
}

/** Where the words of a field are; a field that is absent has no words. */
const partsOf: Readonly<Partial<Record<FieldName, readonly TextPart[]>>> = {
  subject: ['subject'],
  attachment: ['name'],
  attachmenttext: ['attachment'],
  body: ['text'],
  from: ['people'],
  to: ['people'],
  cc: ['people'],
  bcc: ['people'],
  recipients: ['people'],
  participants: ['people'],
};

/** The terms whose words an item has; what it must not have is marked nowhere. */
function termsOf(query: Query): readonly TextTerm[] {
  if (query.kind === 'text') return [query];
  if (query.kind === 'and' || query.kind === 'or') return query.of.flatMap(termsOf);
  return query.kind === 'near' ? query.operands.flatMap(termsOf) : [];
}

/** Words in a row, as one spelling of a term has them. */
interface Pattern {
  readonly words: readonly string[];
  readonly openStart: boolean;
  readonly openEnd: boolean;
}

function patternsOf({ text, openStart, openEnd }: TextTerm): readonly Pattern[] {
  return spellingsOf(text).flatMap((spelling) => {
    const words = [...wordsOf(spelling)];
    return words.length === 0 ? [] : [{ words, openStart, openEnd }];
  });
}

function isLike(found: string, wanted: string, { openStart, openEnd }: Pick<Pattern, 'openStart' | 'openEnd'>): boolean {
  if (openStart && openEnd) return found.includes(wanted);
  if (openStart) return found.endsWith(wanted);
  return openEnd ? found.startsWith(wanted) : found === wanted;
}

function isAt(words: readonly { readonly word: string }[], start: number, pattern: Pattern): boolean {
  const last = pattern.words.length - 1;
  return pattern.words.every((wanted, index) => {
    const found = words[start + index]?.word;
    const open = { openStart: pattern.openStart && index === 0, openEnd: pattern.openEnd && index === last };
    return found !== undefined && isLike(found, wanted, open);
  });
}

/** Where a text of an item has words that a query looked for, from its beginning to its end; none overlaps another. */
export function marksIn(query: Query, part: TextPart, text: string): readonly Mark[] {
  const terms = termsOf(query).map((term, number) => ({ number, term, patterns: patternsOf(term) }));
  const wanted = terms.filter(({ term }) => term.field === null || (partsOf[term.field]?.includes(part) ?? false));
  if (wanted.length === 0) return [];
  const words = [...placedWordsOf(text)];
  const marks: Mark[] = [];
  let at = 0;
  while (at < words.length) {
    let width = 1;
    for (const { number, patterns } of wanted) {
      const pattern = patterns.find((one) => isAt(words, at, one));
      const [first, last] = [words[at], words[at + (pattern?.words.length ?? 0) - 1]];
      if (!pattern || !first || !last) continue;
      marks.push({ from: first.from, to: last.to, term: number });
      width = pattern.words.length;
      break;
    }
    at += width;
  }
  return marks;
}

/** Whether a name or a text is what a term asks for: its words in a row, or nothing but them. */
export function isTextLike(term: TextTerm, text: string): boolean {
  const words = [...placedWordsOf(text)];
  return patternsOf(term).some((pattern) =>
    term.match === 'exactly'
      ? words.length === pattern.words.length && isAt(words, 0, pattern)
      : words.some((_, start) => isAt(words, start, pattern)),
  );
}
