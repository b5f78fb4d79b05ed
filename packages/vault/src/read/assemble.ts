import { createDecipheriv, type KeyObject } from 'node:crypto';
import { encodeLines, parseLayout, type Base64Layout } from '../chunk/base64-lines.ts';
import type { Piece } from '../chunk/content-ref.ts';
import { vaultError } from '../shared/errors.ts';
import { inflated, nonceOf, TAG_BYTES } from '../pack/frame.ts';

/** The plaintext of a blob that was sealed with its content's own key (FORMAT.md section 7). */
export function openWithItemKey(key: KeyObject, pieceNumber: number, sizeBytes: number, sealed: Buffer): Buffer {
  const codec = sealed[0] ?? 0;
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(pieceNumber));
    decipher.setAAD(Buffer.from(`holdfast/1/item/${pieceNumber}/${sizeBytes}/${codec}`));
    decipher.setAuthTag(sealed.subarray(sealed.byteLength - TAG_BYTES));
    const body = Buffer.concat([decipher.update(sealed.subarray(1, sealed.byteLength - TAG_BYTES)), decipher.final()]);
    return codec === 1 ? inflated(body, sizeBytes) : body;
  } catch (cause) {
    throw vaultError('vault.damaged', 'A piece does not open with the key of its content.', {}, cause);
  }
}

/** Puts the plaintexts of pieces together again, in order. */
export interface Assembler {
  add(piece: Piece, plain: Buffer): void;
  finish(): void;
}

/** What is encoded at once: its text passes through several pieces of memory, which all are in the cache of the processor then. */
const ENCODED_AT_ONCE_BYTES = 32 * 1024;
const CRLF = Buffer.from('\r\n');
const LF = Buffer.from('\n');

/** Gives the content to `give`, part by part. With `isPassing` a part is good until `give` returns. */
export function createAssembler(give: (part: Buffer) => void, { isPassing = false } = {}): Assembler {
  let layout: Base64Layout | undefined;
  let held: Buffer[] = [];
  let heldBytes = 0;
  let hasWritten = false;

  /** Writes whole lines of the text that is open; with `isLast` all of it. */
  function write(isLast: boolean): void {
    if (!layout || heldBytes === 0) return;
    const lineBytes = layout.width === 0 ? 3 : (layout.width / 4) * 3;
    const take = isLast ? heldBytes : heldBytes - (heldBytes % lineBytes);
    if (take === 0) return;
    const text = held.length === 1 ? (held[0] as Buffer) : Buffer.concat(held);
    const partBytes = lineBytes * Math.ceil(ENCODED_AT_ONCE_BYTES / lineBytes);
    for (let at = 0; at < take; at += partBytes) {
      if (hasWritten && layout.width > 0) give(layout.crlf ? CRLF : LF);
      give(encodeLines(text.subarray(at, Math.min(at + partBytes, take)), layout, isPassing));
      hasWritten = true;
    }
    held = take < heldBytes ? [text.subarray(take)] : [];
    heldBytes -= take;
  }

  function end(): void {
    write(true);
    layout = undefined;
    hasWritten = false;
  }

  return {
    add(piece, plain) {
      const encoding = piece[2];
      if (encoding !== '+') end();
      if (encoding === undefined) {
        give(plain);
        return;
      }
      if (encoding !== '+') layout = parseLayout(encoding);
      if (!layout) throw vaultError('vault.damaged', `A piece has an encoding that is not known: "${encoding}".`);
      held.push(plain);
      heldBytes += plain.byteLength;
      write(false);
    },
    finish: end,
  };
}

/** Whether every piece stands as it is, so that a range can be read without what is before it. */
export function isPlain(pieces: readonly Piece[]): boolean {
  return pieces.every((piece) => piece[2] === undefined);
}
