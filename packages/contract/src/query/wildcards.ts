import { isMark, type FieldName } from './fields.ts';
import { printQuery } from './print.ts';
import type { Query, TextTerm } from './tree.ts';
import { fold, spellingsOf, wordsOf } from './words.ts';

/** A word with an open beginning, an open end or both. */
export interface OpenWord {
  readonly word: string;
  readonly openStart: boolean;
  readonly openEnd: boolean;
}

/** A term of a query that stands for words of the index. */
export interface Wildcard {
  /** As it is written: `*vertrag`. */
  readonly text: string;
  /** The term without its field, unless the words of the field are found by nothing else. */
  readonly term: TextTerm;
  /** Its open words, in each spelling. */
  readonly open: readonly OpenWord[];
}

function openTerms(query: Query): readonly TextTerm[] {
  if (query.kind === 'and' || query.kind === 'or') return query.of.flatMap(openTerms);
  if (query.kind === 'not') return openTerms(query.of);
  if (query.kind === 'near') return query.operands.flatMap(openTerms);
  return query.kind === 'text' && (query.openStart || query.openEnd) && !isMark(query.field) ? [query] : [];
}

/** Whether a query without a field finds the words of this one. */
const isOwn = (field: FieldName | null): boolean => field === 'envelope' || field === 'link' || field?.startsWith('header.') === true;

function openWordsOf({ text, openStart, openEnd }: TextTerm): readonly OpenWord[] {
  return spellingsOf(text).flatMap((spelling) => {
    const words = [...wordsOf(spelling)].map(fold);
    const [first] = words;
    const last = words.at(-1);
    if (first === undefined || last === undefined) return [];
    if (words.length === 1) return [{ word: first, openStart, openEnd }];
    return [
      ...(openStart ? [{ word: first, openStart, openEnd: false }] : []),
      ...(openEnd ? [{ word: last, openStart: false, openEnd }] : []),
    ];
  });
}

/** The wildcards of a query, each once. */
export function wildcardsIn(query: Query): readonly Wildcard[] {
  const found = new Map<string, Wildcard>();
  for (const one of openTerms(query)) {
    const term: TextTerm = { ...one, field: isOwn(one.field) ? one.field : null };
    const text = printQuery(term);
    found.set(text, { text, term, open: openWordsOf(term) });
  }
  return [...found.values()];
}
