import { PartError } from '../part/document-part.ts';
import type { TextSink } from '../part/text-sink.ts';
import type { CompoundFile } from './compound-file.ts';

/** Record types of [MS-PPT] 2.13.24. */
const TEXT_WIDE = 0x0fa0;
const TEXT_NARROW = 0x0fa8;
const CURRENT_USER_ENCRYPTED = 0xf3d1c4df;

/** Paragraphs end with a carriage return, lines within them with a vertical tab. */
function linesOf(text: string): string {
  return text.replaceAll('\r', '\n').replaceAll('\v', '\n');
}

function readRecords(stream: Buffer, sink: TextSink): void {
  let at = 0;
  while (at + 8 <= stream.length) {
    const isContainer = (stream.readUInt16LE(at) & 0x0f) === 0x0f;
    const type = stream.readUInt16LE(at + 2);
    const length = stream.readUInt32LE(at + 4);
    at += 8;
    // Records of a container follow its head: walking on walks into it.
    if (isContainer) continue;
    const bytes = stream.subarray(at, at + length);
    if (type === TEXT_WIDE) sink.text(`${linesOf(bytes.toString('utf16le'))}\n`);
    if (type === TEXT_NARROW) sink.text(`${linesOf(bytes.toString('latin1'))}\n`);
    at += length;
  }
}

/** PowerPoint from 97 to 2003: slides and notes. */
export function readPowerPoint97(file: CompoundFile, sink: TextSink): void {
  const user = file.read('Current User');
  if (user && user.length >= 16 && user.readUInt32LE(12) === CURRENT_USER_ENCRYPTED)
    throw new PartError('encrypted', 'it needs a password');
  const stream = file.read('PowerPoint Document');
  if (!stream) throw new PartError('failed', 'its slides are missing');
  readRecords(stream, sink);
}
