import type { BatchRoom } from './batch-room.ts';
import { readBase64, type Base64Layout, type Base64Region } from './base64-lines.ts';

/** A part of a message: bytes as they are, or base64 text that is stored decoded. `isOpen`: more of the same text may follow. */
export type MimeSegment =
  | { readonly type: 'raw'; readonly data: Buffer }
  | {
      readonly type: 'base64';
      readonly data: Buffer;
      readonly layout: Base64Layout;
      readonly continues: boolean;
      readonly isOpen: boolean;
    };

export interface MimeSplitter {
  /**
   * Splits what is known so far. The caller gives the bytes after `consumed` again, followed by more.
   * With `isLast` everything is consumed. Segments put together in order are the message, always. What
   * is decoded is in `room`.
   */
  push(window: Buffer, isLast: boolean, room: BatchRoom): { readonly segments: MimeSegment[]; readonly consumed: number };
}

/** Raw text is cut at a part boundary only when the piece before it is worth a blob of its own. */
const RAW_PIECE_BYTES = 8 * 1024;
const HEADER_LIMIT_BYTES = 64 * 1024;
const DECODE_FROM_BYTES = 384;
const DEEPEST = 32;
const LONGEST_BOUNDARY = 200;
/** What stays for the next window, so that a boundary line is never torn. */
const TAIL_BYTES = 2 * LONGEST_BOUNDARY;

const LF = 10;
const DASH = 45;
const DASHES = Buffer.from('\n--');
const BLANK_CRLF = Buffer.from('\r\n\r\n');
const BLANK_LF = Buffer.from('\n\n');

/** Index after the blank line that ends the headers beginning at `start`; −1 when there is none yet. */
function headerEnd(data: Buffer, start: number): number {
  const limit = data.subarray(start, start + HEADER_LIMIT_BYTES);
  if (limit[0] === LF) return start + 1;
  if (limit[0] === 13 && limit[1] === LF) return start + 2;
  const crlf = limit.indexOf(BLANK_CRLF);
  const lf = (crlf < 0 ? limit : limit.subarray(0, crlf)).indexOf(BLANK_LF);
  if (lf >= 0) return start + lf + 2;
  return crlf < 0 ? -1 : start + crlf + 4;
}

interface PartHeaders {
  readonly boundary?: string;
  readonly isBase64: boolean;
  readonly isMessage: boolean;
}

const FIELDS = {
  type: /^content-type[ \t]*:(.*(?:\r?\n[ \t].*)*)/im,
  encoding: /^content-transfer-encoding[ \t]*:(.*(?:\r?\n[ \t].*)*)/im,
};

/** What a field says, unfolded: '' without it. Only what was found is unfolded, not kilobytes of others. */
function field(headers: string, pattern: RegExp): string {
  return (pattern.exec(headers)?.[1] ?? '').replaceAll(/\r?\n[ \t]+/g, ' ');
}

function boundaryOf(type: string): string | undefined {
  if (!/^[ \t]*multipart\//i.test(type)) return undefined;
  const match = /\bboundary[ \t]*=[ \t]*(?:"([^"]+)"|([^\s;"]+))/i.exec(type);
  const value = (match?.[1] ?? match?.[2] ?? '').trimEnd();
  return value.length > 0 && value.length <= LONGEST_BOUNDARY ? value : undefined;
}

function readHeaders(text: string): PartHeaders {
  const type = field(text, FIELDS.type);
  const isEncoded = /^[ \t]*base64(?![\w-])/i.test(field(text, FIELDS.encoding));
  const boundary = boundaryOf(type);
  return {
    ...(boundary === undefined ? {} : { boundary }),
    isBase64: isEncoded && boundary === undefined,
    isMessage: !isEncoded && /^[ \t]*message\/(rfc822|global)/i.test(type),
  };
}

/** Where to go on, or up to where the window is used up. */
interface Step {
  readonly at: number;
  readonly isEnd: boolean;
}

function isWorthDecoding(region: Base64Region, start: number, continues: boolean): boolean {
  return continues || region.isOpen || region.end - start >= DECODE_FROM_BYTES;
}

/** Segments of one window as they are found. */
function createCollector(window: Buffer, room: BatchRoom) {
  const segments: MimeSegment[] = [];
  let rawStart = 0;
  const cut = (end: number): void => {
    if (end > rawStart) segments.push({ type: 'raw', data: window.subarray(rawStart, end) });
    rawStart = end;
  };
  return {
    window,
    room,
    cut,
    get rawStart() {
      return rawStart;
    },
    addText(start: number, region: Base64Region, continues: boolean): void {
      cut(start);
      segments.push({ type: 'base64', data: region.decoded, layout: region.layout, continues, isOpen: region.isOpen });
      rawStart = region.end;
    },
    stop(consumed: number): { segments: MimeSegment[]; consumed: number } {
      cut(consumed);
      return { segments, consumed };
    },
  };
}

type Collector = ReturnType<typeof createCollector>;

/** Parts of a message that enclose where the splitter stands. */
function createBoundaryStack() {
  const boundaries: Buffer[] = [];

  function levelAt(data: Buffer, text: number): number {
    for (let level = boundaries.length - 1; level >= 0; level -= 1) {
      const boundary = boundaries[level] as Buffer;
      if (data.byteLength - text >= boundary.byteLength && boundary.compare(data, text, text + boundary.byteLength) === 0) return level;
    }
    return -1;
  }

  return {
    push(boundary: string): void {
      if (boundaries.length < DEEPEST) boundaries.push(Buffer.from(boundary, 'latin1'));
    },
    /** The next line that is a boundary of an enclosing multipart. */
    find(data: Buffer, from: number): { line: number; level: number } | undefined {
      if (boundaries.length === 0) return undefined;
      const isAtLine = data[from] === DASH && data[from + 1] === DASH;
      let feed = isAtLine ? from - 1 : data.indexOf(DASHES, Math.max(0, from - 1));
      for (let isFirst = isAtLine; isFirst || feed >= 0; isFirst = false) {
        const level = levelAt(data, feed + 3);
        if (level >= 0) return { line: feed + 1, level };
        feed = data.indexOf(DASHES, feed + 1);
      }
      return undefined;
    },
    /** Goes past a boundary line; what follows are headers, or after a closing one the rest of the part around it. */
    enter(data: Buffer, found: { line: number; level: number }): { next: number; isClosing: boolean } {
      const nameEnd = found.line + 2 + (boundaries[found.level] as Buffer).byteLength;
      const isClosing = data[nameEnd] === DASH && data[nameEnd + 1] === DASH;
      boundaries.length = isClosing ? found.level : found.level + 1;
      const feed = data.indexOf(LF, nameEnd);
      return { next: feed < 0 ? data.byteLength : feed + 1, isClosing };
    },
  };
}

/**
 * A splitter for one message. It understands just enough MIME to find base64 bodies and part
 * boundaries; whatever it misreads stays raw, so hostile or broken mail costs size, never bytes.
 */
export function createMimeSplitter(): MimeSplitter {
  const boundaries = createBoundaryStack();
  let phase: 'headers' | 'base64' | 'body' = 'headers';
  let isTop = true;
  let open: Base64Layout | undefined;

  function passHeaders(out: Collector, at: number, isLast: boolean): Step {
    const { window } = out;
    const end = headerEnd(window, at);
    if (end < 0 && !isLast && window.byteLength - at < HEADER_LIMIT_BYTES) return { at, isEnd: true };
    const body = end < 0 ? at : end;
    phase = 'body';
    if (end >= 0) {
      const headers = readHeaders(window.toString('latin1', at, end));
      if (headers.boundary !== undefined) boundaries.push(headers.boundary);
      phase = headers.isBase64 ? 'base64' : headers.isMessage ? 'headers' : 'body';
    }
    if (isTop) out.cut(body);
    isTop = false;
    return { at: body, isEnd: false };
  }

  function passText(out: Collector, at: number, isLast: boolean): Step {
    const { window } = out;
    const continues = open !== undefined;
    if (!isLast && !continues && window.byteLength - at < TAIL_BYTES) return { at, isEnd: true };
    const region = readBase64(window, at, { isLast, room: out.room, ...(open ? { open } : {}) });
    open = region?.isOpen ? region.layout : undefined;
    if (!open) phase = 'body';
    if (!region || !isWorthDecoding(region, at, continues)) return { at, isEnd: false };
    out.addText(at, region, continues);
    return { at: region.end, isEnd: region.isOpen };
  }

  function passBody(out: Collector, at: number, isLast: boolean): Step {
    const { window } = out;
    const found = boundaries.find(window, at);
    if (!found) return { at: isLast ? window.byteLength : Math.max(out.rawStart, at, window.byteLength - TAIL_BYTES), isEnd: true };
    if (!isLast && window.byteLength - found.line < TAIL_BYTES) return { at: found.line, isEnd: true };
    if (found.line - out.rawStart >= RAW_PIECE_BYTES) out.cut(found.line);
    const { next, isClosing } = boundaries.enter(window, found);
    phase = isClosing ? 'body' : 'headers';
    return { at: next, isEnd: false };
  }

  const passes = { headers: passHeaders, base64: passText, body: passBody };
  return {
    push(window, isLast, room) {
      const out = createCollector(window, room);
      for (let at = 0; ;) {
        const step = passes[phase](out, at, isLast);
        if (step.isEnd) return out.stop(step.at);
        ({ at } = step);
      }
    },
  };
}
