import { hash } from 'node:crypto';

/** What a mail says, sentence by sentence, however its lines were broken and how often they were quoted. */
export interface Sentence {
  readonly text: string;
  /** Repeats an earlier mail, by its marks or by the heading above it. */
  readonly isQuoted: boolean;
  /** Stands below a mail: a signature, or what a list adds to everything. */
  readonly isBelow: boolean;
}

/** The sentences of a mail, each as 16 bytes of its SHA-256. */
export interface SentenceHashes {
  /** All of them, in order. */
  readonly all: Uint32Array;
  /** Those that repeat an earlier mail, in order. */
  readonly quoted: Uint32Array;
  /** Those that stand below the mail as its signature or the footer of a list, in order. */
  readonly below: Uint32Array;
}

/** 32-bit numbers to a sentence. */
export const WORDS_PER_SENTENCE = 4;

interface Line {
  readonly text: string;
  readonly depth: number;
}

const QUOTE_MARKS = /^(?:[ \t]*>)+[ \t]?/u;
const BULLET = /^(?:[-*•]|\d{1,3}[.)])[ \t]/u;
const PLACE_OR_TIME = /@|\b(?:19|20)\d\d\b/u;
/** How mail programs say that somebody wrote what follows. */
const WROTE: ReadonlySet<string> = new Set([
  'wrote',
  'writes',
  'schrieb',
  'écrit',
  'scritto',
  'escribió',
  'escreveu',
  'skrev',
  'schreef',
  'napsal(a)',
  'napisał(a)',
]);
const MARKS: ReadonlySet<string> = new Set(['-', '_', '*']);
const LONGEST_HEADING = 25;
const HEADINGS_OF_A_MAIL = 3;
/** After what ends a sentence, with the quotes and parentheses that close behind it. */
const END_OF_SENTENCE = /(?<=[.!?…]["'”’»)\]]*)[ ]+|(?<=[。！？])/u;
const SAYS_SOMETHING = /[^\p{P}\p{Z}\p{C}]/u;

function linesOf(text: string): Line[] {
  return text.split(/\r\n|[\r\n]/u).map((line) => {
    const marks = QUOTE_MARKS.exec(line)?.[0] ?? '';
    return { text: line.slice(marks.length).trim(), depth: marks.split('>').length - 1 };
  });
}

/** A line such as "Subject: Offer": a few words that begin large, a colon and something behind it. */
function isHeading(line: string): boolean {
  const colon = line.indexOf(':');
  if (colon < 2 || colon > LONGEST_HEADING || line.slice(colon + 1).trim() === '') return false;
  const name = line.slice(0, colon);
  return /^\p{Lu}/u.test(name) && !/[^\p{L} -]/u.test(name);
}

/** "-----Original Message-----": words between two rows of marks. */
function isRule(line: string): boolean {
  let [first, last] = [0, line.length];
  while (MARKS.has(line.charAt(first))) first += 1;
  while (last > first && MARKS.has(line.charAt(last - 1))) last -= 1;
  const words = line.slice(first, last);
  return first >= 2 && line.length - last >= 2 && !/[-_*]/u.test(words) && /\p{L}/u.test(words);
}

/** A line of two dashes above a signature, or the long row of one mark that lists draw above their footer. */
const isRow = (line: string): boolean => line === '--' || /^(?:_{20,}|-{20,}|={20,}|\*{20,})$/u.test(line);

/** Whether a line ends in "<anna@contoso.com>:". */
function endsInAddress(line: string): boolean {
  if (!line.endsWith('>:')) return false;
  const address = line.slice(line.lastIndexOf('<') + 1, -2);
  return address.includes('@') && !/\s/u.test(address);
}

function endsInWrote(line: string): boolean {
  if (!line.endsWith(':')) return false;
  const said = line.slice(0, -1).trimEnd();
  return WROTE.has(said.slice(said.lastIndexOf(' ') + 1).toLowerCase());
}

/** Three headings of a mail or more, one below the other, with an address or a year among them: Outlook writes these above what it quotes. */
function isHeadOfMail(lines: readonly Line[], at: number): boolean {
  const block: string[] = [];
  for (let next = at; next < lines.length && isHeading(lines[next]?.text ?? ''); next++) block.push(lines[next]?.text ?? '');
  return block.length >= HEADINGS_OF_A_MAIL && block.some((line) => PLACE_OR_TIME.test(line));
}

/** "On 3 May 2024, Anna Schmidt wrote:", which may have been broken into two lines. */
function isAttribution(lines: readonly Line[], at: number): boolean {
  const line = lines[at]?.text ?? '';
  const whole = `${lines[at - 1]?.text ?? ''} ${line}`;
  return (endsInWrote(line) || endsInAddress(line)) && PLACE_OR_TIME.test(whole);
}

/** Whether everything below a line is quoted although no line is marked. */
function opensQuote(lines: readonly Line[], at: number): boolean {
  const line = lines[at];
  if (!line || line.depth > 0) return false;
  if (!(isRule(line.text) || isHeadOfMail(lines, at) || isAttribution(lines, at))) return false;
  const below = lines.slice(at + 1).find(({ text, depth }) => text !== '' || depth > 0);
  return below !== undefined && below.depth === 0;
}

function sentencesIn(paragraph: readonly string[]): string[] {
  const text = paragraph.join(' ').normalize('NFKC').replaceAll(/\s+/gu, ' ').trim();
  return text.split(END_OF_SENTENCE).filter((sentence) => SAYS_SOMETHING.test(sentence));
}

/** Whether a line can't go on with the sentence of the line before it. */
function startsAnew(line: Line, before: Line | undefined): boolean {
  if (!before) return false;
  return line.depth !== before.depth || before.text.endsWith(':') || isHeading(line.text) || BULLET.test(line.text);
}

/** The sentences of a mail's text; nothing but white space, line breaks and quote marks is taken from them. */
export function sentencesOf(text: string): Sentence[] {
  const lines = linesOf(text);
  const found: Sentence[] = [];
  let paragraph: string[] = [];
  let isBelowHeading = false;
  let isQuoted = false;
  let isBelow = false;
  let before: Line | undefined;
  const close = (): void => {
    for (const sentence of sentencesIn(paragraph)) found.push({ text: sentence, isQuoted, isBelow });
    paragraph = [];
    before = undefined;
  };
  for (const [at, line] of lines.entries()) {
    if (line.text === '' || isRow(line.text) || startsAnew(line, before)) close();
    if (line.text === '') continue;
    isQuoted = isBelowHeading || line.depth > 0;
    // A quotation ends the signature; nothing after it belongs to it.
    isBelow = !isQuoted && (isBelow || isRow(line.text));
    if (isRow(line.text)) continue;
    paragraph.push(line.text);
    before = line;
    if (!isBelowHeading && opensQuote(lines, at)) {
      close();
      isBelowHeading = true;
    }
  }
  close();
  return found;
}

function hashesOf(sentences: readonly Sentence[]): Uint32Array {
  const hashes = new Uint32Array(sentences.length * WORDS_PER_SENTENCE);
  for (const [at, { text }] of sentences.entries()) {
    const digest = hash('sha256', text, 'buffer');
    for (let word = 0; word < WORDS_PER_SENTENCE; word++) hashes[at * WORDS_PER_SENTENCE + word] = digest.readUInt32LE(word * 4);
  }
  return hashes;
}

const isSame = (one: readonly Sentence[], other: readonly Sentence[]): boolean =>
  one.length === other.length && one.every(({ text }, at) => text === other[at]?.text);

/**
 * What is compared of a mail: 16 bytes a sentence, which nobody can make collide, whatever they write. A mail says the same as
 * plain text and as HTML; where it does not, both count.
 */
export function hashSentences(...texts: readonly string[]): SentenceHashes {
  const said: (readonly Sentence[])[] = [];
  for (const sentences of texts.map(sentencesOf)) if (!said.some((other) => isSame(sentences, other))) said.push(sentences);
  const sentences = said.flat();
  const all = hashesOf(sentences);
  const those = (isOne: (sentence: Sentence) => boolean): Uint32Array => {
    const which = sentences.map(isOne);
    return all.filter((_, word) => which[Math.floor(word / WORDS_PER_SENTENCE)] === true);
  };
  return { all, quoted: those(({ isQuoted }) => isQuoted), below: those(({ isBelow }) => isBelow) };
}

/** A sentence by its place, as a key. */
export function sentenceKey(hashes: Uint32Array, at: number): string {
  const start = at * WORDS_PER_SENTENCE;
  return hashes.subarray(start, start + WORDS_PER_SENTENCE).join('.');
}
