import { createCipheriv, createHash, type KeyObject } from 'node:crypto';
import { freshRoom, type BatchRoom } from '../chunk/batch-room.ts';
import { layoutName, type Base64Layout } from '../chunk/base64-lines.ts';
import { CHUNK_MAX_BYTES, createChunker, type Chunker } from '../chunk/content-defined.ts';
import type { Piece } from '../chunk/content-ref.ts';
import { createMimeSplitter, type MimeSegment } from '../chunk/mime-splitter.ts';
import type { VaultKeys } from '../crypto/vault-keys.ts';
import { compressed, nonceOf, type FrameClass } from '../pack/frame.ts';

export type DigestKind = 'message' | 'file' | 'json' | 'blob';

export interface DigestedBlob {
  readonly blobId: string;
  readonly data: Buffer;
  readonly frameClass: FrameClass;
}

/** Turns one content into blobs and pieces, part by part. */
export interface ContentDigester {
  /** The blobs are views of `data` or of `room`. */
  push(data: Buffer, isLast: boolean, room: BatchRoom): { readonly blobs: DigestedBlob[]; readonly pieces: Piece[] };
  /** SHA-256 and length of everything pushed. */
  finish(): { readonly sha256: string; readonly sizeBytes: number };
}

const SAMPLE_BYTES = 160;
const NOTHING: Buffer = Buffer.alloc(0);

/** Text and binary are compressed apart from each other. */
function classOf(data: Buffer): FrameClass {
  const sample = data.subarray(0, SAMPLE_BYTES);
  let odd = 0;
  for (const byte of sample) {
    if (byte === 0) return 'binary';
    if (byte < 9 || byte > 126) odd += 1;
  }
  return odd * 5 > sample.byteLength ? 'binary' : 'text';
}

/** Bytes sealed with the content's own key; the counter makes the nonce unique (FORMAT.md section 7). */
function sealWithItemKey(key: KeyObject, pieceNumber: number, data: Buffer): Buffer {
  const packed = compressed(data);
  const head = Buffer.from([packed ? 1 : 0]);
  const cipher = createCipheriv('aes-256-gcm', key, nonceOf(pieceNumber));
  cipher.setAAD(Buffer.from(`holdfast/1/item/${pieceNumber}/${data.byteLength}/${head[0] ?? 0}`));
  return Buffer.concat([head, cipher.update(packed ?? data), cipher.final(), cipher.getAuthTag()]);
}

/** Makes blobs of plaintext in order, and their pieces. */
function createPieceMaker(keys: VaultKeys, kind: DigestKind, itemKey: KeyObject | undefined) {
  let pieceNumber = 0;
  let blobs: DigestedBlob[] = [];
  let pieces: Piece[] = [];
  const metaClass = kind === 'json' ? 'meta' : undefined;
  return {
    add(plain: Buffer, encoding?: string): void {
      const data = itemKey ? sealWithItemKey(itemKey, pieceNumber, plain) : plain;
      const blobId = keys.blobId(data);
      blobs.push({ blobId, data, frameClass: itemKey ? 'binary' : (metaClass ?? classOf(plain)) });
      pieces.push(encoding === undefined ? [blobId, plain.byteLength] : [blobId, plain.byteLength, encoding]);
      pieceNumber += 1;
    },
    take(): { blobs: DigestedBlob[]; pieces: Piece[] } {
      const taken = { blobs, pieces };
      blobs = [];
      pieces = [];
      return taken;
    },
  };
}

type PieceMaker = ReturnType<typeof createPieceMaker>;

/** Base64 text on its way through the chunker: cut exactly as the same bytes are in a file. */
function createTextAssembler(gear: Uint32Array, maker: PieceMaker) {
  let chunker: Chunker | undefined;
  let layout: Base64Layout | undefined;
  let isFirst = true;

  function add(chunk: Buffer): void {
    maker.add(chunk, isFirst && layout ? layoutName(layout) : '+');
    isFirst = false;
  }

  function push(data: Buffer, isLast: boolean, room: BatchRoom): void {
    for (const chunk of chunker?.push(data, isLast, room) ?? []) add(chunk);
    if (!isLast) return;
    chunker = undefined;
    layout = undefined;
    isFirst = true;
  }

  return {
    end: (): void => push(NOTHING, true, freshRoom),
    push(segment: MimeSegment & { type: 'base64' }, room: BatchRoom): void {
      if (!segment.continues) push(NOTHING, true, room);
      layout ??= segment.layout;
      chunker ??= createChunker(gear);
      push(segment.data, !segment.isOpen, room);
    },
  };
}

type Cutter = (data: Buffer, isLast: boolean, room: BatchRoom) => void;

function createMessageCutter(gear: Uint32Array, maker: PieceMaker): Cutter {
  const splitter = createMimeSplitter();
  const text = createTextAssembler(gear, maker);
  let held: Buffer = NOTHING;

  function addRaw(data: Buffer): void {
    text.end();
    if (data.byteLength <= CHUNK_MAX_BYTES) {
      maker.add(data);
      return;
    }
    for (const chunk of createChunker(gear).push(data, true, freshRoom)) maker.add(chunk);
  }

  return (data, isLast, room) => {
    const window = room.join(held, data);
    const { segments, consumed } = splitter.push(window, isLast, room);
    for (const segment of segments) {
      if (segment.type === 'raw') addRaw(segment.data);
      else text.push(segment, room);
    }
    held = isLast ? NOTHING : Buffer.from(window.subarray(consumed));
    if (isLast) text.end();
  };
}

function createFileCutter(gear: Uint32Array, maker: PieceMaker): Cutter {
  const chunker = createChunker(gear);
  return (data, isLast, room) => {
    for (const chunk of chunker.push(data, isLast, room)) maker.add(chunk);
  };
}

/** A digester for one content. With `itemKey` its blobs are sealed with that key as well. */
export function createContentDigester(
  keys: VaultKeys,
  gear: Uint32Array,
  options: { readonly kind: DigestKind; readonly itemKey?: KeyObject },
): ContentDigester {
  const { kind, itemKey } = options;
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const maker = createPieceMaker(keys, kind, itemKey);
  const cut: Cutter =
    kind === 'message' ? createMessageCutter(gear, maker) : kind === 'blob' ? (data) => maker.add(data) : createFileCutter(gear, maker);
  return {
    push(data, isLast, room) {
      hash.update(data);
      sizeBytes += data.byteLength;
      cut(data, isLast, room);
      return maker.take();
    },
    finish: () => ({ sha256: hash.digest('hex'), sizeBytes }),
  };
}
