/**
 * A second reader of vaults, written from FORMAT.md alone: it imports nothing of the package. What
 * it reads from the fixtures proves that the page is true; what it can't read would be a defect.
 */
import { createDecipheriv, createHash, createHmac, createPublicKey, hkdfSync, verify } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { zstdDecompressSync } from 'node:zlib';

type Piece = [string, number, string?];
interface Content {
  sha256: string;
  sizeBytes: number;
  depth: number;
  pieces: Piece[];
  itemKeyId?: string;
}
export interface PlainItem {
  itemId: string;
  parentId: string | null;
  kind: string;
  name: string;
  metadata: unknown;
  content: { [role: string]: Content };
}
type Change = (PlainItem & { op: 'put' }) | { op: 'remove'; itemId: string };

function gcmOpen(key: Buffer, nonce: Buffer, sealed: Buffer, associated: Buffer): Buffer {
  const opener = createDecipheriv('aes-256-gcm', key, nonce).setAAD(associated);
  opener.setAuthTag(sealed.subarray(-16));
  return Buffer.concat([opener.update(sealed.subarray(0, -16)), opener.final()]);
}

function unwrap(key: Buffer, text: string, context: string): Buffer {
  const bytes = Buffer.from(text, 'base64url');
  return gcmOpen(key, bytes.subarray(0, 12), bytes.subarray(12), Buffer.from(context));
}

function counter(number: number): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt32BE(number, 8);
  return nonce;
}

function number32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

const sha256 = (data: Buffer | string): string => createHash('sha256').update(data).digest('hex');

function jsonLines<Value>(data: Buffer): Value[] {
  return data
    .toString()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Value);
}

/** The vault in a folder, opened with one master key. */
export class PlainVault {
  readonly header: { vaultId: string; organisationId: string; [field: string]: unknown };
  private readonly folder: string;
  private readonly vaultKey: Buffer;
  private readonly vaultId: Buffer;
  private readonly blobs = new Map<string, Buffer>();

  constructor(folder: string, masterKey: Buffer) {
    this.folder = folder;
    const { mac, ...header } = JSON.parse(this.object('vault.json').toString());
    this.header = header;
    this.vaultId = Buffer.from(header.vaultId.replaceAll('-', ''), 'hex');
    const organisationKey = unwrap(masterKey, header.organisationKey.sealed, `holdfast/1/organisation/${header.organisationId}`);
    this.vaultKey = unwrap(organisationKey, header.vaultKey, `holdfast/1/vault/${header.vaultId}`);
    const expected = createHmac('sha256', this.key('header')).update(JSON.stringify(header)).digest('hex');
    if (mac !== expected) throw new Error('the header was changed');
    for (const shard of readdirSync(path.join(folder, 'packs'))) {
      for (const packId of readdirSync(path.join(folder, 'packs', shard))) this.readPack(packId);
    }
  }

  private object(name: string): Buffer {
    return readFileSync(path.join(this.folder, ...name.split('/')));
  }

  private key(purpose: string, salt: Buffer = this.vaultId): Buffer {
    return Buffer.from(hkdfSync('sha256', this.vaultKey, salt, `holdfast/1/${purpose}`, 32));
  }

  private small(name: string): Record<string, unknown> {
    const bytes = this.object(name);
    const label = Buffer.from(`holdfast/1/small/${this.header.vaultId}/${name}`);
    return JSON.parse(gcmOpen(this.key('small'), bytes.subarray(0, 12), bytes.subarray(12), label).toString());
  }

  private readPack(packId: string): void {
    const pack = this.object(`packs/${packId.slice(0, 2)}/${packId}`);
    const id = Buffer.from(packId, 'hex');
    const key = this.key('pack', id);
    if (pack.toString('latin1', 0, 8) !== 'HFPACK\0\x01' || !pack.subarray(8, 24).equals(id)) throw new Error('no pack');
    const trailer = pack.subarray(-24);
    const [indexLength, frameCount] = [trailer.readUInt32BE(0), trailer.readUInt32BE(4)];
    if (Number(trailer.readBigUInt64BE(8)) !== pack.length) throw new Error('another length');
    const label = Buffer.concat([Buffer.from('holdfast/1/pack-index'), this.vaultId, id, number32(frameCount)]);
    const opened = gcmOpen(key, counter(0xffffffff), pack.subarray(-24 - indexLength, -24), label);
    const table = opened[4] === 1 ? zstdDecompressSync(opened.subarray(5)) : opened.subarray(5);
    let at = 4;
    for (let frame = 0; frame < table.readUInt32BE(0); frame += 1) {
      const [offset, length, count] = [table.readUInt32BE(at), table.readUInt32BE(at + 4), table.readUInt32BE(at + 8)];
      at += 12;
      const bytes = pack.subarray(offset, offset + length);
      const head = bytes.subarray(0, 12);
      const associated = Buffer.concat([Buffer.from('holdfast/1/frame'), this.vaultId, id, number32(frame), head]);
      const body = gcmOpen(key, counter(frame), bytes.subarray(12), associated);
      const plain = head[9] === 1 ? zstdDecompressSync(body) : body;
      let start = 4 + 4 * plain.readUInt32BE(0);
      for (let blob = 0; blob < count; blob += 1, at += 24) {
        const size = plain.readUInt32BE(4 + 4 * blob);
        this.blobs.set(table.toString('hex', at, at + 20), plain.subarray(start, start + size));
        start += size;
      }
    }
  }

  private blob(id: string): Buffer {
    const blob = this.blobs.get(id);
    if (!blob) throw new Error(`no blob ${id}`);
    if (createHmac('sha256', this.key('blob-id')).update(blob).digest('hex').slice(0, 40) !== id) throw new Error('wrong blob');
    return blob;
  }

  private pieces(depth: number, pieces: Piece[]): Piece[] {
    if (depth === 0) return pieces;
    return pieces.flatMap(([id]) => this.pieces(depth - 1, JSON.parse(this.blob(id).toString())));
  }

  private plaintext(content: Content, [id, size]: Piece, position: number): Buffer {
    const blob = this.blob(id);
    if (content.itemKeyId === undefined) return blob;
    const key = Buffer.from(this.small(`itemkeys/${content.itemKeyId}`)['key'] as string, 'base64url');
    const body = gcmOpen(key, counter(position), blob.subarray(1), Buffer.from(`holdfast/1/item/${position}/${size}/${blob[0]}`));
    return blob[0] === 1 ? zstdDecompressSync(body) : body;
  }

  /** A content, put together and checked. */
  read(content: Content): Buffer {
    const out: Buffer[] = [];
    let text: { width: number; line: string; parts: Buffer[] } | undefined;
    const endText = (): void => {
      if (!text) return;
      const encoded = Buffer.concat(text.parts).toString('base64');
      const { width } = text;
      const lines =
        width === 0
          ? [encoded]
          : Array.from({ length: Math.ceil(encoded.length / width) }, (_, at) => encoded.slice(at * width, (at + 1) * width));
      out.push(Buffer.from(lines.join(text.line)));
      text = undefined;
    };
    this.pieces(content.depth, content.pieces).forEach((piece, position) => {
      const plain = this.plaintext(content, piece, position);
      const encoding = piece[2];
      if (encoding === '+') text?.parts.push(plain);
      else {
        endText();
        const layout = /^b(\d+)([cl])$/.exec(encoding ?? '');
        if (layout) text = { width: Number(layout[1]), line: layout[2] === 'c' ? '\r\n' : '\n', parts: [plain] };
        else out.push(plain);
      }
    });
    endText();
    const whole = Buffer.concat(out);
    if (whole.length !== content.sizeBytes || sha256(whole) !== content.sha256) throw new Error('wrong content');
    return whole;
  }

  private lines<Value>(content: Content): Value[] {
    return jsonLines<Value>(this.read(content));
  }

  /** A segment object under its name. */
  private opened(name: string, bytes: Buffer): { hash: string; body: { [field: string]: unknown } } {
    const label = Buffer.from(`holdfast/1/segment/${this.header.vaultId}/${name}`);
    const end = 28 + bytes.readUInt32BE(24);
    const key = createPublicKey({ key: Buffer.from(this.header['verifyingKey'] as string, 'base64url'), format: 'der', type: 'spki' });
    if (!verify(null, Buffer.concat([label, bytes.subarray(0, end)]), key, bytes.subarray(end))) throw new Error('not signed');
    const opened = gcmOpen(this.key('segment', bytes.subarray(8, 24)), counter(0), bytes.subarray(28, end), label);
    const json = opened[4] === 1 ? zstdDecompressSync(opened.subarray(5)) : opened.subarray(5);
    return { hash: sha256(bytes), body: JSON.parse(json.toString()) };
  }

  /** The copy of a segment: the segment, and its changes where those are stored outside it. */
  private copy(name: string): { hash: string; body: { [field: string]: unknown } } {
    const copy = name.replace('journal/', 'copies/');
    const bytes = this.object(copy);
    if (bytes.toString('latin1', 0, 8) !== 'HFCOPY\0\x01') throw new Error('no copy');
    const end = 12 + bytes.readUInt32BE(8);
    const { hash, body } = this.opened(name, bytes.subarray(12, end));
    if (Array.isArray(body['changes']) || end === bytes.length) return { hash, body };
    const label = Buffer.from(`holdfast/1/small/${this.header.vaultId}/${copy}`);
    const lines = zstdDecompressSync(gcmOpen(this.key('small'), bytes.subarray(end, end + 12), bytes.subarray(end + 12), label));
    const content = body['changes'] as Content;
    if (lines.length !== content.sizeBytes || sha256(lines) !== content.sha256) throw new Error('other changes');
    return { hash, body: { ...body, changes: jsonLines<Change>(lines) } };
  }

  /** A segment that counts, from its object or its copy. Those of 1.1 have both, and both say the same. */
  private segment(name: string): { hash: string; body: { [field: string]: unknown } } {
    if (!existsSync(path.join(this.folder, name))) return this.copy(name);
    const own = this.opened(name, this.object(name));
    if (Number(own.body['minor'] ?? 0) >= 1 && this.copy(name).hash !== own.hash) throw new Error('another copy');
    return own;
  }

  /** The states of a resource after each of its segments. */
  states(resourceId: string): Map<string, PlainItem>[] {
    const key = createHmac('sha256', this.key('names')).update(resourceId).digest('hex').slice(0, 40);
    const listed = (folder: string): string[] => {
      const place = path.join(this.folder, folder, key);
      return existsSync(place) ? readdirSync(place) : [];
    };
    const names = [...new Set([...listed('journal'), ...listed('copies')])].toSorted();
    const states: Map<string, PlainItem>[] = [];
    let previous: string | null = null;
    for (let sequence = 1; ; sequence += 1) {
      const digits = String(sequence).padStart(10, '0');
      const candidates = names.filter((name) => name.startsWith(`${digits}-`)).map((name) => `journal/${key}/${name}`);
      if (candidates.length === 0) return states;
      const marker = `journal/${key}/${digits}.marker`;
      const named = existsSync(path.join(this.folder, marker)) ? [this.small(marker)['segment'] as string] : candidates;
      const fence = (name: string): string => name.slice(-27, -17);
      const found = named
        .toSorted((a, b) => (fence(a) === fence(b) ? (a < b ? -1 : 1) : fence(a) > fence(b) ? -1 : 1))
        .map((name) => this.segment(name))
        .find((segment) => segment.body['previousHash'] === previous);
      if (!found) throw new Error('the chain is broken');
      previous = found.hash;
      const changes = found.body['changes'] as Change[] | Content;
      const state = new Map(states.at(-1));
      for (const change of Array.isArray(changes) ? changes : this.lines<Change>(changes)) {
        if (change.op === 'remove') state.delete(change.itemId);
        else state.set(change.itemId, change);
      }
      const checkpoint = found.body['checkpoint'] as { content: Content; itemCount: number } | undefined;
      if (checkpoint) {
        const items = this.lines<PlainItem>(checkpoint.content);
        const ranks = items.map((item) => sha256(item.itemId));
        const isSame = items.length === state.size && items.every((item) => state.get(item.itemId)?.name === item.name);
        if (!isSame || ranks.join() !== ranks.toSorted().join()) throw new Error('a checkpoint is not the state');
      }
      states.push(state);
    }
  }
}
