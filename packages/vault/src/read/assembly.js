import { createHash } from 'node:crypto';
import { vaultError } from '../errors.ts';
import { openFrame } from '../pack/frame.ts';
import { createAssembler, openWithItemKey } from './assemble.ts';
import { createPackKeys } from './frame-cache.ts';
/** Puts one content together at `at`; where it ends. */
function assembleInto(out, at, content, blobOf) {
  const assembler = createAssembler();
  let to = at;
  const take = (parts) => {
    for (const part of parts) {
      if (to - at + part.byteLength > content.sizeBytes) throw vaultError('vault.damaged', 'A content is longer than it was.');
      to += part.copy(out, to);
    }
  };
  for (const [number, piece] of content.pieces.entries()) {
    const blob = blobOf(piece[0]);
    take(assembler.add(piece, content.itemKey ? openWithItemKey(content.itemKey, number, piece[1], blob) : blob));
  }
  take(assembler.finish());
  const hash = createHash('sha256').update(out.subarray(at, to)).digest('hex');
  if (to - at !== content.sizeBytes || hash !== content.sha256) {
    throw vaultError('vault.damaged', 'A content put together again is not what was taken in.', { sha256: content.sha256 });
  }
  return to;
}
export function createAssembly(keys) {
  const placeOf = createPackKeys(keys);
  const keptByRun = new Map();
  /** The blobs of the task's frames. The contents that need a frame which does not open fail one by one. */
  function openAll(task) {
    const opened = new Map();
    for (const frame of task.frames) {
      const sealed = Buffer.from(task.buffers[frame.buffer], frame.offset, frame.frameLength);
      try {
        const plain = openFrame(placeOf(frame.packId), frame.frame, sealed);
        for (const { blobId, offset, length } of frame.blobs) opened.set(blobId, plain.subarray(offset, offset + length));
      } catch {
        // Said above.
      }
    }
    return opened;
  }
  /** Keeps what later tasks need, in memory of its own: a slice would hold its whole frame. */
  function keep(task, opened, kept) {
    for (const blobId of task.dropped) kept.delete(blobId);
    for (const { blobs } of task.frames) {
      for (const { blobId, isKept } of blobs) {
        const blob = isKept ? opened.get(blobId) : undefined;
        if (!blob) continue;
        const own = Buffer.allocUnsafeSlow(blob.byteLength);
        own.set(blob);
        kept.set(blobId, own);
      }
    }
  }
  return {
    run(task) {
      const opened = openAll(task);
      const kept = keptByRun.get(task.runId) ?? new Map();
      keptByRun.set(task.runId, kept);
      const blobOf = (blobId) => {
        const blob = opened.get(blobId) ?? kept.get(blobId);
        if (!blob) throw vaultError('vault.damaged', `The frame of blob ${blobId} does not open.`, { blobId });
        return blob;
      };
      const bytes = new ArrayBuffer(task.contents.reduce((sum, content) => sum + content.sizeBytes, 0));
      const out = Buffer.from(bytes);
      let at = 0;
      const contents = task.contents.map((content) => {
        try {
          const end = assembleInto(out, at, content, blobOf);
          const placed = { offset: at, length: end - at };
          at = end;
          return placed;
        } catch (error) {
          return { failed: String(error) };
        }
      });
      keep(task, opened, kept);
      return { bytes, contents };
    },
    endRun: (runId) => void keptByRun.delete(runId),
  };
}
