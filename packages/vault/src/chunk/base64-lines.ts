import type { BatchRoom } from './batch-room.ts';

/** How base64 text is laid out: characters a line (0: one line) and what ends a line. */
export interface Base64Layout {
  readonly width: number;
  readonly crlf: boolean;
}

export interface Base64Region {
  /** Where the text ends: after its last character, before the line break that follows. */
  readonly end: number;
  readonly layout: Base64Layout;
  readonly decoded: Buffer;
  /** More of the same text may follow in the next window. */
  readonly isOpen: boolean;
}

const CR = 13;
const LF = 10;
const DASH = 45;
const UNDERSCORE = 95;
const LONGEST_LINE = 1000;

function isBreakAt(data: Buffer, at: number, crlf: boolean): boolean {
  return crlf ? data[at] === CR && data[at + 1] === LF : data[at] === LF;
}

/**
 * Decodes characters whose re-encoding is surely the same text: right alphabet, right padding, zero
 * bits at the end. The decoder skips what it does not know, so a length that fits proves that there
 * was nothing else; only the URL alphabet, which it takes too, is looked for by hand.
 */
function decodeExactly(text: Buffer, breakBytes: number, room: BatchRoom): Buffer | undefined {
  const characters = text.byteLength - breakBytes;
  if (characters === 0 || characters % 4 !== 0) return undefined;
  const size = text.byteLength;
  const padding = text[size - 1] !== 61 ? 0 : text[size - 2] !== 61 ? 1 : 2;
  const expected = (characters / 4) * 3 - padding;
  if (text.includes(DASH) || text.includes(UNDERSCORE)) return undefined;
  const decoded = room.take(expected);
  if (decoded.write(text.toString('latin1', 0, size), 0, expected, 'base64') !== expected) return undefined;
  if (padding > 0 && decoded.subarray(-(3 - padding)).toString('base64') !== text.toString('latin1', size - 4, size)) return undefined;
  return decoded;
}

function layoutAt(data: Buffer, start: number, isLast: boolean): { lineEnd: number; layout: Base64Layout } | undefined {
  const feed = data.indexOf(LF, start);
  if (feed < 0) return isLast ? { lineEnd: data.byteLength, layout: { width: 0, crlf: true } } : undefined;
  const crlf = feed > start && data[feed - 1] === CR;
  const lineEnd = crlf ? feed - 1 : feed;
  const length = lineEnd - start;
  return { lineEnd, layout: { width: length > LONGEST_LINE ? 0 : length, crlf } };
}

interface Lines {
  end: number;
  breaks: number;
  isOpen: boolean;
}

/** Goes over full lines of the layout from `lines.end` (after a line's last character). */
function followFullLines(data: Buffer, lines: Lines, layout: Base64Layout): void {
  const { width, crlf } = layout;
  const breakSize = crlf ? 2 : 1;
  for (;;) {
    const line = lines.end + breakSize;
    const after = line + width;
    if (after + breakSize > data.byteLength) return;
    if (!isBreakAt(data, lines.end, crlf) || data[line] === DASH || !isBreakAt(data, after, crlf)) return;
    lines.end = after;
    lines.breaks += 1;
  }
}

/** Takes a last line that is shorter, or that the data ends with. */
function takeLastLine(data: Buffer, lines: Lines, layout: Base64Layout): void {
  const { width, crlf } = layout;
  const line = lines.end + (crlf ? 2 : 1);
  if (line >= data.byteLength || !isBreakAt(data, lines.end, crlf) || data[line] === DASH) return;
  const feed = data.indexOf(LF, line);
  const end = feed < 0 ? data.byteLength : feed - (crlf ? 1 : 0);
  const length = end - line;
  const isLine = length > 0 && length <= width && (feed < 0 || isBreakAt(data, end, crlf));
  if (!isLine) return;
  lines.end = end;
  lines.breaks += 1;
}

/** Extends over further lines of the layout. */
function followLines(data: Buffer, lines: Lines, layout: Base64Layout, isLast: boolean): void {
  followFullLines(data, lines, layout);
  const breakSize = layout.crlf ? 2 : 1;
  lines.isOpen = !isLast && data.byteLength - lines.end < layout.width + 2 * breakSize;
  if (!lines.isOpen) takeLastLine(data, lines, layout);
}

/**
 * The base64 text that begins at `start`, decoded, if putting it together again gives the very same
 * bytes; otherwise `undefined`. With `open`, the continuation of text that the window before ended in.
 */
export function readBase64(
  data: Buffer,
  start: number,
  options: { readonly isLast: boolean; readonly open?: Base64Layout; readonly room: BatchRoom },
): Base64Region | undefined {
  const { isLast, open, room } = options;
  let textStart = start;
  let layout = open;
  const lines: Lines = { end: start, breaks: 0, isOpen: false };
  if (layout) {
    followLines(data, lines, layout, isLast);
    if (lines.breaks === 0) return undefined;
    textStart = start + (layout.crlf ? 2 : 1);
    lines.breaks -= 1;
  } else {
    const first = layoutAt(data, start, isLast);
    if (!first) return undefined;
    layout = first.layout;
    if (first.lineEnd === start || (layout.width !== 0 && layout.width % 4 !== 0)) return undefined;
    lines.end = first.lineEnd;
    if (layout.width !== 0) followLines(data, lines, layout, isLast);
  }
  const decoded = decodeExactly(data.subarray(textStart, lines.end), lines.breaks * (layout.crlf ? 2 : 1), room);
  if (!decoded) return undefined;
  const endsPadded = data[lines.end - 1] === 61;
  return { end: lines.end, layout, decoded, isOpen: lines.isOpen && !endsPadded };
}

/** The name of a layout in a piece (FORMAT.md section 6): `b76c`, `b64l`, `b0c`. */
export function layoutName(layout: Base64Layout): string {
  return `b${layout.width}${layout.crlf ? 'c' : 'l'}`;
}

/** The reverse of `layoutName`; `undefined` for anything else. */
export function parseLayout(name: string): Base64Layout | undefined {
  const match = /^b(0|[1-9]\d{0,3})([cl])$/.exec(name);
  if (!match) return undefined;
  const width = Number(match[1]);
  return width % 4 === 0 ? { width, crlf: match[2] === 'c' } : undefined;
}

/** Length of `decodedBytes` written as base64 in this layout. */
export function encodedLength(decodedBytes: number, layout: Base64Layout): number {
  const characters = Math.ceil(decodedBytes / 3) * 4;
  if (layout.width === 0 || characters === 0) return characters;
  return characters + (Math.ceil(characters / layout.width) - 1) * (layout.crlf ? 2 : 1);
}

/** CR and LF as they are in memory; words are little-endian on every machine that Node runs on. */
const LINE_END = 0x0a0d;

/** Memory that grows to what was needed most and is used again. */
function createScratch() {
  let memory = Buffer.allocUnsafeSlow(0);
  return (bytes: number): Buffer => {
    if (memory.byteLength < bytes) memory = Buffer.allocUnsafeSlow(Math.ceil(bytes / 4096) * 4096);
    return memory;
  };
}

const characterMemory = createScratch();
const lineMemory = createScratch();

function wordsOf(memory: Buffer): Uint32Array {
  return new Uint32Array(memory.buffer, memory.byteOffset, memory.byteLength / 4);
}

/** Copies lines of `width` with CRLF between them, four characters at a time: every second line begins in the middle of a word. */
function spreadWords(source: Uint32Array, count: number, out: Uint32Array, width: number): void {
  let from = 0;
  let to = 0;
  while (from < count) {
    for (const end = Math.min(from + width, count); from < end; from += 1, to += 1) out[to] = source[from] as number;
    if (from >= count) return;
    let carry = LINE_END;
    for (const end = Math.min(from + width, count); from < end; from += 1, to += 1) {
      const word = source[from] as number;
      out[to] = carry | (word << 16);
      carry = word >>> 16;
    }
    out[to] = carry | (LINE_END << 16);
    to += 1;
  }
}

/** The same with LF, which leaves the words uneven. */
function spreadLines(source: Buffer, count: number, out: Buffer, width: number): void {
  let to = 0;
  for (let from = 0; from < count; from += width) {
    if (from > 0) {
      out[to] = LF;
      to += 1;
    }
    to += source.copy(out, to, from, Math.min(from + width, count));
  }
}

/**
 * Writes `decoded` as base64 in lines, without a line break at the end. With `isPassing` the result
 * is in memory that the next call uses again.
 */
export function encodeLines(decoded: Uint8Array, layout: Base64Layout, isPassing = false): Buffer {
  const text = Buffer.from(decoded.buffer, decoded.byteOffset, decoded.byteLength).toString('base64');
  const { width, crlf } = layout;
  if (width === 0 || text.length <= width) return Buffer.from(text, 'latin1');
  const characters = characterMemory(text.length);
  characters.write(text, 0, 'latin1');
  const size = encodedLength(decoded.byteLength, layout);
  const room = Math.ceil(size / 4) * 4;
  const out = isPassing ? lineMemory(room) : Buffer.allocUnsafeSlow(room);
  if (crlf) spreadWords(wordsOf(characters), text.length / 4, wordsOf(out), width / 4);
  else spreadLines(characters, text.length, out, width);
  return out.subarray(0, size);
}
