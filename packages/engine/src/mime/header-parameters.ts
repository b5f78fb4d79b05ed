import { decodeText } from './text-of-bytes.ts';

/** A header such as `text/plain; charset=utf-8`: its value in lower case, its parameters decoded. */
export interface HeaderParameters {
  readonly value: string;
  readonly named: ReadonlyMap<string, string>;
}

interface Piece {
  readonly text: string;
  readonly isEncoded: boolean;
}

function percentDecoded(text: string): string {
  const [, charset = 'utf-8', encoded] = /^([^']*)'[^']*'(.*)$/su.exec(text) ?? [];
  const bytes = (encoded ?? text).replaceAll(/%([0-9a-f]{2})/giu, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return decodeText(Buffer.from(bytes, 'latin1'), charset);
}

function unquoted(raw: string): string {
  return /^".*"$/su.test(raw) ? raw.slice(1, -1).replaceAll(/\\(.)/gu, '$1') : raw;
}

/** Adds one `name=x`, `name*=x` or `name*1=x` to what is known of the parameter; the first plain one counts. */
function joined(before: Piece | undefined, text: string, number: string | undefined, isEncoded: boolean): Piece {
  if (before === undefined || number === '*0') return { text, isEncoded };
  if (number !== undefined) return { text: before.text + text, isEncoded: before.isEncoded || isEncoded };
  return isEncoded ? { text, isEncoded } : before;
}

/** Where a quoted text that begins at `from` ends; -1 when it does not. */
function quoteEnd(header: string, from: number): number {
  for (let at = from + 1; at < header.length; at += 1) {
    if (header[at] === '"') return at;
    if (header[at] === '\\') at += 1;
  }
  return -1;
}

/** The parts between semicolons; those within quotes separate nothing. A quote that is never closed is a letter. */
function partsOf(header: string): string[] {
  const parts: string[] = [];
  let begin = 0;
  let isOpen = false;
  for (let at = 0; at <= header.length; at += 1) {
    const letter = header[at];
    if (letter === '"' && !isOpen) {
      const end = quoteEnd(header, at);
      if (end > 0) at = end;
      else isOpen = true;
    } else if (letter === ';' || letter === undefined) {
      if (at > begin) parts.push(header.slice(begin, at));
      begin = at + 1;
    }
  }
  return parts;
}

/** Takes a header apart; pieces of one parameter are joined before they are decoded. */
export function parametersOf(header: string): HeaderParameters {
  const [value = '', ...rest] = partsOf(header);
  const pieces = new Map<string, Piece>();
  for (const part of rest) {
    const sign = part.indexOf('=');
    const [, name, number, star] = /^([^*\s]+)(\*\d{1,9})?(\*)?$/u.exec(part.slice(0, Math.max(0, sign)).trim()) ?? [];
    const raw = part.slice(sign + 1).trim();
    const key = name?.toLowerCase();
    if (key !== undefined) pieces.set(key, joined(pieces.get(key), unquoted(raw), number, star !== undefined));
  }
  const named = [...pieces].map(([name, { text, isEncoded }]) => [name, isEncoded ? percentDecoded(text) : text] as const);
  return { value: value.trim().toLowerCase(), named: new Map(named) };
}
