import { createHash, type KeyObject } from 'node:crypto';
import type { Piece } from '../chunk/content-ref.ts';
import type { VaultKeys } from '../crypto/vault-keys.ts';
import { vaultError } from '../errors.ts';
import type { BlobPlace } from '../index/blob-index.ts';
import { openFrame } from '../pack/frame.ts';
import { createAssembler, openWithItemKey } from './assemble.ts';
import { createByteCache, createPackKeys, frameKey, type FrameAddress } from './frame-cache.ts';

/** One whole content to be put together. */
export interface AssemblyContent {
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly pieces: readonly Piece[];
  readonly places: readonly BlobPlace[];
  readonly itemKey?: KeyObject;
}

/** A sealed frame: bytes `offset`…`+length` of `buffers[buffer]`. */
export interface GivenFrame extends FrameAddress {
  readonly buffer: number;
  readonly offset: number;
}

/** Where each content lies in the result, or that it could not be put together. */
export interface Assembled {
  readonly bytes: ArrayBuffer;
  readonly contents: readonly ({ readonly offset: number; readonly length: number } | { readonly failed: string })[];
}

/** The work of one core when many contents are read. Synchronous; keeps frames open that are used again. */
export interface Assembly {
  /** The frames it lacks for these contents. */
  missing(contents: readonly AssemblyContent[]): FrameAddress[];
  run(contents: readonly AssemblyContent[], frames: readonly GivenFrame[], buffers: readonly ArrayBuffer[]): Assembled;
}

export function createAssembly(keys: VaultKeys, cacheBytes: number): Assembly {
  const cache = createByteCache(cacheBytes);
  const placeOf = createPackKeys(keys);

  function assembleInto(out: Buffer, at: number, content: AssemblyContent, frames: ReadonlyMap<string, Buffer>): number {
    const assembler = createAssembler();
    let to = at;
    const take = (parts: readonly Buffer[]): void => {
      for (const part of parts) {
        if (to - at + part.byteLength > content.sizeBytes) throw vaultError('vault.damaged', 'A content is longer than it was.');
        to += part.copy(out, to);
      }
    };
    content.pieces.forEach((piece, number) => {
      const place = content.places[number] as BlobPlace;
      const frame = frames.get(frameKey(place));
      if (!frame)
        throw vaultError('vault.damaged', `Frame ${place.frame} of pack ${place.packId} does not open.`, { packId: place.packId });
      const blob = frame.subarray(place.blobOffset, place.blobOffset + place.blobLength);
      take(assembler.add(piece, content.itemKey ? openWithItemKey(content.itemKey, number, piece[1], blob) : blob));
    });
    take(assembler.finish());
    const hash = createHash('sha256').update(out.subarray(at, to)).digest('hex');
    if (to - at !== content.sizeBytes || hash !== content.sha256) {
      throw vaultError('vault.damaged', 'A content put together again is not what was taken in.', { sha256: content.sha256 });
    }
    return to;
  }

  return {
    missing(contents) {
      const wanted = new Map<string, FrameAddress>();
      for (const content of contents) {
        for (const { packId, frame, frameOffset, frameLength } of content.places) {
          const key = `${packId}:${frame}`;
          if (!cache.has(key)) wanted.set(key, { packId, frame, frameOffset, frameLength });
        }
      }
      return [...wanted.values()];
    },
    run(contents, given, buffers) {
      const frames = new Map<string, Buffer>();
      for (const frame of given) {
        const key = frameKey(frame);
        const sealed = Buffer.from(buffers[frame.buffer] as ArrayBuffer, frame.offset, frame.frameLength);
        try {
          frames.set(key, openFrame(placeOf(frame.packId), frame.frame, sealed));
        } catch {
          // The contents that need it fail one by one, below.
        }
      }
      for (const place of contents.flatMap((content) => content.places)) {
        const held = cache.get(frameKey(place));
        if (held) frames.set(frameKey(place), held);
      }
      for (const [key, plain] of frames) cache.set(key, plain);
      const bytes = new ArrayBuffer(contents.reduce((sum, content) => sum + content.sizeBytes, 0));
      const out = Buffer.from(bytes);
      let at = 0;
      const done = contents.map((content) => {
        try {
          const end = assembleInto(out, at, content, frames);
          const placed = { offset: at, length: end - at };
          at = end;
          return placed;
        } catch (error) {
          return { failed: String(error) };
        }
      });
      return { bytes, contents: done };
    },
  };
}
