import { headerNames, type FieldName } from '@holdfast/contract/query/fields';
import type { NearNode, Query, TextTerm } from '@holdfast/contract/query/tree';
import { fold, spellingsOf, wordsOf } from '@holdfast/contract/query/words';
import { anchor, headerPart, type Part } from './lexemes.ts';

/** Where the words of a field are looked for: in parts by prefix, or in the body by weight. */
export const partsOf: Readonly<Partial<Record<FieldName, readonly Part[]>>> = {
  ...Object.fromEntries(headerNames.map((name) => [`header.${name}`, [headerPart(name)]])),
  envelope: ['e'],
  link: ['k'],
  subject: ['s'],
  attachment: ['n'],
  from: ['f'],
  to: ['t'],
  cc: ['c'],
  bcc: ['b'],
  recipients: ['t', 'c', 'b'],
  participants: ['f', 't', 'c', 'b'],
};

/** What stands for any value of a field at all; undefined for texts, which have no edges. */
export function anyValueQuery(field: FieldName): string | undefined {
  return partsOf[field]?.map((part) => lexeme(anchor.start, part, false, '')).join(' | ');
}

/** The words of the index that a word with an open beginning stands for. */
export type Vocabulary = (pattern: { readonly word: string; readonly openEnd: boolean }) => readonly string[];

function lexeme(word: string, part: Part | null, isOpen: boolean, weight: string): string {
  return `'${part === null ? word : `${part}:${word}`}':${isOpen ? '*' : ''}${weight}`.replace(/:$/, '');
}

function either(options: readonly string[]): string {
  return options.length === 1 ? (options[0] ?? '') : `(${options.join(' | ')})`;
}

interface Place {
  readonly part: Part | null;
  readonly weight: string;
}

/** Words in a row in one part. No word stands for nothing, which is never found. */
function phrase(term: TextTerm, text: string, { part, weight }: Place, known: Vocabulary): string | undefined {
  const words = [...wordsOf(text)];
  const pieces = words.map((word, index) => {
    const openStart = term.openStart && index === 0;
    const openEnd = term.openEnd && index === words.length - 1;
    if (!openStart) return lexeme(word, part, openEnd, weight);
    const found = known({ word, openEnd });
    return found.length === 0 ? undefined : either(found.map((one) => lexeme(one, part, false, weight)));
  });
  if (pieces.length === 0 || pieces.includes(undefined)) return undefined;
  const edge = (end: string): string => lexeme(end, part, false, weight);
  return (term.match === 'exactly' && part !== null ? [edge(anchor.start), ...pieces, edge(anchor.end)] : pieces).join(' <-> ');
}

/** Texts of an item and of its attachments are told apart by weight. */
function weightOf(field: FieldName | null): string {
  if (field === 'body') return 'D';
  return field === 'attachmenttext' ? 'C' : '';
}

function placesOf(field: FieldName | null): readonly Place[] {
  const parts = field === null ? undefined : partsOf[field];
  if (parts) return parts.map((part) => ({ part, weight: '' }));
  return [{ part: null, weight: weightOf(field) }];
}

/** A term as PostgreSQL reads it; undefined where nothing can match. */
export function termQuery(term: TextTerm, known: Vocabulary): string | undefined {
  const options = placesOf(term.field).flatMap((place) =>
    spellingsOf(term.text).flatMap((text) => {
      const found = phrase(term, text, place, known);
      return found === undefined ? [] : [`(${found})`];
    }),
  );
  return options.length === 0 ? undefined : either([...new Set(options)]);
}

/** PostgreSQL reads no query of more than a megabyte: an open word that stands for more words than this is looked up in several. */
const MOST_WORDS = 5_000;

/** A term as one query or, where it stands for very many words, as several that find it together. */
export function termQueries(term: TextTerm, known: Vocabulary): readonly string[] {
  const most = Math.max(1, ...openWords(term).map((open) => known(open).length));
  const steps = Array.from({ length: Math.ceil(most / MOST_WORDS) }, (_, index) => index * MOST_WORDS);
  return steps.flatMap((from) => termQuery(term, (open) => known(open).slice(from, from + MOST_WORDS)) ?? []);
}

/** The phrases an operand of NEAR stands for, each with its number of words. */
function operandPhrases(node: Query, known: Vocabulary): readonly { readonly query: string; readonly width: number }[] {
  if (node.kind === 'or') return node.of.flatMap((one) => operandPhrases(one, known));
  const query = node.kind === 'text' ? termQuery(node, known) : undefined;
  return query === undefined || node.kind !== 'text' ? [] : [{ query, width: [...wordsOf(node.text)].length }];
}

/** PostgreSQL measures from alternatives of unlike length as if they were alike: only alternatives of one length are joined. */
function byWidth(phrases: ReturnType<typeof operandPhrases>): readonly string[] {
  return [...Map.groupBy(phrases, ({ width }) => width).values()].map((alike) => either(alike.map(({ query }) => query)));
}

/** Two operands with at most so many words between them. */
export function nearQuery(node: NearNode, known: Vocabulary): string | undefined {
  const [lefts = [], rights = []] = node.operands.map((operand) => byWidth(operandPhrases(operand, known)));
  const [gap] = node.gaps;
  if (!gap) return undefined;
  const steps = Array.from({ length: gap.distance + 1 }, (_, index) => index + 1);
  const options = lefts.flatMap((left) =>
    rights.flatMap((right) =>
      steps.flatMap((step) => [`(${left} <${step}> ${right})`, ...(gap.isOrdered ? [] : [`(${right} <${step}> ${left})`])]),
    ),
  );
  return options.length === 0 ? undefined : either(options);
}

/** The open words of a query, to be looked up in the vocabulary before it is asked. */
export function openWords(query: Query): { readonly word: string; readonly openEnd: boolean }[] {
  if (query.kind === 'and' || query.kind === 'or') return query.of.flatMap(openWords);
  if (query.kind === 'not') return openWords(query.of);
  if (query.kind === 'near') return query.operands.flatMap(openWords);
  if (query.kind !== 'text' || !query.openStart) return [];
  return spellingsOf(query.text).flatMap((text) => {
    const words = [...wordsOf(text)];
    const [word] = words;
    return word === undefined ? [] : [{ word: fold(word), openEnd: query.openEnd && words.length === 1 }];
  });
}
