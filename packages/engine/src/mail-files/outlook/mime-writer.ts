import type { Bytes } from '@holdfast/foundation/streams';

export interface Person {
  readonly name: string;
  /** Empty where only the name is known. */
  readonly address: string;
}

/** Writes a message line by line. What is beyond its limit is counted and not written. */
export interface MimeWriter {
  line(text: string): void;
  /** A header line of words in any language. */
  words(name: string, value: string): void;
  people(name: string, people: readonly Person[]): void;
  disposition(kind: 'inline' | 'attachment', fileName: string): void;
  /** Begins a body of several parts; its boundary is in no part, for none has `=_` in it. */
  multipart(kind: 'mixed' | 'alternative', path: string): string;
  /** A part with its type, its bytes as base64. */
  content(type: string, bytes: Bytes): Promise<void>;
  /** The message; undefined where it was larger than allowed. */
  end(): Buffer | undefined;
}

/** Base64 of a line: 76 letters. */
const LINE_BYTES = 57;
const ENCODED_BYTES = 42;

/** Pieces of words that fit into an encoded word each, cut between letters. */
function pieces(value: string): readonly string[] {
  const found: string[] = [];
  let piece = '';
  for (const letter of value) {
    if (Buffer.byteLength(piece + letter) > ENCODED_BYTES) {
      found.push(piece);
      piece = '';
    }
    piece += letter;
  }
  return piece === '' ? found : [...found, piece];
}

const isPlain = (value: string): boolean => /^[\x20-\x7e]*$/u.test(value) && value.length < 900 && !value.includes('=?');
const encoded = (value: string): string =>
  isPlain(value)
    ? value
    : pieces(value)
        .map((piece) => `=?utf-8?B?${Buffer.from(piece).toString('base64')}?=`)
        .join('\r\n ');
const oneLine = (value: string): string => value.replaceAll(/[\r\n\t]+/gu, ' ').trim();

function personLine({ name, address }: Person): string {
  const clean = oneLine(name);
  const words = isPlain(clean) ? `"${clean.replaceAll(/["\\]/gu, String.raw`\$&`)}"` : encoded(clean);
  if (address === '') return `${words}:;`;
  return clean === '' || clean === address ? address : `${words} <${address}>`;
}

/** A name in any language: once for programs that know how, once for those that do not. */
function fileNameParts(fileName: string): string {
  const name = oneLine(fileName).replaceAll(/["\\]/gu, '_');
  if (isPlain(name)) return `filename="${name}"`;
  return `filename*=utf-8''${encodeURIComponent(name).replaceAll(/['()*!]/gu, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)}`;
}

class Output {
  #bytes: Buffer;
  #length = 0;
  readonly #limit: number;

  constructor(expected: number, limit: number) {
    this.#bytes = Buffer.allocUnsafe(expected);
    this.#limit = limit;
  }

  add(text: string, encoding: 'utf8' | 'latin1' = 'utf8'): void {
    const size = Buffer.byteLength(text, encoding);
    this.#length += size;
    if (this.#length > this.#limit) return;
    if (this.#length > this.#bytes.byteLength) {
      const larger = Buffer.allocUnsafe(Math.min(this.#limit, Math.max(this.#length, this.#bytes.byteLength * 2)));
      this.#bytes.copy(larger, 0, 0, this.#length - size);
      this.#bytes = larger;
    }
    this.#bytes.write(text, this.#length - size, encoding);
  }

  get isOver(): boolean {
    return this.#length > this.#limit;
  }

  end(): Buffer | undefined {
    return this.isOver ? undefined : this.#bytes.subarray(0, this.#length);
  }
}

export function createMimeWriter(expected: number, limit: number): MimeWriter {
  const output = new Output(Math.max(1, Math.min(expected, limit)), limit);
  const line = (text: string): void => output.add(`${text}\r\n`);

  function base64Lines(bytes: Buffer): void {
    for (let at = 0; at < bytes.byteLength; at += LINE_BYTES) output.add(`${bytes.toString('base64', at, at + LINE_BYTES)}\r\n`, 'latin1');
  }

  return {
    line,
    words: (name, value) => line(`${name}: ${encoded(oneLine(value))}`),
    people: (name, people) => line(`${name}: ${people.map(personLine).join(',\r\n ')}`),
    disposition: (kind, fileName) => line(`Content-Disposition: ${kind};\r\n ${fileNameParts(fileName)}`),
    multipart(kind, path) {
      const boundary = `=_outlook_${path}_`;
      line(`Content-Type: multipart/${kind}; boundary="${boundary}"`);
      line('');
      return boundary;
    },
    async content(type, bytes) {
      line(`Content-Type: ${type}`);
      line('Content-Transfer-Encoding: base64');
      line('');
      let rest: Buffer = Buffer.alloc(0);
      for await (const some of bytes) {
        if (output.isOver) return;
        const all = rest.byteLength === 0 ? Buffer.from(some.buffer, some.byteOffset, some.byteLength) : Buffer.concat([rest, some]);
        const whole = all.byteLength - (all.byteLength % LINE_BYTES);
        base64Lines(all.subarray(0, whole));
        rest = Buffer.from(all.subarray(whole));
      }
      base64Lines(rest);
    },
    end: () => output.end(),
  };
}
