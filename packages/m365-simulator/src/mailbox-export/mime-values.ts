/** A stretch of a message: text as it is, or what a base64 part holds, with how its lines were broken. */
export interface MimeValue {
  readonly bytes: Buffer;
  /** Of a base64 part: characters per line and the break between them. */
  readonly lines?: { readonly width: number; readonly end: '\r\n' | '\n' };
}

const ENCODED = /^content-transfer-encoding:[ \t]*base64[ \t]*\r?$/gimu;
const LEAST_BYTES = 256;

function encode(bytes: Buffer, { width, end }: NonNullable<MimeValue['lines']>): Buffer {
  const text = bytes.toString('base64');
  const lines: string[] = [];
  for (let at = 0; at < text.length; at += width) lines.push(text.slice(at, at + width));
  return Buffer.from(lines.join(end), 'latin1');
}

/** The base64 text that begins at `start`; undefined when writing it again would not give the same bytes. */
function readBase64(mime: Buffer, start: number): { readonly value: MimeValue; readonly end: number } | undefined {
  const firstFeed = mime.indexOf(10, start);
  if (firstFeed < 0) return undefined;
  const isCrlf = mime[firstFeed - 1] === 13;
  const lines = { width: firstFeed - start - (isCrlf ? 1 : 0), end: isCrlf ? '\r\n' : '\n' } as const;
  if (lines.width < 4 || lines.width % 4 !== 0) return undefined;
  const border = mime.indexOf(`${lines.end}--`, start);
  let end = border < 0 ? mime.byteLength : border;
  while (end > start && (mime[end - 1] === 10 || mime[end - 1] === 13)) end -= 1;
  const bytes = Buffer.from(mime.toString('latin1', start, end), 'base64');
  if (bytes.byteLength < LEAST_BYTES || !encode(bytes, lines).equals(mime.subarray(start, end))) return undefined;
  return { value: { bytes, lines }, end };
}

/** Takes the base64 parts of a message apart, as a mailbox keeps attachments: by their own bytes. */
export function splitMime(mime: Buffer): MimeValue[] {
  const values: MimeValue[] = [];
  const text = mime.toString('latin1');
  let from = 0;
  for (const { index } of text.matchAll(ENCODED)) {
    if (index < from) continue;
    const blank = /\r?\n\r?\n/u.exec(text.slice(index, index + 4096));
    if (!blank) continue;
    const start = index + blank.index + blank[0].length;
    const found = readBase64(mime, start);
    if (!found) continue;
    values.push({ bytes: mime.subarray(from, start) }, found.value);
    from = found.end;
  }
  return [...values, { bytes: mime.subarray(from) }];
}

/** The message that was split. */
export function joinMime(values: readonly MimeValue[]): Buffer {
  return Buffer.concat(values.map(({ bytes, lines }) => (lines ? encode(bytes, lines) : bytes)));
}
