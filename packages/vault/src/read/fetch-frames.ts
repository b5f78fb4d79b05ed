import type { BlobStore } from '../blob/blob-store.ts';
import { packName } from '../pack/pack.ts';
import type { FrameAddress } from './frame-cache.ts';

/** Frames with less between them are read together, up to this much at once. */
const GAP_BYTES = 64 * 1024;
const SPAN_BYTES = 8 * 1024 * 1024;

/** Bytes of a file, for who reads them itself. */
export interface FileSpan {
  readonly file: string;
  readonly start: number;
  readonly length: number;
}

/** Where sealed frames lie: the frame's bytes begin at `offset` of `sources[source]`. */
export interface FetchedFrames<Frame> {
  readonly frames: readonly (Frame & { readonly source: number; readonly offset: number })[];
  readonly sources: readonly (ArrayBuffer | FileSpan)[];
}

interface Span<Frame> {
  readonly packId: string;
  readonly start: number;
  end: number;
  readonly frames: Frame[];
}

function spansOf<Frame extends FrameAddress>(frames: readonly Frame[]): Span<Frame>[] {
  const spans: Span<Frame>[] = [];
  const sorted = frames.toSorted((a, b) => (a.packId === b.packId ? a.frameOffset - b.frameOffset : a.packId < b.packId ? -1 : 1));
  for (const frame of sorted) {
    const span = spans.at(-1);
    const start = frame.frameOffset;
    const end = start + frame.frameLength;
    const isNear = span?.packId === frame.packId && start - span.end <= GAP_BYTES && end - span.start <= SPAN_BYTES;
    if (span && isNear) {
      span.end = end;
      span.frames.push(frame);
    } else spans.push({ packId: frame.packId, start, end, frames: [frame] });
  }
  return spans;
}

/** What a span holds, in memory of its own; nothing when it can't be read. */
async function readSpan(store: BlobStore, { packId, start, end }: Span<unknown>, signal?: AbortSignal): Promise<ArrayBuffer> {
  const data = await store.get(packName(packId), { offset: start, length: end - start }, signal).catch(() => Buffer.alloc(0));
  const isOwn = data.byteLength > 0 && data.byteLength === data.buffer.byteLength && data.buffer instanceof ArrayBuffer;
  return isOwn ? data.buffer : new Uint8Array(data).buffer;
}

/**
 * Sealed frames, neighbours together: read, or where they lie when the store has them in files. A frame
 * that can't be read is left out: who needs it asks again and is told why.
 */
export async function fetchFrames<Frame extends FrameAddress>(
  store: BlobStore,
  wanted: readonly Frame[],
  signal?: AbortSignal,
): Promise<FetchedFrames<Frame>> {
  const { fileOf } = store;
  const spans = spansOf(wanted);
  const sources = fileOf
    ? spans.map(({ packId, start, end }): FileSpan => ({ file: fileOf(packName(packId)), start, length: end - start }))
    : await Promise.all(spans.map((span) => readSpan(store, span, signal)));
  const frames = spans.flatMap((span, source) => {
    const given = sources[source] as ArrayBuffer | FileSpan;
    const length = given instanceof ArrayBuffer ? given.byteLength : given.length;
    return span.frames
      .map((frame) => ({ ...frame, source, offset: frame.frameOffset - span.start }))
      .filter((frame) => frame.offset + frame.frameLength <= length);
  });
  return { frames, sources };
}
