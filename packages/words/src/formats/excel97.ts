import { PartError } from '../part/document-part.ts';
import type { TextSink } from '../part/text-sink.ts';
import type { CompoundFile } from './compound-file.ts';

/** Record types of [MS-XLS] 2.3. */
const record = {
  filePass: 0x2f,
  boundSheet: 0x85,
  strings: 0xfc,
  continued: 0x3c,
  label: 0xfd,
  oldLabel: 0x204,
  number: 0x203,
  rk: 0x27e,
  rkRow: 0xbd,
  formulaText: 0x207,
  row: 0x208,
} as const;

interface BiffRecord {
  readonly type: number;
  readonly data: Buffer;
}

function* recordsOf(stream: Buffer): Generator<BiffRecord> {
  let at = 0;
  while (at + 4 <= stream.length) {
    const length = stream.readUInt16LE(at + 2);
    yield { type: stream.readUInt16LE(at), data: stream.subarray(at + 4, at + 4 + length) };
    at += 4 + length;
  }
}

/** Reads across the records that a long one goes on in; characters begin again there with a mark of their width. */
function createCursor(parts: readonly Buffer[]) {
  let part = 0;
  let at = 0;
  const current = (): Buffer => parts[part] ?? Buffer.alloc(0);
  function enter(): boolean {
    while (part < parts.length && at >= current().length) {
      part += 1;
      at = 0;
    }
    return part < parts.length;
  }
  function byte(): number {
    return enter() ? (current()[at++] ?? 0) : 0;
  }
  const short = (): number => byte() | (byte() << 8);
  function skip(count: number): void {
    for (let left = count; left > 0 && enter();) {
      const step = Math.min(left, current().length - at);
      at += step;
      left -= step;
    }
  }
  function characters(count: number, isWideAtFirst: boolean): string {
    let isWide = isWideAtFirst;
    let text = '';
    while (text.length < count) {
      if (at >= current().length) {
        if (!enter()) break;
        isWide = (byte() & 1) === 1;
      }
      const width = isWide ? 2 : 1;
      const taken = Math.min(count - text.length, Math.floor((current().length - at) / width));
      if (taken === 0) break;
      text += current()
        .subarray(at, at + taken * width)
        .toString(isWide ? 'utf16le' : 'latin1');
      at += taken * width;
    }
    return text;
  }
  return { byte, short, long: () => short() | (short() << 16), skip, characters, isAtEnd: () => !enter() };
}

function readString(cursor: ReturnType<typeof createCursor>): string {
  const length = cursor.short();
  const flags = cursor.byte();
  const runs = flags & 8 ? cursor.short() : 0;
  const extended = flags & 4 ? cursor.long() : 0;
  const text = cursor.characters(length, (flags & 1) === 1);
  cursor.skip(runs * 4 + extended);
  return text;
}

function sharedStrings(records: readonly BiffRecord[]): readonly string[] {
  const first = records.findIndex(({ type }) => type === record.strings);
  if (first < 0) return [];
  const parts = [records[first]?.data ?? Buffer.alloc(0)];
  for (let index = first + 1; records[index]?.type === record.continued; index += 1) parts.push(records[index]?.data ?? Buffer.alloc(0));
  const cursor = createCursor(parts);
  cursor.skip(8);
  const strings: string[] = [];
  while (!cursor.isAtEnd()) strings.push(readString(cursor));
  return strings;
}

/** A number in 30 bits: a whole one or the upper half of a floating one, times one or a hundredth ([MS-XLS] 2.5.217). */
function rkNumber(data: Buffer, at: number): string {
  const rk = data.readInt32LE(at);
  const upper = Buffer.alloc(8);
  upper.writeInt32LE(rk & ~3, 4);
  const value = rk & 2 ? rk >> 2 : upper.readDoubleLE(0);
  return String(rk & 1 ? value / 100 : value);
}

/** Numbers of neighbouring cells: each has a format before it, the number of the last column follows. */
function rkNumbers(data: Buffer): string {
  const count = Math.floor((data.length - 6) / 6);
  return Array.from({ length: count }, (_, index) => rkNumber(data, 6 + index * 6)).join('\t');
}

/** The text of a record by its type, and the least length that has one. */
const readers: ReadonlyMap<number, { readonly least: number; text(data: Buffer, strings: readonly string[]): string | undefined }> =
  new Map([
    [record.label, { least: 10, text: (data: Buffer, strings: readonly string[]) => strings[data.readUInt32LE(6)] }],
    [record.oldLabel, { least: 9, text: (data: Buffer) => readString(createCursor([data.subarray(6)])) }],
    [record.formulaText, { least: 3, text: (data: Buffer) => readString(createCursor([data])) }],
    [record.number, { least: 14, text: (data: Buffer) => String(data.readDoubleLE(6)) }],
    [record.rk, { least: 10, text: (data: Buffer) => rkNumber(data, 6) }],
    [record.rkRow, { least: 12, text: rkNumbers }],
    [
      record.boundSheet,
      { least: 8, text: (data: Buffer) => createCursor([data.subarray(8)]).characters(data[6] ?? 0, ((data[7] ?? 0) & 1) === 1) },
    ],
  ]);

function cellText({ type, data }: BiffRecord, strings: readonly string[]): string | undefined {
  const reader = readers.get(type);
  return reader && data.length >= reader.least ? reader.text(data, strings) : undefined;
}

/** Excel from 97 to 2003: names of sheets and cells, in the order of the file. */
export function readExcel97(file: CompoundFile, sink: TextSink): void {
  const stream = file.read('Workbook');
  if (!stream) throw new PartError('unsupported', 'it is older than Excel 97');
  const records = [...recordsOf(stream)];
  if (records.some(({ type }) => type === record.filePass)) throw new PartError('encrypted', 'it needs a password');
  const strings = sharedStrings(records);
  for (const one of records) {
    const text = cellText(one, strings);
    if (text !== undefined) sink.text(`${text}\n`);
  }
}
