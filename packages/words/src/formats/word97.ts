import { PartError } from '../part/document-part.ts';
import type { TextSink } from '../part/text-sink.ts';
import type { CompoundFile } from './compound-file.ts';

/** Offsets of [MS-DOC] 2.5.1 and 2.5.6. */
const FLAGS = 0x0a;
const ENCRYPTED = 0x0100;
const SECOND_TABLE = 0x0200;
const CLX = 0x01a2;
const PIECE_BYTES = 8;
const COMPRESSED = 0x40000000;

const western = new TextDecoder('windows-1252');

/** The pieces of the text, in its order ([MS-DOC] 2.9.38): the document is a list of runs in two encodings. */
function* pieces(main: Buffer, clx: Buffer): Generator<string> {
  let at = 0;
  while (clx[at] === 0x01) at += 3 + clx.readUInt16LE(at + 1);
  if (clx[at] !== 0x02) throw new PartError('failed', 'its list of text pieces is missing');
  const table = clx.subarray(at + 5, at + 5 + clx.readUInt32LE(at + 1));
  const count = Math.floor((table.length - 4) / (4 + PIECE_BYTES));
  for (let index = 0; index < count; index += 1) {
    const length = table.readUInt32LE((index + 1) * 4) - table.readUInt32LE(index * 4);
    const place = table.readUInt32LE((count + 1) * 4 + index * PIECE_BYTES + 2);
    const isCompressed = (place & COMPRESSED) !== 0;
    const start = isCompressed ? (place & ~COMPRESSED) / 2 : place;
    const bytes = main.subarray(start, start + (isCompressed ? length : length * 2));
    yield isCompressed ? western.decode(bytes) : bytes.toString('utf16le');
  }
}

const FIELD_BEGIN = '\u0013';
const FIELD_RESULT = '\u0014';
const FIELD_END = '\u0015';
const BREAKS: Readonly<Record<string, string>> = { '\u0007': '\t', '\t': '\t', '\u000b': '\n', '\f': '\n', '\r': '\n' };

/** A field has its instruction, then what it shows; the instruction is no text. */
function shown(text: string): string {
  const open: boolean[] = [];
  let out = '';
  for (const character of text) {
    if (character === FIELD_BEGIN) open.push(true);
    else if (character === FIELD_RESULT) open.splice(-1, 1, false);
    else if (character === FIELD_END) open.pop();
    else if (!open.includes(true)) out += character < ' ' ? (BREAKS[character] ?? '') : character;
  }
  return out;
}

/** Word from 97 to 2003. */
export function readWord97(file: CompoundFile, sink: TextSink): void {
  const main = file.read('WordDocument');
  if (!main || main.length < CLX + 8) throw new PartError('unsupported', 'it is older than Word 97');
  const flags = main.readUInt16LE(FLAGS);
  if (flags & ENCRYPTED) throw new PartError('encrypted', 'it needs a password');
  const table = file.read(flags & SECOND_TABLE ? '1Table' : '0Table');
  if (!table) throw new PartError('failed', 'its table stream is missing');
  const start = main.readUInt32LE(CLX);
  const text = [...pieces(main, table.subarray(start, start + main.readUInt32LE(CLX + 4)))].join('');
  sink.text(shown(text));
}
