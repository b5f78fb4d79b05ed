import type { QueryFault } from './faults.ts';
import type { Place } from './tree.ts';

/** One piece of a query as it was written. */
export type Token = Place & { readonly isGlued: boolean } & (
    | { readonly kind: 'open' | 'close' | 'minus' | 'range' }
    | { readonly kind: 'phrase'; readonly text: string; readonly openEnd: boolean }
    | { readonly kind: 'word'; readonly text: string }
    | { readonly kind: 'field'; readonly name: string; readonly op: Comparison }
  );

export type Comparison = ':' | '=' | '<>' | '>' | '>=' | '<' | '<=';

/** Quotation marks as word processors write them; each closes whatever opened. */
const quotes = new Set(['"', '“', '”', '„', '‟', '«', '»']);
const fieldStart = /^([A-Za-z][A-Za-z0-9.-]*)(<>|>=|<=|[:=><])/;
/** Addresses of the web look like fields and are words. */
const schemes = new Set(['http', 'https', 'mailto', 'ftp']);

interface Reading {
  readonly query: string;
  readonly faults: QueryFault[];
  at: number;
}

function isSpace(char: string): boolean {
  return /\s/u.test(char);
}

function readPhrase(reading: Reading): Token & { kind: 'phrase' } {
  const from = reading.at;
  let text = '';
  for (reading.at++; reading.at < reading.query.length; reading.at++) {
    const char = reading.query[reading.at] ?? '';
    if (!quotes.has(char)) text += char;
    else if (reading.query[reading.at + 1] === char) {
      text += '"';
      reading.at++;
    } else {
      reading.at++;
      return phraseToken(from, reading.at, text);
    }
  }
  reading.faults.push({ code: 'unclosed-quote', from, to: from + 1, text: String(from + 1), suggestion: `${reading.query}"` });
  return phraseToken(from, reading.at, text);
}

function phraseToken(from: number, to: number, text: string): Token & { kind: 'phrase' } {
  const openEnd = text.endsWith('*');
  return { kind: 'phrase', from, to, isGlued: false, text: openEnd ? text.slice(0, -1) : text, openEnd };
}

function readWord(reading: Reading): Token & { kind: 'word' } {
  const from = reading.at;
  while (reading.at < reading.query.length) {
    const char = reading.query[reading.at] ?? '';
    if (isSpace(char) || quotes.has(char) || char === '(' || char === ')' || reading.query.startsWith('..', reading.at)) break;
    reading.at++;
  }
  return { kind: 'word', from, to: reading.at, isGlued: false, text: reading.query.slice(from, reading.at) };
}

function readField(reading: Reading): (Token & { kind: 'field' }) | undefined {
  const found = fieldStart.exec(reading.query.slice(reading.at));
  const name = found?.[1];
  if (!found || !name || schemes.has(name.toLowerCase())) return undefined;
  const from = reading.at;
  reading.at += found[0].length;
  return { kind: 'field', from, to: reading.at, isGlued: false, name, op: found[2] as Comparison };
}

/** Whether the next piece is the value of what stands right before it, where a minus is part of the value. */
function isValue(reading: Reading, before: Token | undefined): boolean {
  return before?.to === reading.at && (before.kind === 'field' || before.kind === 'range');
}

/** A minus means NOT only where something follows it at once. */
function isMinus(reading: Reading, before: Token | undefined): boolean {
  const next = reading.query[reading.at + 1] ?? ' ';
  return reading.query[reading.at] === '-' && !isValue(reading, before) && !isSpace(next) && next !== ')';
}

const signs: Record<string, 'open' | 'close'> = { '(': 'open', ')': 'close' };

function readSign(reading: Reading, before: Token | undefined): Token | undefined {
  const from = reading.at;
  const isRange = reading.query.startsWith('..', from);
  const kind = isRange ? 'range' : isMinus(reading, before) ? 'minus' : signs[reading.query[from] ?? ''];
  if (!kind) return undefined;
  reading.at += isRange ? 2 : 1;
  return { kind, from, to: reading.at, isGlued: false };
}

/** Cuts a query into its pieces; `isGlued` tells that a piece follows the one before it without a space. */
export function readTokens(query: string, faults: QueryFault[]): Token[] {
  const reading: Reading = { query, faults, at: 0 };
  const tokens: Token[] = [];
  while (reading.at < query.length) {
    const char = query[reading.at] ?? '';
    if (isSpace(char)) {
      reading.at++;
      continue;
    }
    const before = tokens.at(-1);
    const isInValue = before?.to === reading.at && before.kind === 'field';
    const token = quotes.has(char)
      ? readPhrase(reading)
      : (readSign(reading, before) ?? (isInValue ? undefined : readField(reading)) ?? readWord(reading));
    tokens.push({ ...token, isGlued: before?.to === token.from });
  }
  return tokens;
}
