/** One part of a message as it was taken apart: header lines as they stand, body as raw bytes. */
export interface ReadPart {
  readonly headers: readonly (readonly [string, string])[];
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly disposition: string;
  readonly fileName: string | undefined;
  readonly contentId: string | undefined;
  readonly raw: Buffer;
  readonly children: readonly ReadPart[];
}

const MAX_DEPTH = 40;

/** Decodes bytes by the name of a charset; an unknown one is read as Latin-1. */
export function decodeText(data: Uint8Array, charset: string | undefined): string {
  try {
    return new TextDecoder(charset ?? 'utf-8').decode(data);
  } catch {
    return Buffer.from(data).toString('latin1');
  }
}

function decodeQ(text: string): Buffer {
  const bytes: number[] = [];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    const hex = text.slice(index + 1, index + 3);
    if (code === 61 && /^[0-9a-f]{2}$/iu.test(hex)) {
      bytes.push(Number.parseInt(hex, 16));
      index += 2;
    } else bytes.push(code === 95 ? 32 : code);
  }
  return Buffer.from(bytes);
}

/** Text of a header value: encoded words decoded, folding undone. */
export function decodeHeader(value: string): string {
  const joined = value.replaceAll(/\r?\n[ \t]/gu, ' ').replaceAll(/(=\?[^?]+\?[bq]\?[^?]*\?=)\s+(?==\?)/giu, '$1');
  return joined.replaceAll(/=\?([^?*]+)(?:\*[^?]*)?\?([bq])\?([^?]*)\?=/giu, (_all, charset: string, kind: string, text: string) =>
    decodeText(kind.toLowerCase() === 'b' ? Buffer.from(text, 'base64') : decodeQ(text), charset),
  );
}

function readHeaders(block: string): [string, string][] {
  const headers: [string, string][] = [];
  for (const line of block.split(/\r?\n(?![ \t])/u)) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.push([line.slice(0, colon).trim(), line.slice(colon + 1).trim()]);
  }
  return headers;
}

function unquoted(text: string): string {
  return text
    .trim()
    .replace(/^"(.*)"$/su, '$1')
    .replaceAll(/\\(.)/gu, '$1');
}

/** `value; name=x; name*=utf-8''y` taken apart. */
function readParameters(value: string): { readonly first: string; readonly parameters: Map<string, string> } {
  const [first = '', ...rest] = value.replaceAll(/\r?\n[ \t]+/gu, ' ').match(/(?:[^;"]|"(?:[^"\\]|\\.)*")+/gu) ?? [];
  const parameters = new Map<string, string>();
  const charsets = new Map<string, string>();
  for (const part of rest) {
    const at = part.indexOf('=');
    if (at >= 0) readParameter(part.slice(0, at).trim().toLowerCase(), unquoted(part.slice(at + 1)), parameters, charsets);
  }
  for (const [name, charset] of charsets) parameters.set(name, decodeText(Buffer.from(parameters.get(name) ?? '', 'latin1'), charset));
  return { first: first.trim().toLowerCase(), parameters };
}

function readParameter(name: string, text: string, parameters: Map<string, string>, charsets: Map<string, string>): void {
  const whole = /^(.+?)(?:\*\d+)?\*?$/u.exec(name)?.[1] ?? name;
  const isEncoded = name.endsWith('*');
  const [, charset, encoded] = /^([^']*)'[^']*'(.*)$/su.exec(text) ?? [];
  if (isEncoded && charset !== undefined) charsets.set(whole, charset);
  const before = name.includes('*') ? (parameters.get(whole) ?? '') : '';
  parameters.set(whole, before + (isEncoded ? percentBytes(encoded ?? text) : text));
}

/** Escaped bytes as Latin letters: pieces are joined before their charset is applied. */
function percentBytes(text: string): string {
  return text.replaceAll(/%([0-9a-f]{2})/giu, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function splitHead(data: Buffer): { readonly head: string; readonly body: Buffer } {
  if (data[0] === 10 || (data[0] === 13 && data[1] === 10)) return { head: '', body: data.subarray(data[0] === 10 ? 1 : 2) };
  const crlf = data.indexOf('\r\n\r\n');
  const lf = data.indexOf('\n\n');
  const isLf = lf >= 0 && (crlf < 0 || lf < crlf);
  const at = isLf ? lf : crlf;
  if (at < 0) return { head: data.toString('latin1'), body: Buffer.alloc(0) };
  return { head: decodeText(data.subarray(0, at), 'utf-8'), body: data.subarray(at + (isLf ? 2 : 4)) };
}

/** The pieces between the lines of a boundary. */
function splitParts(body: Buffer, boundary: string): Buffer[] {
  const mark = Buffer.from(`--${boundary}`);
  const parts: Buffer[] = [];
  let start = -1;
  for (let at = body.indexOf(mark); at >= 0; at = body.indexOf(mark, at + mark.byteLength)) {
    if (at > 0 && body[at - 1] !== 10) continue;
    // A longer boundary of a nested part may begin with this one.
    const tail = /^(?:--)?[ \t]*\r?$/u;
    const ends = body.indexOf(10, at);
    if (!tail.test(body.subarray(at + mark.byteLength, ends < 0 ? body.byteLength : ends).toString('latin1'))) continue;
    if (start >= 0) {
      const end = body[at - 2] === 13 ? at - 2 : at - 1;
      parts.push(body.subarray(start, Math.max(start, end)));
    }
    const lineEnd = body.indexOf(10, at);
    const isLast = body.subarray(at + mark.byteLength, at + mark.byteLength + 2).toString() === '--';
    if (isLast || lineEnd < 0) return parts;
    start = lineEnd + 1;
  }
  if (start >= 0) parts.push(body.subarray(start));
  return parts;
}

/** Takes a message apart. Never fails: what makes no sense is text. */
export function readMime(data: Buffer, depth = 0): ReadPart {
  const { head, body } = splitHead(data);
  const headers = readHeaders(head);
  const value = (name: string): string | undefined => headers.find(([other]) => other.toLowerCase() === name)?.[1];
  const { first, parameters } = readParameters(value('content-type') ?? 'text/plain');
  const disposition = readParameters(value('content-disposition') ?? '');
  const boundary = parameters.get('boundary');
  const isMultipart = first.startsWith('multipart/') && boundary !== undefined && depth < MAX_DEPTH;
  const name = disposition.parameters.get('filename') ?? parameters.get('name');
  return {
    headers,
    type: first === '' ? 'text/plain' : first,
    parameters,
    disposition: disposition.first,
    fileName: name === undefined ? undefined : decodeHeader(name),
    contentId: value('content-id')?.replaceAll(/[<>]/gu, ''),
    raw: body,
    children: isMultipart ? splitParts(body, boundary).map((part) => readMime(part, depth + 1)) : [],
  };
}

/** The body of a part with its transfer encoding undone. */
export function bodyOf(part: ReadPart): Buffer {
  const encoding = part.headers
    .find(([name]) => name.toLowerCase() === 'content-transfer-encoding')?.[1]
    .trim()
    .toLowerCase();
  if (encoding === 'base64') return Buffer.from(part.raw.toString('latin1'), 'base64');
  if (encoding !== 'quoted-printable') return part.raw;
  const bytes: number[] = [];
  const text = part.raw
    .toString('latin1')
    .replaceAll(/[ \t]+(?=\r?\n)/gu, '')
    .replaceAll(/=\r?\n/gu, '');
  for (let index = 0; index < text.length; index += 1) {
    const hex = text.slice(index + 1, index + 3);
    if (text[index] === '=' && /^[0-9a-f]{2}$/iu.test(hex)) {
      bytes.push(Number.parseInt(hex, 16));
      index += 2;
    } else bytes.push(text.charCodeAt(index));
  }
  return Buffer.from(bytes);
}
