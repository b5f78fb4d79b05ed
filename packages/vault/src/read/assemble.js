import { createDecipheriv } from 'node:crypto';
import { encodeLines, parseLayout } from '../chunk/base64-lines.ts';
import { vaultError } from '../errors.ts';
import { inflated, nonceOf, TAG_BYTES } from '../pack/frame.ts';
/** The plaintext of a blob that was sealed with its content's own key (FORMAT.md section 7). */
export function openWithItemKey(key, pieceNumber, sizeBytes, sealed) {
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
export function createAssembler() {
  let layout;
  let held = [];
  let heldBytes = 0;
  let hasWritten = false;
  /** Writes whole lines of the text that is open; with `isLast` all of it. */
  function write(isLast) {
    if (!layout || heldBytes === 0) return [];
    const lineBytes = layout.width === 0 ? 3 : (layout.width / 4) * 3;
    const take = isLast ? heldBytes : heldBytes - (heldBytes % lineBytes);
    if (take === 0) return [];
    const text = held.length === 1 ? held[0] : Buffer.concat(held);
    const lines = encodeLines(text.subarray(0, take), layout);
    const parts = hasWritten && layout.width > 0 ? [Buffer.from(layout.crlf ? '\r\n' : '\n'), lines] : [lines];
    held = take < heldBytes ? [text.subarray(take)] : [];
    heldBytes -= take;
    hasWritten = true;
    return parts;
  }
  function end() {
    const parts = write(true);
    layout = undefined;
    hasWritten = false;
    return parts;
  }
  return {
    add(piece, plain) {
      const encoding = piece[2];
      if (encoding === undefined) return [...end(), plain];
      const before = encoding === '+' ? [] : end();
      if (encoding !== '+') layout = parseLayout(encoding);
      if (!layout) throw vaultError('vault.damaged', `A piece has an encoding that is not known: "${encoding}".`);
      held.push(plain);
      heldBytes += plain.byteLength;
      return [...before, ...write(false)];
    },
    finish: end,
  };
}
/** Whether every piece stands as it is, so that a range can be read without what is before it. */
export function isPlain(pieces) {
  return pieces.every((piece) => piece[2] === undefined);
}
