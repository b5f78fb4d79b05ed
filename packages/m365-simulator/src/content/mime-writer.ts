import { Buffer } from 'node:buffer';

export interface MimePart {
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer | string | readonly MimePart[];
  /** Only of a multipart. */
  readonly boundary?: string;
}

/** `=3D` and so on, as three bytes in one number. */
const ESCAPED = Array.from({ length: 256 }, (_, byte) =>
  Buffer.from(`=${byte.toString(16).toUpperCase().padStart(2, '0')}`).readUIntBE(0, 3),
);
const CR = 13;
const LF = 10;

/** 1 for bytes that stand for themselves anywhere in a line, 2 for those that do except at its end. */
const PLAIN = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte === 32 || byte === 9 ? 2 : byte > 32 && byte < 127 && byte !== 61 ? 1 : 0,
);

function isPlainAt(source: Buffer, index: number): boolean {
  const kind = PLAIN[source[index] ?? 0];
  return kind === 1 || (kind === 2 && source[index + 1] !== CR && index + 1 < source.byteLength);
}

/** Quoted-printable with CRLF line ends and lines of at most 76 characters. */
export function quotedPrintable(text: string, charset: 'utf8' | 'latin1' = 'utf8'): Buffer {
  const source = Buffer.from(text, charset);
  const out = Buffer.allocUnsafe(source.byteLength * 4 + 16);
  let at = 0;
  let column = 0;
  for (let index = 0; index < source.byteLength; index += 1) {
    const byte = source[index] ?? 0;
    if (byte === CR && source[index + 1] === LF) {
      at = out.writeUInt16BE(0x0d0a, at);
      index += 1;
      column = 0;
      continue;
    }
    const isPlain = isPlainAt(source, index);
    const width = isPlain ? 1 : 3;
    if (column + width > 75) {
      at = out.writeUIntBE(0x3d0d0a, at, 3);
      column = 0;
    }
    if (isPlain) out[at] = byte;
    else out.writeUIntBE(ESCAPED[byte] ?? 0, at, 3);
    at += width;
    column += width;
  }
  return out.subarray(0, at);
}

/** Base64 in lines of 76 characters, CRLF at the end of each. */
export function base64Lines(data: Uint8Array): Buffer {
  const source = Buffer.from(Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64'), 'latin1');
  const lines = Math.ceil(source.byteLength / 76);
  const out = Buffer.allocUnsafe(source.byteLength + lines * 2);
  let at = 0;
  for (let from = 0; from < source.byteLength; from += 76) {
    at += source.copy(out, at, from, Math.min(from + 76, source.byteLength));
    out[at++] = CR;
    out[at++] = LF;
  }
  return out;
}

/** A header value in ASCII: other text as encoded words of base64 UTF-8, folded. */
export function headerText(text: string): string {
  // Anything between space and tilde is safe as it is.
  if (/^[ -~]*$/u.test(text)) return text;
  const words: string[] = [];
  let word = '';
  for (const sign of text) {
    if (Buffer.byteLength(word + sign) > 42) {
      words.push(word);
      word = '';
    }
    word += sign;
  }
  words.push(word);
  return words.map((part) => `=?utf-8?B?${Buffer.from(part).toString('base64')}?=`).join('\r\n ');
}

/** `Name <address>`, quoted or encoded as needed. */
export function headerAddress(name: string, address: string): string {
  if (name === '' || name === address) return `<${address}>`;
  if (!/^[ -~]*$/u.test(name)) return `${headerText(name)} <${address}>`;
  return /^[\w .-]+$/u.test(name) ? `${name} <${address}>` : `"${name.replaceAll(/["\\]/gu, '\\$&')}" <${address}>`;
}

function headerBlock(headers: readonly (readonly [string, string])[]): string {
  let text = '';
  for (const [name, value] of headers) text += `${name}: ${value}\r\n`;
  return `${text}\r\n`;
}

function collect(part: MimePart, out: Buffer[]): void {
  out.push(Buffer.from(headerBlock(part.headers)));
  if (typeof part.body === 'string') out.push(Buffer.from(part.body));
  else if (Buffer.isBuffer(part.body)) out.push(part.body);
  else {
    const boundary = part.boundary ?? 'boundary';
    for (const child of part.body) {
      out.push(Buffer.from(`--${boundary}\r\n`));
      collect(child, out);
      out.push(Buffer.from('\r\n'));
    }
    out.push(Buffer.from(`--${boundary}--\r\n`));
  }
}

/** A whole message, or a part, in bytes. The same part always gives the same bytes. */
export function writeMime(part: MimePart): Buffer {
  const out: Buffer[] = [];
  collect(part, out);
  return Buffer.concat(out);
}
