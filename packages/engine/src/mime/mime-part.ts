import { decodeWords } from 'postal-mime';
import { parametersOf } from './header-parameters.ts';
import { decodeText } from './text-of-bytes.ts';
import { decodeTransfer } from './transfer-encoding.ts';

/** One header line: its name as written, its value unfolded. */
export type HeaderLine = readonly [name: string, value: string];

/** One part of a message with its body as it was packed. */
export interface MimePart {
  readonly headers: readonly HeaderLine[];
  /** Media type in lower case, `text/plain` when the part names none. */
  readonly mediaType: string;
  readonly charset: string | undefined;
  /** `inline`, `attachment` or empty. */
  readonly disposition: string;
  readonly fileName: string | undefined;
  readonly contentId: string | undefined;
  readonly body: Buffer;
  readonly parts: readonly MimePart[];
}

/** Nested deeper, a message is an attack on its reader. */
const DEEPEST = 256;

/** Header lines of a block, unfolded; lines that are none are left out. */
export function headerLines(block: string): readonly HeaderLine[] {
  return block.split(/\r?\n(?![ \t])/u).flatMap((line): HeaderLine[] => {
    const [, name, value = ''] = /^([!-9;-~]+)[ \t]*:(.*)$/su.exec(line) ?? [];
    return name === undefined ? [] : [[name, value.replaceAll(/\r?\n(?=[ \t])/gu, '').trim()]];
  });
}

/** Where the header ends and where the body begins. */
export function endOfHeader(data: Buffer): readonly [end: number, body: number] {
  if (data[0] === 0x0a) return [0, 1];
  if (data[0] === 0x0d && data[1] === 0x0a) return [0, 2];
  const unix = data.indexOf('\n\n');
  const network = data.indexOf('\r\n\r\n');
  if (network >= 0 && (unix < 0 || network < unix)) return [network, network + 4];
  return unix < 0 ? [data.byteLength, data.byteLength] : [unix, unix + 2];
}

function startsLine(data: Buffer, at: number): boolean {
  return at === 0 || data[at - 1] === 0x0a;
}

/** The line break before a boundary belongs to the boundary. */
function withoutLineBreak(data: Buffer, start: number, end: number): Buffer {
  if (data[end - 1] !== 0x0a) return data.subarray(start, end);
  return data.subarray(start, Math.max(start, data[end - 2] === 0x0d ? end - 2 : end - 1));
}

/** What is between the lines of a boundary; a part whose end is missing reaches to the end. */
function betweenBoundaries(data: Buffer, boundary: string): Buffer[] {
  const mark = Buffer.from(`--${boundary}`, 'latin1');
  const found: Buffer[] = [];
  let start = -1;
  for (let at = data.indexOf(mark); at >= 0; at = data.indexOf(mark, at + mark.byteLength)) {
    if (!startsLine(data, at)) continue;
    const lineEnd = data.indexOf(0x0a, at);
    const rest = data
      .subarray(at + mark.byteLength, lineEnd < 0 ? data.byteLength : lineEnd)
      .toString('latin1')
      .trimEnd();
    if (rest !== '' && rest !== '--') continue;
    if (start >= 0) found.push(withoutLineBreak(data, start, at));
    if (rest === '--' || lineEnd < 0) return found;
    start = lineEnd + 1;
  }
  if (start >= 0) found.push(data.subarray(start));
  return found;
}

/** Takes a message or a part of one apart. What makes no sense is kept as text; only nesting without end is refused. */
export function readMimePart(data: Buffer, depth = 0): MimePart {
  if (depth > DEEPEST) throw new Error('The message is nested too deep.');
  const [end, start] = endOfHeader(data);
  const headers = headerLines(decodeText(data.subarray(0, end), 'utf-8'));
  const first = (name: string): string | undefined => headers.find(([other]) => other.toLowerCase() === name)?.[1];
  const type = parametersOf(first('content-type') ?? 'text/plain');
  const disposition = parametersOf(first('content-disposition') ?? '');
  const boundary = type.named.get('boundary');
  const isNested = type.value.startsWith('multipart/') && boundary !== undefined && boundary !== '';
  const body = data.subarray(start);
  const name = disposition.named.get('filename') ?? type.named.get('name');
  return {
    headers,
    mediaType: type.value === '' ? 'text/plain' : type.value,
    charset: type.named.get('charset'),
    disposition: disposition.value,
    fileName: name === undefined ? undefined : decodeWords(name),
    contentId: first('content-id')?.replaceAll(/^<|>$/gu, ''),
    body,
    parts: isNested ? betweenBoundaries(body, boundary).map((part) => readMimePart(part, depth + 1)) : [],
  };
}

/** The bytes of a part as they were before they were packed. */
export function contentOfPart({ headers, body }: MimePart): Buffer {
  return decodeTransfer(body, headers.find(([name]) => name.toLowerCase() === 'content-transfer-encoding')?.[1] ?? '');
}
