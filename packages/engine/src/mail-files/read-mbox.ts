import { beginsAsMessage } from './detect-format.ts';
import { LARGEST_MESSAGE, LARGEST_PIECE, type MailFileFormat } from './mail-file.ts';

/** One message of an mbox file, or a piece of it that is none. */
export type MboxPiece = { readonly offset: number; readonly bytes: Buffer } & (
  | { readonly kind: 'mail' }
  | { readonly kind: 'fault'; readonly code: 'import.no-header' | 'import.too-large' }
);

type Dialect = Extract<MailFileFormat, `mbox${string}`>;

const START = Buffer.from('\nFrom ');
/** A line that starts a message names the time at which it came: a sentence that begins with "From" does not. */
const SEPARATOR = /^From .*\b\d{1,2}:\d{2}\b.*\b\d{4}\b|^From .*\b\d{4}\b.*\b\d{1,2}:\d{2}\b/u;
const LONGEST_LINE = 1_000;

/**
 * Whether a message starts at this `From `: it names a time. An empty line before it is usual, but programs leave it out.
 * Undefined while too little is there to say.
 */
function isSeparator(data: Buffer, at: number, isLast: boolean): boolean | undefined {
  const end = data.indexOf(0x0a, at);
  if (end < 0 && !isLast && data.byteLength - at < LONGEST_LINE) return undefined;
  return SEPARATOR.test(data.toString('latin1', at, Math.min(end < 0 ? data.byteLength : end, at + LONGEST_LINE)));
}

/** Where the message ends by the length in its header; undefined without one that is right, `later` while too little is there to say. */
function statedEnd(data: Buffer, isLast: boolean): number | 'later' | undefined {
  const blank = /\r?\n\r?\n/u.exec(data.toString('latin1', 0, Math.min(data.byteLength, 256 * 1024)));
  if (!blank) return undefined;
  const [, length] = /^content-length:[ \t]*(\d{1,12})[ \t]*\r?$/imu.exec(data.toString('latin1', 0, blank.index + 2)) ?? [];
  if (length === undefined || Number(length) > LARGEST_MESSAGE) return undefined;
  const end = blank.index + blank[0].length + Number(length);
  if (!isLast && data.byteLength < end + 9) return 'later';
  const next = data.toString('latin1', end, end + 9);
  if (/^(?:\r?\n){0,2}From /u.test(next)) return end + next.indexOf('From ');
  return isLast && end <= data.byteLength && next.trim() === '' ? data.byteLength : undefined;
}

/** The line between a message and the next is not of the message. */
function withoutLastBlank(bytes: Buffer): Buffer {
  const { byteLength: length } = bytes;
  if (bytes[length - 1] !== 0x0a) return bytes;
  if (bytes[length - 2] === 0x0a) return bytes.subarray(0, length - 1);
  return bytes[length - 2] === 0x0d && bytes[length - 3] === 0x0a ? bytes.subarray(0, length - 2) : bytes;
}

const FROM = Buffer.from('From ');
const GREATER = 0x3e;

/** Whether a line that begins with `>` is one that the dialect has quoted. */
function isQuoted(bytes: Buffer, at: number, dialect: Dialect): boolean {
  let after = at + 1;
  while (dialect === 'mboxrd' && bytes[after] === GREATER) after += 1;
  return bytes.subarray(after, after + FROM.byteLength).equals(FROM);
}

/** A message as it was before it came into the file. */
function unquoted(bytes: Buffer, dialect: Dialect): Buffer {
  if (dialect === 'mboxcl2') return bytes;
  const parts: Buffer[] = [];
  let start = 0;
  for (let at = bytes.indexOf('\n>'); at >= 0; at = bytes.indexOf('\n>', at + 1)) {
    if (!isQuoted(bytes, at + 1, dialect)) continue;
    parts.push(bytes.subarray(start, at + 1));
    start = at + 2;
  }
  return start === 0 ? bytes : Buffer.concat([...parts, bytes.subarray(start)]);
}

/** What is read and not given out yet; it begins with the `From ` of a message. */
class Window {
  data: Buffer = Buffer.alloc(0);
  /** Of the first byte of `data`. */
  offset: number;
  /** Up to where no message starts. */
  searched = 1;
  /** The message is too large to be held: only its beginning was kept. */
  piece: Buffer | undefined;
  pieceOffset = 0;

  constructor(offset: number) {
    this.offset = offset;
  }

  drop(count: number): void {
    this.data = this.data.subarray(count);
    this.offset += count;
    this.searched = 1;
  }

  /** Where the next message starts; undefined when that is not known yet. */
  next(isLast: boolean, usesLengths: boolean): number | undefined {
    if (usesLengths && this.piece === undefined) {
      const lineEnd = this.data.indexOf(0x0a) + 1;
      const stated = lineEnd === 0 ? undefined : statedEnd(this.data.subarray(lineEnd), isLast);
      if (stated === 'later') return undefined;
      if (stated !== undefined) return lineEnd + stated;
    }
    for (let at = this.data.indexOf(START, this.searched - 1); at >= 0; at = this.data.indexOf(START, this.searched - 1)) {
      const found = isSeparator(this.data, at + 1, isLast);
      if (found === undefined) return undefined;
      if (found) return at + 1;
      this.searched = at + 2;
    }
    this.searched = Math.max(this.searched, this.data.byteLength - START.byteLength);
    return isLast ? this.data.byteLength : undefined;
  }
}

function pieceOf(window: Window, end: number, dialect: Dialect): MboxPiece {
  if (window.piece) return { kind: 'fault', code: 'import.too-large', offset: window.pieceOffset, bytes: window.piece };
  const whole = window.data.subarray(0, end);
  const lineEnd = whole.indexOf(0x0a);
  const bytes = unquoted(withoutLastBlank(lineEnd < 0 ? whole.subarray(0, 0) : whole.subarray(lineEnd + 1)), dialect);
  if (beginsAsMessage(bytes)) return { kind: 'mail', offset: window.offset, bytes };
  return { kind: 'fault', code: 'import.no-header', offset: window.offset, bytes: Buffer.from(whole.subarray(0, LARGEST_PIECE)) };
}

/** Holds no more of a message than the largest that is taken in. */
function letGo(window: Window): void {
  if (window.data.byteLength <= LARGEST_MESSAGE) return;
  if (!window.piece) {
    window.piece = Buffer.from(window.data.subarray(0, LARGEST_PIECE));
    window.pieceOffset = window.offset;
  }
  window.drop(window.data.byteLength - LONGEST_LINE);
}

/** The messages of an mbox file, whose bytes begin with a `From ` line at `offset`. */
export async function* readMbox(
  stream: AsyncIterable<Buffer>,
  { dialect, offset }: { readonly dialect: Dialect; readonly offset: number },
): AsyncGenerator<MboxPiece, void, undefined> {
  const window = new Window(offset);
  const usesLengths = dialect === 'mboxcl' || dialect === 'mboxcl2';
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  const take = function* (isLast: boolean): Generator<MboxPiece, void, undefined> {
    window.data = Buffer.concat([window.data, ...waiting]);
    waiting = [];
    waitingBytes = 0;
    for (
      let end = window.next(isLast, usesLengths);
      end !== undefined && window.data.byteLength > 0;
      end = window.next(isLast, usesLengths)
    ) {
      yield pieceOf(window, end, dialect);
      window.piece = undefined;
      window.drop(end);
    }
    letGo(window);
  };
  for await (const bytes of stream) {
    waiting.push(bytes);
    waitingBytes += bytes.byteLength;
    // A large message is put together from pieces that grow with it: otherwise each byte would be copied once for every piece.
    if (waitingBytes >= window.data.byteLength / 2) yield* take(false);
  }
  yield* take(true);
}
