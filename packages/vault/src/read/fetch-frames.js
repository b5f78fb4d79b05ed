import { packName } from '../pack/pack.ts';
/** Frames with less between them are read together, up to this much at once. */
const GAP_BYTES = 64 * 1024;
const SPAN_BYTES = 8 * 1024 * 1024;
function spansOf(frames) {
  const spans = [];
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
/** Reads sealed frames, neighbours together. A frame that can't be read is left out: who needs it asks again and is told why. */
export async function fetchFrames(store, wanted, signal) {
  const read = await Promise.all(
    spansOf(wanted).map(async (span) => {
      const range = { offset: span.start, length: span.end - span.start };
      const data = await store.get(packName(span.packId), range, signal).catch(() => Buffer.alloc(0));
      const isOwn = data.byteLength > 0 && data.byteLength === data.buffer.byteLength && data.buffer instanceof ArrayBuffer;
      return { span, buffer: isOwn ? data.buffer : new Uint8Array(data).buffer };
    }),
  );
  const frames = read.flatMap(({ span, buffer }, at) =>
    span.frames
      .map((frame) => ({ ...frame, buffer: at, offset: frame.frameOffset - span.start }))
      .filter((frame) => frame.offset + frame.frameLength <= buffer.byteLength),
  );
  return { frames, buffers: read.map(({ buffer }) => buffer) };
}
