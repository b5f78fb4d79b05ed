import { createHash } from 'node:crypto';
import type { Received, ReceivedBytes } from '../state/received.ts';
import { officeFile } from './office-file.ts';
import { addRow, emptyRow, finishRow, foldInto, quickXorHash, type Row } from './quick-xor-hash.ts';
import { contentKey, randomBytesOf, randomRowOf } from './random-bytes.ts';
import { textFile } from './text-file.ts';

/** The bytes of a file, as plain data: what somebody uploaded, or a name from which they are made again. */
export type FileContent = UploadedContent | MadeContent;

export interface UploadedContent {
  readonly kind: 'bytes';
  readonly bytes: ReceivedBytes;
  readonly sizeBytes: number;
  /** Of the whole, base64: reckoned once, while the bytes came in. */
  readonly quickXorHash: string;
}

export interface MadeContent {
  readonly kind: 'media' | 'office' | 'text';
  readonly name: string;
  readonly extension: string;
  readonly sizeBytes: number;
}

const MAGIC: Readonly<Record<string, string>> = {
  pdf: '%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n',
  png: '\u0089PNG\r\n\u001a\n',
  jpg: '\u00ff\u00d8\u00ff\u00e0\u0000\u0010JFIF\u0000',
  mp4: '\u0000\u0000\u0000\u0020ftypisom',
  zip: 'PK\u0003\u0004',
  one: '\u00e4\u0052\u005c\u007b\u008c\u00d8\u00a7\u004d',
};

/** Bytes that are at hand, put where received bytes are. */
export function receivedContent(received: Received, data: Uint8Array): FileContent {
  return { kind: 'bytes', bytes: received.add(data), sizeBytes: data.byteLength, quickXorHash: quickXorHash(data) };
}

/** Bytes that have come in already, with the row that they fold into. */
export function uploadedContent(bytes: ReceivedBytes, row: Row): FileContent {
  return { kind: 'bytes', bytes, sizeBytes: bytes.sizeBytes, quickXorHash: finishRow(row, bytes.sizeBytes) };
}

/** What stands at the beginning of a media file: so that the kind of a file can be told from its bytes. */
function headOf(extension: string, sizeBytes: number): Buffer {
  return Buffer.from(MAGIC[extension] ?? '', 'latin1').subarray(0, sizeBytes);
}

function* mediaOf(content: MadeContent, from: number, to: number): Generator<Uint8Array, void, undefined> {
  const head = headOf(content.extension, content.sizeBytes);
  if (from < head.byteLength) yield head.subarray(from, Math.min(to, head.byteLength));
  yield* randomBytesOf(contentKey(content.name), Math.max(from, head.byteLength), to);
}

function whole(content: MadeContent): Buffer {
  return content.kind === 'office'
    ? officeFile(content.name, content.extension, content.sizeBytes)
    : textFile(content.name, content.sizeBytes);
}

/** The bytes from `from` up to `to`, piece by piece. Only made Office and text files are held as a whole: they are small. */
export function* contentPieces(
  received: Received,
  content: FileContent,
  from = 0,
  to: number = content.sizeBytes,
): Generator<Uint8Array, void, undefined> {
  if (from >= to) return;
  if (content.kind === 'bytes') yield* received.pieces(content.bytes, from, to);
  else if (content.kind === 'media') yield* mediaOf(content, from, to);
  else yield whole(content).subarray(from, to);
}

/** The same as a stream for the server. */
export async function* contentStream(
  received: Received,
  content: FileContent,
  from?: number,
  to?: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield* contentPieces(received, content, from, to);
}

const HASHES_KEPT = 20_000;
const hashes = new Map<string, string>();

function remembered(key: string, make: () => string): string {
  const known = hashes.get(key);
  if (known !== undefined) return known;
  if (hashes.size >= HASHES_KEPT) hashes.clear();
  const made = make();
  hashes.set(key, made);
  return made;
}

function mediaHash(content: MadeContent): string {
  const key = contentKey(content.name);
  const row = randomRowOf(key, content.sizeBytes);
  const head = headOf(content.extension, content.sizeBytes);
  // The head stands in the place of as many made bytes: those are taken out again, XOR undoes itself.
  for (const covered of randomBytesOf(key, 0, head.byteLength)) foldInto(row, covered, 0);
  const top = emptyRow();
  foldInto(top, head, 0);
  addRow(row, top);
  return finishRow(row, content.sizeBytes);
}

/** quickXorHash of the bytes, base64. */
export function contentHash(content: FileContent): string {
  if (content.kind === 'bytes') return content.quickXorHash;
  const key = `${content.kind}/${content.name}/${content.extension}/${content.sizeBytes}`;
  if (content.kind === 'media') return remembered(key, () => mediaHash(content));
  return remembered(key, () => quickXorHash(whole(content)));
}

/** SHA-256 of the exact bytes in hex: for the ground truth. */
export function contentSha256(received: Received, content: FileContent): string {
  const hash = createHash('sha256');
  for (const piece of contentPieces(received, content)) hash.update(piece);
  return hash.digest('hex');
}
