import { crc32, deflateSync } from 'node:zlib';
import type { MailFile } from '../src/mail-files/mail-file.ts';

/** Writes Outlook data files of every version for tests, as [MS-PST] says: what a reader takes for granted can be chosen here. */
export type PstVersion = 14 | 15 | 23 | 36 | 37;

export interface PstProperty {
  readonly id: number;
  readonly value: string | number | boolean | Buffer | Date;
  /** Text that is not Unicode. */
  readonly isNarrow?: true;
}

export interface PstItem {
  readonly properties: readonly PstProperty[];
  readonly recipients?: readonly { readonly type: number; readonly name: string; readonly address: string }[];
  readonly attachments?: readonly { readonly name: string; readonly bytes?: Buffer; readonly item?: PstItem }[];
}

export interface PstFolder {
  readonly name: string;
  readonly items?: readonly PstItem[];
  readonly folders?: readonly PstFolder[];
}

export interface PstSettings {
  readonly version?: PstVersion;
  /** 0: plain, 1: permuted, 2: "high encryption". */
  readonly method?: 0 | 1 | 2;
  readonly passwordCheck?: number;
  /** Where everything but the header begins: far behind, where the file is sparse. */
  readonly from?: number;
}

/** Pieces of a file and where they are; between them is nothing. */
export interface SparseFile {
  readonly sizeBytes: number;
  readonly pieces: readonly { readonly at: number; readonly bytes: Buffer }[];
}

const PERMUTED = Buffer.from(
  'R/G05gtqckiFTp7r4viUU+C7oALoWgmr2+O6xnzDEN05BZYw9TdggozJE0prHfP7jyaXypEXAcQyLW4xlf/ZI9EAXnncRDsaKMVhVyCQPYO5Q75n0kZCdsBtW36yDxYpPKkDVA3aXd/2t8dizY0G02lchtYU96Vmdayx6UUhcAyHn3SkIkxvvx9Wqi6zeDNQsKOSvM8ZHKdjyx5NPksbm0/n8O6tOrVZBOpAVSVR5XqJOGhSe/wnrte9+gf0zI5f7zWchCsV1Xc0SbYSCn9xiP2dGEF9k9hYLM7+JK/euDbIoYCmmZioLw6BZXPkwqKK1OER0AiLKvLtmmQ/wWz57A==',
  'base64',
);
const EXCHANGED = Buffer.alloc(256);
for (const [at, byte] of PERMUTED.entries()) EXCHANGED[byte] = at;

const ALL_BITS = 0xff_ff_ff_ff;
const checksum = (bytes: Buffer): number => (crc32(bytes, ALL_BITS) ^ ALL_BITS) >>> 0;
const UNIX_START = 116_444_736_000_000_000n;

interface Block {
  readonly bid: number;
  readonly at: number;
  readonly size: number;
  readonly plainSize: number;
}
interface Node {
  readonly nid: number;
  readonly data: number;
  readonly sub: number;
  readonly parent: number;
}

class Writer {
  readonly pieces: { at: number; bytes: Buffer }[] = [];
  readonly blocks: Block[] = [];
  readonly nodes: Node[] = [];
  readonly #version: PstVersion;
  readonly #method: number;
  #end: number;
  #bid = 0;
  #nid = 0x4000;

  constructor({ version = 23, method = 1, from = 0x4000 }: PstSettings) {
    this.#version = version;
    this.#method = method;
    this.#end = from;
  }

  get isAnsi(): boolean {
    return this.#version < 20;
  }
  get isLarge(): boolean {
    return this.#version > 30;
  }
  get end(): number {
    return this.#end;
  }

  nid(kind: number): number {
    this.#nid += 32;
    return this.#nid + kind;
  }

  id(value: number): Buffer {
    const bytes = Buffer.alloc(this.isAnsi ? 4 : 8);
    if (this.isAnsi) bytes.writeUInt32LE(value);
    else bytes.writeBigUInt64LE(BigInt(value));
    return bytes;
  }

  put(bytes: Buffer, unit: number): number {
    const at = Math.ceil(this.#end / unit) * unit;
    this.pieces.push({ at, bytes });
    this.#end = at + bytes.byteLength;
    return at;
  }

  #block(plain: Buffer, isInternal: boolean): number {
    this.#bid += 4;
    const bid = this.#bid + (isInternal ? 2 : 0);
    const coded = isInternal || this.#method !== 1 ? plain : Buffer.from(plain.map((byte) => EXCHANGED[byte] ?? 0));
    const data = this.isLarge ? deflateSync(coded) : coded;
    const trailer = this.isAnsi ? 12 : this.isLarge ? 24 : 16;
    const unit = this.isLarge ? 512 : 64;
    const whole = Buffer.alloc(Math.ceil((data.byteLength + trailer) / unit) * unit);
    data.copy(whole);
    whole.writeUInt16LE(data.byteLength, whole.byteLength - trailer);
    if (!this.isLarge) whole.writeUInt32LE(checksum(data), whole.byteLength - trailer + (this.isAnsi ? 8 : 4));
    this.blocks.push({ bid, at: this.put(whole, unit), size: data.byteLength, plainSize: coded.byteLength });
    return bid;
  }

  data(bytes: Buffer): number {
    const most = this.isAnsi ? 8180 : 8176;
    if (bytes.byteLength <= most) return this.#block(bytes, false);
    const bids: number[] = [];
    for (let at = 0; at < bytes.byteLength; at += most) bids.push(this.#block(bytes.subarray(at, at + most), false));
    return this.#list(bids, bytes.byteLength, most);
  }

  #list(bids: readonly number[], total: number, blockBytes: number): number {
    const most = 1_000;
    if (bids.length > most) {
      const lists: number[] = [];
      for (let at = 0; at < bids.length; at += most) {
        lists.push(this.#list(bids.slice(at, at + most), Math.min(most * blockBytes, total - at * blockBytes), blockBytes));
      }
      return this.#listBlock(lists, total, 2);
    }
    return this.#listBlock(bids, total, 1);
  }

  #listBlock(bids: readonly number[], total: number, level: number): number {
    const head = Buffer.alloc(8);
    head.writeUInt8(1, 0);
    head.writeUInt8(level, 1);
    head.writeUInt16LE(bids.length, 2);
    head.writeUInt32LE(total, 4);
    return this.#block(Buffer.concat([head, ...bids.map((bid) => this.id(bid))]), true);
  }

  subnodes(nodes: readonly { readonly nid: number; readonly data: number; readonly sub: number }[]): number {
    if (nodes.length === 0) return 0;
    const head = Buffer.alloc(this.isAnsi ? 4 : 8);
    head.writeUInt8(2, 0);
    head.writeUInt16LE(nodes.length, 2);
    const entries = [...nodes].sort((a, b) => a.nid - b.nid).flatMap(({ nid, data, sub }) => [this.id(nid), this.id(data), this.id(sub)]);
    return this.#block(Buffer.concat([head, ...entries]), true);
  }

  #page(kind: number, level: number, entries: readonly Buffer[]): number {
    const size = this.isLarge ? 4096 : 512;
    const counts = this.isLarge ? 4056 : this.isAnsi ? 496 : 488;
    const trailer = this.isLarge ? 4072 : this.isAnsi ? 500 : 496;
    const page = Buffer.alloc(size);
    Buffer.concat(entries).copy(page);
    if (this.isLarge) page.writeUInt16LE(entries.length, counts);
    else page.writeUInt8(entries.length, counts);
    page.writeUInt8(entries[0]?.byteLength ?? 0, counts + (this.isLarge ? 4 : 2));
    page.writeUInt8(level, counts + (this.isLarge ? 5 : 3));
    page.writeUInt8(kind, trailer);
    page.writeUInt8(kind, trailer + 1);
    return this.put(page, size);
  }

  tree(kind: number, leaves: readonly { readonly key: number; readonly bytes: Buffer }[]): number {
    let level = 0;
    let entries = leaves;
    for (;;) {
      const room = this.isLarge ? 4056 : this.isAnsi ? 496 : 488;
      const fits = Math.floor(room / (entries[0]?.bytes.byteLength ?? 1));
      const above: { key: number; bytes: Buffer }[] = [];
      for (let at = 0; at < entries.length; at += fits) {
        const some = entries.slice(at, at + fits);
        const key = some[0]?.key ?? 0;
        const place = this.#page(
          kind,
          level,
          some.map(({ bytes }) => bytes),
        );
        above.push({ key, bytes: Buffer.concat([this.id(key), this.id(0), this.id(place)]) });
      }
      const [only] = above;
      if (above.length === 1 && only) return Number(this.isAnsi ? only.bytes.readUInt32LE(8) : only.bytes.readBigUInt64LE(16));
      entries = above;
      level += 1;
    }
  }
}

/** Pieces of a node, in one block. */
function heap(pieces: readonly Buffer[], client: number): Buffer {
  const body = Buffer.concat(pieces);
  const head = Buffer.alloc(12);
  head.writeUInt16LE(12 + body.byteLength, 0);
  head.writeUInt8(0xec, 2);
  head.writeUInt8(client, 3);
  head.writeUInt32LE(0x20, 4);
  const map = Buffer.alloc(4 + (pieces.length + 1) * 2);
  map.writeUInt16LE(pieces.length, 0);
  let at = 12;
  map.writeUInt16LE(at, 4);
  for (const [index, piece] of pieces.entries()) {
    at += piece.byteLength;
    map.writeUInt16LE(at, 6 + index * 2);
  }
  return Buffer.concat([head, body, map]);
}

function treeHead(keyBytes: number, valueBytes: number, records: number): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt8(0xb5, 0);
  head.writeUInt8(keyBytes, 1);
  head.writeUInt8(valueBytes, 2);
  head.writeUInt32LE(records, 4);
  return head;
}

const hid = (index: number): number => index * 32;

function typeOf({ value, isNarrow }: PstProperty): number {
  if (typeof value === 'string') return isNarrow ? 0x1e : 0x1f;
  if (typeof value === 'number') return 0x03;
  if (typeof value === 'boolean') return 0x0b;
  return Buffer.isBuffer(value) ? 0x0102 : 0x40;
}

function bytesOf({ value, isNarrow }: PstProperty): Buffer {
  if (typeof value === 'string') return Buffer.from(value, isNarrow ? 'latin1' : 'utf16le');
  if (Buffer.isBuffer(value)) return value;
  const bytes = Buffer.alloc(value instanceof Date ? 8 : 4);
  if (value instanceof Date) bytes.writeBigUInt64LE(BigInt(value.getTime()) * 10_000n + UNIX_START);
  else bytes.writeInt32LE(Number(value));
  return bytes;
}

type Subnode = { readonly nid: number; readonly data: number; readonly sub: number };

/** Properties as the node of an object has them; what is long is in nodes below. */
function object(
  writer: Writer,
  properties: readonly (PstProperty & { readonly node?: Subnode })[],
  below: Subnode[],
): { data: number; sub: number } {
  const values: Buffer[] = [];
  const records = [...properties]
    .sort((a, b) => a.id - b.id)
    .map((property) => {
      const record = Buffer.alloc(8);
      const bytes = bytesOf(property);
      record.writeUInt16LE(property.id, 0);
      record.writeUInt16LE(property.node ? 0x0d : typeOf(property), 2);
      if (bytes.byteLength <= 4 && typeof property.value !== 'string' && !Buffer.isBuffer(property.value)) bytes.copy(record, 4);
      else if (bytes.byteLength > 300) {
        const nid = writer.nid(0x1f);
        below.push({ nid, data: writer.data(bytes), sub: 0 });
        record.writeUInt32LE(nid, 4);
      } else if (bytes.byteLength > 0) {
        values.push(bytes);
        record.writeUInt32LE(hid(2 + values.length), 4);
      }
      return record;
    });
  return { data: writer.data(heap([treeHead(2, 6, hid(2)), Buffer.concat(records), ...values], 0xbc)), sub: writer.subnodes(below) };
}

const COLUMNS = [
  { tag: 0x0c15_0003, at: 0, size: 4 },
  { tag: 0x3001_001f, at: 4, size: 4 },
  { tag: 0x39fe_001f, at: 8, size: 4 },
] as const;

function recipients(writer: Writer, rows: NonNullable<PstItem['recipients']>): Subnode {
  const info = Buffer.alloc(22 + COLUMNS.length * 8);
  info.writeUInt8(0x7c, 0);
  info.writeUInt8(COLUMNS.length, 1);
  for (const [index, end] of [12, 12, 12, 13].entries()) info.writeUInt16LE(end, 2 + index * 2);
  info.writeUInt32LE(hid(2), 10);
  info.writeUInt32LE(hid(4), 14);
  for (const [index, { tag, at, size }] of COLUMNS.entries()) {
    const column = 22 + index * 8;
    info.writeUInt32LE(tag, column);
    info.writeUInt16LE(at, column + 4);
    info.writeUInt8(size, column + 6);
    info.writeUInt8(index, column + 7);
  }
  const values: Buffer[] = [];
  const cells = rows.map(({ type, name, address }) => {
    const row = Buffer.alloc(13);
    row.writeUInt32LE(type, 0);
    for (const [at, text] of [
      [4, name],
      [8, address],
    ] as const) {
      values.push(Buffer.from(text, 'utf16le'));
      row.writeUInt32LE(hid(4 + values.length), at);
    }
    row.writeUInt8(0b1110_0000, 12);
    return row;
  });
  const indexBytes = writer.isAnsi ? 2 : 4;
  const index = Buffer.concat(rows.map((_, row) => Buffer.from([row, 0, 0, 0, row, 0, 0, 0]).subarray(0, 4 + indexBytes)));
  const data = writer.data(heap([info, treeHead(4, indexBytes, hid(3)), index, Buffer.concat(cells), ...values], 0x7c));
  return { nid: 0x692, data, sub: 0 };
}

function item(writer: Writer, { properties, recipients: rows = [], attachments = [] }: PstItem): { data: number; sub: number } {
  const below: Subnode[] = rows.length === 0 ? [] : [recipients(writer, rows)];
  for (const { name, bytes, item: inner } of attachments) {
    const inside: Subnode[] = [];
    const of: (PstProperty & { node?: Subnode })[] = [{ id: 0x3707, value: name }];
    if (inner) {
      const node = { nid: writer.nid(0x04), ...item(writer, inner) };
      inside.push(node);
      const value = Buffer.alloc(8);
      value.writeUInt32LE(node.nid);
      of.push({ id: 0x3701, value, node });
    } else of.push({ id: 0x3701, value: bytes ?? Buffer.alloc(0) });
    below.push({ nid: writer.nid(0x05), ...object(writer, of, inside) });
  }
  return object(writer, properties, below);
}

function folder(writer: Writer, { name, items = [], folders = [] }: PstFolder, nid: number, parent: number): void {
  writer.nodes.push({ nid, parent, ...object(writer, [{ id: 0x3001, value: name }], []) });
  for (const one of items) writer.nodes.push({ nid: writer.nid(0x04), parent: nid, ...item(writer, one) });
  for (const one of folders) folder(writer, one, writer.nid(0x02), nid);
}

function header(writer: Writer, { version = 23, method = 1 }: PstSettings, [nodes, blocks]: readonly [number, number]): Buffer {
  const head = Buffer.alloc(1024);
  head.write('!BDN', 0, 'latin1');
  head.write('SM', 8, 'latin1');
  head.writeUInt16LE(version, 10);
  const [atNodes, atBlocks] = writer.isAnsi ? [184, 192] : [216, 232];
  for (const [at, page] of [
    [atNodes, nodes],
    [atBlocks, blocks],
  ] as const)
    writer.id(page).copy(head, at + (writer.isAnsi ? 4 : 8));
  head.writeUInt8(method, writer.isAnsi ? 461 : 513);
  return head;
}

/** A data file with these folders below the one that people see. */
export function writePst(folders: readonly PstFolder[], settings: PstSettings = {}): SparseFile {
  const writer = new Writer(settings);
  const subtree = 0x8022;
  const entry = Buffer.alloc(24);
  entry.writeUInt32LE(subtree, 20);
  const store: PstProperty[] = [{ id: 0x35e0, value: entry }];
  if (settings.passwordCheck !== undefined) store.push({ id: 0x67ff, value: settings.passwordCheck });
  writer.nodes.push({ nid: 0x21, parent: 0, ...object(writer, store, []) });
  folder(writer, { name: '' }, 0x122, 0x122);
  folder(writer, { name: 'Top of Outlook data file', folders }, subtree, 0x122);
  const nodeLeaves = [...writer.nodes]
    .sort((a, b) => a.nid - b.nid)
    .map(({ nid, data, sub, parent }) => {
      const last = Buffer.alloc(writer.isAnsi ? 4 : 8);
      last.writeUInt32LE(parent);
      return { key: nid, bytes: Buffer.concat([writer.id(nid), writer.id(data), writer.id(sub), last]) };
    });
  const blockLeaves = [...writer.blocks]
    .sort((a, b) => a.bid - b.bid)
    .map(({ bid, at, size, plainSize }) => {
      const last = Buffer.alloc(writer.isAnsi ? 4 : 8);
      last.writeUInt16LE(size);
      last.writeUInt16LE(writer.isLarge ? plainSize : 2, 2);
      return { key: bid, bytes: Buffer.concat([writer.id(bid), writer.id(at), last]) };
    });
  const roots = [writer.tree(0x81, nodeLeaves), writer.tree(0x80, blockLeaves)] as const;
  return { sizeBytes: writer.end, pieces: [{ at: 0, bytes: header(writer, settings, roots) }, ...writer.pieces] };
}

/** A file as a whole, for those that are small. */
export function bytesOfSparse({ sizeBytes, pieces }: SparseFile): Buffer {
  const bytes = Buffer.alloc(sizeBytes);
  for (const { at, bytes: piece } of pieces) piece.copy(bytes, at);
  return bytes;
}

export function fileOfBytes(name: string, bytes: Buffer): MailFile {
  return { name, sizeBytes: bytes.byteLength, read: async (offset, length) => Promise.resolve(bytes.subarray(offset, offset + length)) };
}
