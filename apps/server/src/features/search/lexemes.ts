import { identifierOf } from '@holdfast/contract/query/identifiers';
import { headerNames, type HeaderName, type Identifier } from '@holdfast/contract/query/fields';
import { wordsOf } from '@holdfast/contract/query/words';
import type { ItemFacts, ItemWords } from '@holdfast/engine';
import { sha256Hex } from '@holdfast/foundation/bytes';

/** A part whose words a query without a field finds as well. */
type OpenPart = 's' | 'f' | 't' | 'c' | 'b' | 'n';
/** A part that is found by its own field alone: envelope, links and lines of the header. */
type OwnPart = 'e' | 'k' | `h${number}`;
/** The part of an item that a word is in, as the beginning of its second lexeme; the body has none. */
export type Part = OpenPart | OwnPart;

/** The part of a header line. Its number is its place in the list of names, to which names are only ever added at the end. */
export function headerPart(name: HeaderName): OwnPart {
  return `h${headerNames.indexOf(name)}`;
}

/** The lexemes around the value of a part, for comparisons of the whole value. */
export const anchor = { start: '^', end: '$' } as const;

/** As much of a hash as no two identifiers share. */
const IDENTIFIER_DIGITS = 24;

/** The lexeme of what the addresses of a file have in common. */
export function addressLexeme(key: string): string {
  return `i:${sha256Hex(Buffer.from(`address ${key}`)).slice(0, IDENTIFIER_DIGITS)}`;
}

/** An identifier as the index has it: of one length, whatever its own is. It is no word, and no word is looked up as one. */
export function identifierLexeme(field: Identifier, value: string): string {
  return `i:${sha256Hex(Buffer.from(`${field} ${identifierOf(field, value)}`)).slice(0, IDENTIFIER_DIGITS)}`;
}

/** A row of the index: what PostgreSQL reads as a tsvector. */
export interface Slices {
  readonly vectors: readonly string[];
  /** Each word once. */
  readonly vocabulary: ReadonlySet<string>;
}

interface Token {
  readonly lexemes: readonly string[];
  readonly weight: 'A' | 'B' | 'C' | 'D';
  /** How far behind the token before it. */
  readonly step: number;
  /** The word where no lexeme is the word alone. */
  readonly word?: string;
}

/** Positions of a tsvector end at 16,383, and it keeps 256 of a word: slices end long before. */
const SLICE_TOKENS = 4_096;
const MOST_OF_A_WORD = 250;
/** The next slice repeats the end of the one before: more than any phrase may span. */
const OVERLAP = 128;
/** No phrase reaches from one part into the next. */
const GAP = 140;

/** The weight says what kind of text a word is of: a subject, a person or a name, what is in an attachment, the item's own text. */
const weights: Readonly<Record<OpenPart, Token['weight']>> = { s: 'A', f: 'B', t: 'B', c: 'B', b: 'B', n: 'B' };

type See = (token: Token) => void;

function seeValue(part: OpenPart, value: string, see: See): void {
  const weight = weights[part];
  see({ lexemes: [`${part}:${anchor.start}`], weight, step: GAP });
  for (const word of wordsOf(value)) see({ lexemes: [word, `${part}:${word}`], weight, step: 1 });
  see({ lexemes: [`${part}:${anchor.end}`], weight, step: 1 });
}

/** A value whose words nothing finds but the field that they are of. */
function seeOwnValue(part: OwnPart, value: string, see: See): void {
  see({ lexemes: [`${part}:${anchor.start}`], weight: 'D', step: GAP });
  for (const word of wordsOf(value)) see({ lexemes: [`${part}:${word}`], weight: 'D', step: 1, word });
  see({ lexemes: [`${part}:${anchor.end}`], weight: 'D', step: 1 });
}

/** The characters that a link names by their numbers are words like others. */
function readable(link: string): string {
  try {
    return decodeURIComponent(link);
  } catch {
    return link;
  }
}

function seeFacts({ envelope, headers, links, addresses }: ItemFacts, see: See): void {
  for (const key of addresses) see({ lexemes: [addressLexeme(key)], weight: 'D', step: 1 });
  for (const person of envelope) for (const value of addressValues(person)) seeOwnValue('e', value, see);
  for (const link of links) seeOwnValue('k', readable(link), see);
  for (const [header, value] of headers) {
    const name = headerNames.find((one) => one === header.toLowerCase());
    if (name) seeOwnValue(headerPart(name), value, see);
  }
}

/** `Anna Schmidt <anna@contoso.com>` is a name and an address; both are values of their own. */
function addressValues(person: string): readonly string[] {
  const parts = /^(.*)<([^<>]+)>$/.exec(person);
  return parts ? [parts[1]?.trim() ?? '', parts[2] ?? ''].filter((value) => value !== '') : [person];
}

function seeText(text: string, weight: Token['weight'], see: See): void {
  let step = GAP;
  for (const word of wordsOf(text)) {
    see({ lexemes: [word], weight, step });
    step = 1;
  }
}

/** Shows the tokens of an item in their order. */
function seeTokens(words: ItemWords, see: See): void {
  for (const { field, value } of words.facts?.identifiers ?? []) see({ lexemes: [identifierLexeme(field, value)], weight: 'D', step: 1 });
  if (words.title !== '') seeValue('s', words.title, see);
  const people = [
    ['f', words.from],
    ['t', words.to],
    ['c', words.cc],
    ['b', words.bcc],
  ] as const;
  for (const [part, list] of people) for (const person of list) for (const value of addressValues(person)) seeValue(part, value, see);
  for (const name of words.attachments) seeValue('n', name, see);
  seeText(words.text, 'D', see);
  for (const { text } of words.attachmentTexts) seeText(text, 'C', see);
  if (words.facts) seeFacts(words.facts, see);
}

/** Collects the tokens of one slice and says when it is full. */
function createSlice(first: readonly Token[]) {
  const tokens: Token[] = [];
  const placesOf = new Map<string, string[]>();
  let position = 0;
  let most = 0;
  function add(token: Token): void {
    tokens.push(token);
    position += token.step;
    const place = `${position}${token.weight}`;
    for (const lexeme of token.lexemes) {
      const places = placesOf.get(lexeme);
      if (!places) placesOf.set(lexeme, [place]);
      else most = Math.max(most, places.push(place));
    }
  }
  first.forEach(add);
  return {
    tokens,
    add,
    isFull: () => position >= SLICE_TOKENS || most >= MOST_OF_A_WORD,
    /** Lexemes of words hold letters and digits alone; those of parts add a colon and an anchor. None needs escaping inside quotes. */
    vector: () => [...placesOf].map(([lexeme, places]) => `'${lexeme}':${places.join(',')}`).join(' '),
  };
}

/** The index rows of an item. */
export function slicesOf(words: ItemWords): Slices {
  const vocabulary = new Set<string>();
  const vectors: string[] = [];
  let slice = createSlice([]);
  seeTokens(words, (token) => {
    slice.add(token);
    const word = token.word ?? token.lexemes[0];
    if (word && !word.includes(':')) vocabulary.add(word);
    if (!slice.isFull()) return;
    vectors.push(slice.vector());
    slice = createSlice(slice.tokens.slice(-OVERLAP));
  });
  if (slice.tokens.length > 0) vectors.push(slice.vector());
  return { vectors, vocabulary };
}
