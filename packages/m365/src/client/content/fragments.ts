import { collect, type Bytes } from '@holdfast/foundation/streams';
import { graphError } from '../../errors/errors.ts';
import type { UploadSource } from '../calls.ts';

/** Reads a source in order, fragment by fragment, and goes back when it must. Holds one fragment at a time. */
export interface FragmentReader {
  /** Bytes from `offset`, `sizeBytes` of them or what is left. `graph.bad-request` when the source ends early. */
  read(offset: number, sizeBytes: number): Promise<Buffer>;
  close(): Promise<void>;
}

export function createFragmentReader(source: UploadSource): FragmentReader {
  let iterator: AsyncIterator<Uint8Array> | undefined;
  let position = 0;
  let rest: Uint8Array = new Uint8Array(0);

  async function close(): Promise<void> {
    await iterator?.return?.();
    iterator = undefined;
    rest = new Uint8Array(0);
  }

  async function* take(wanted: number): Bytes {
    let left = wanted;
    while (left > 0) {
      if (rest.byteLength === 0) {
        const next = await iterator?.next();
        if (!next || next.done) throw graphError('graph.bad-request', { reason: 'the source is shorter than stated', missing: left });
        rest = next.value;
      }
      const piece = rest.subarray(0, left);
      rest = rest.subarray(piece.byteLength);
      left -= piece.byteLength;
      yield piece;
    }
  }

  return {
    async read(offset, sizeBytes) {
      if (!iterator || position !== offset) {
        await close();
        iterator = source.open(offset)[Symbol.asyncIterator]();
        position = offset;
      }
      const wanted = Math.min(sizeBytes, source.sizeBytes - offset);
      const fragment = await collect(take(wanted), wanted);
      position += wanted;
      return fragment;
    },
    close,
  };
}
