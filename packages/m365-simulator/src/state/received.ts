import { closeSync, mkdtempSync, openSync, readSync, rmSync, fstatSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A stretch of the file of a tenant. */
interface Stretch {
  readonly start: number;
  readonly sizeBytes: number;
}

/** Bytes that a client sent, as plain data: where they are in the file of the tenant. */
export interface ReceivedBytes {
  readonly stretches: readonly Stretch[];
  readonly sizeBytes: number;
}

/**
 * The bytes that a tenant has received: files, messages, attachments. They go to the end of one file and are never
 * changed, so that memory holds no more than their places, and an older state of the store still finds what it names.
 */
export interface Received {
  add(data: Uint8Array): ReceivedBytes;
  /** All of them at once: for what is small, or goes out as one body. */
  read(bytes: ReceivedBytes): Buffer;
  /** From `from` up to `to`, at most a mebibyte at a time. */
  pieces(bytes: ReceivedBytes, from: number, to: number): Generator<Buffer, void, undefined>;
  close(): void;
}

/** Nothing, as it would have been received. */
export const NO_BYTES: ReceivedBytes = Object.freeze({ stretches: [], sizeBytes: 0 });
/** So much of a stream is held before it is written. */
export const PIECE_BYTES = 1024 * 1024;

/** One after the other. */
export function joined(all: readonly ReceivedBytes[]): ReceivedBytes {
  const stretches: Stretch[] = [];
  for (const stretch of all.flatMap((bytes) => bytes.stretches)) {
    const last = stretches.at(-1);
    if (last && last.start + last.sizeBytes === stretch.start)
      stretches[stretches.length - 1] = { start: last.start, sizeBytes: last.sizeBytes + stretch.sizeBytes };
    else stretches.push(stretch);
  }
  return { stretches, sizeBytes: all.reduce((sum, bytes) => sum + bytes.sizeBytes, 0) };
}

/** A file that is gone when the process is. */
function openNameless(): number {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-received-'));
  try {
    return openSync(join(folder, 'bytes'), 'w+', 0o600);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function writeAll(file: number, data: Uint8Array, position: number): void {
  for (let done = 0; done < data.byteLength;) done += writeSync(file, data, done, data.byteLength - done, position + done);
}

function readAll(file: number, into: Buffer, position: number): void {
  for (let done = 0; done < into.byteLength;) {
    const read = readSync(file, into, done, into.byteLength - done, position + done);
    if (read === 0) throw new Error('The file of received bytes is shorter than the state says.');
    done += read;
  }
}

/** In the file at `path`, which is continued when it is there; in one without a name unless given. Opened with the first byte. */
export function createReceived(path?: string): Received {
  let opened: { readonly file: number; end: number } | undefined;

  function open(): { readonly file: number; end: number } {
    if (!opened) {
      const file = path === undefined ? openNameless() : openSync(path, 'a+', 0o600);
      opened = { file, end: fstatSync(file).size };
    }
    return opened;
  }

  function* pieces(bytes: ReceivedBytes, from: number, to: number): Generator<Buffer, void, undefined> {
    let offset = 0;
    for (const { start, sizeBytes } of bytes.stretches) {
      const end = Math.min(sizeBytes, to - offset);
      for (let at = Math.max(0, from - offset); at < end; at += PIECE_BYTES) {
        const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, end - at));
        readAll(open().file, piece, start + at);
        yield piece;
      }
      offset += sizeBytes;
    }
  }

  return Object.freeze({
    add(data: Uint8Array): ReceivedBytes {
      if (data.byteLength === 0) return NO_BYTES;
      const place = open();
      const start = place.end;
      writeAll(place.file, data, start);
      place.end += data.byteLength;
      return { stretches: [{ start, sizeBytes: data.byteLength }], sizeBytes: data.byteLength };
    },
    read(bytes: ReceivedBytes): Buffer {
      const whole = Buffer.allocUnsafe(bytes.sizeBytes);
      let offset = 0;
      for (const { start, sizeBytes } of bytes.stretches) {
        readAll(open().file, whole.subarray(offset, offset + sizeBytes), start);
        offset += sizeBytes;
      }
      return whole;
    },
    pieces,
    close() {
      if (opened) closeSync(opened.file);
      opened = undefined;
    },
  });
}
