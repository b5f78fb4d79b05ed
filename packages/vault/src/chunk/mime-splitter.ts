import { readBase64, type Base64Layout } from './base64-lines.ts';

/** A part of a message: bytes as they are, or base64 text that is stored decoded. */
export type MimeSegment =
  | { readonly type: 'raw'; readonly data: Buffer }
  | { readonly type: 'base64'; readonly data: Buffer; readonly layout: Base64Layout; readonly continues: boolean };

export interface MimeSplitter {
  /**
   * Splits what is known so far. The caller gives the bytes after `consumed` again, followed by more.
   * With `isLast` everything is consumed. Segments put together in order are the message, always.
   */
  push(window: Buffer, isLast: boolean): { readonly segments: MimeSegment[]; readonly consumed: number };
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
const DASHES = Buffer.from('\n--');
const BLANK_CRLF = Buffer.from('\r\n\r\n');
const BLANK_LF = Buffer.from('\n\n');

/** Index after the blank line that ends the headers beginning at `start`; −1 when there is none yet. */
function headerEnd(data: Buffer, start: number): number {
  const limit = data.subarray(start, start + HEADER_LIMIT_BYTES);
  if (limit[0] === LF) return start + 1;
  if (limit[0] === 13 && limit[1] === LF) return start + 2;
  const crlf = limit.indexOf(BLANK_CRLF);
  const lf = limit.indexOf(BLANK_LF);
  if (crlf >= 0 && (lf < 0 || crlf < lf)) return start + crlf + 4;
  return lf < 0 ? -1 : start + lf + 2;
}

interface PartHeaders {
  readonly boundary?: string;
  readonly isBase64: boolean;
  readonly isMessage: boolean;
}

function readHeaders(text: string): PartHeaders {
  const unfolded = text.replaceAll(/\r?\n[ \t]+/g, ' ');
  const type = /^content-type[ \t]*:(.*)$/im.exec(unfolded)?.[1] ?? '';
  const encoding = /^content-transfer-encoding[ \t]*:[ \t]*([\w-]+)/im.exec(unfolded)?.[1] ?? '';
  const isBase64 = encoding.toLowerCase() === 'base64';
  const boundary = /\bboundary[ \t]*=[ \t]*(?:"([^"]+)"|([^\s;"]+))/i.exec(type);
  const value = (boundary?.[1] ?? boundary?.[2] ?? '').trimEnd();
  const isMultipart = /^[ \t]*multipart\//i.test(type) && value.length > 0 && value.length <= LONGEST_BOUNDARY;
  return {
    ...(isMultipart ? { boundary: value } : {}),
    isBase64: isBase64 && !isMultipart,
    isMessage: !isBase64 && /^[ \t]*message\/(rfc822|global)/i.test(type),
  };
}

/**
 * A splitter for one message. It understands just enough MIME to find base64 bodies and part
 * boundaries; whatever it misreads stays raw, so hostile or broken mail costs size, never bytes.
 */
export function createMimeSplitter(): MimeSplitter {
  const boundaries: Buffer[] = [];
  let phase: 'headers' | 'base64' | 'body' = 'headers';
  let isTop = true;
  let open: Base64Layout | undefined;

  /** The next line that is a boundary of an enclosing multipart. */
  function findBoundary(data: Buffer, from: number): { line: number; level: number } | undefined {
    if (boundaries.length === 0) return undefined;
    let dashes = data[from] === 45 && data[from + 1] === 45 ? from - 1 : data.indexOf(DASHES, Math.max(0, from - 1));
    while (dashes >= -1 && (dashes >= 0 || from === 0)) {
      const text = dashes + 3;
      for (let level = boundaries.length - 1; level >= 0; level -= 1) {
        const boundary = boundaries[level] as Buffer;
        if (data.byteLength - text >= boundary.byteLength && boundary.compare(data, text, text + boundary.byteLength) === 0) {
          return { line: dashes + 1, level };
        }
      }
      dashes = data.indexOf(DASHES, dashes + 1);
      if (dashes < 0) return undefined;
    }
    return undefined;
  }

  function enterBoundary(data: Buffer, found: { line: number; level: number }): number {
    const nameEnd = found.line + 2 + (boundaries[found.level] as Buffer).byteLength;
    const isClosing = data[nameEnd] === 45 && data[nameEnd + 1] === 45;
    boundaries.length = isClosing ? found.level : found.level + 1;
    phase = isClosing ? 'body' : 'headers';
    const feed = data.indexOf(LF, nameEnd);
    return feed < 0 ? data.byteLength : feed + 1;
  }

  /** Reads headers at `at`; gives where the body begins, or −1 when the window ends before that. */
  function enterHeaders(data: Buffer, at: number, isLast: boolean): number {
    const end = headerEnd(data, at);
    if (end < 0) {
      if (!isLast && data.byteLength - at < HEADER_LIMIT_BYTES) return -1;
      phase = 'body';
      return at;
    }
    const headers = readHeaders(data.toString('latin1', at, end));
    if (headers.boundary !== undefined && boundaries.length < DEEPEST) boundaries.push(Buffer.from(headers.boundary, 'latin1'));
    phase = headers.isBase64 ? 'base64' : headers.isMessage ? 'headers' : 'body';
    return end;
  }

  return {
    push(window, isLast) {
      const segments: MimeSegment[] = [];
      let rawStart = 0;
      let at = 0;
      const cut = (end: number): void => {
        if (end > rawStart) segments.push({ type: 'raw', data: window.subarray(rawStart, end) });
        rawStart = end;
      };
      const stop = (consumed: number): { segments: MimeSegment[]; consumed: number } => {
        cut(consumed);
        return { segments, consumed };
      };

      for (;;) {
        if (phase === 'headers') {
          const body = enterHeaders(window, at, isLast);
          if (body < 0) return stop(at);
          at = body;
          if (isTop) cut(at);
          isTop = false;
          continue;
        }
        if (phase === 'base64') {
          if (!isLast && open === undefined && window.byteLength - at < TAIL_BYTES) return stop(at);
          const continues = open !== undefined;
          const region = readBase64(window, at, { isLast, ...(open ? { open } : {}) });
          if (region && (continues || region.isOpen || region.end - at >= DECODE_FROM_BYTES)) {
            cut(at);
            segments.push({ type: 'base64', data: region.decoded, layout: region.layout, continues });
            at = region.end;
            rawStart = at;
          }
          open = region?.isOpen ? region.layout : undefined;
          if (open) return stop(at);
          phase = 'body';
          continue;
        }
        const found = findBoundary(window, at);
        if (!found) return stop(isLast ? window.byteLength : Math.max(rawStart, at, window.byteLength - TAIL_BYTES));
        if (!isLast && window.byteLength - found.line < TAIL_BYTES) return stop(found.line);
        if (found.line - rawStart >= RAW_PIECE_BYTES) cut(found.line);
        at = enterBoundary(window, found);
      }
    },
  };
}
