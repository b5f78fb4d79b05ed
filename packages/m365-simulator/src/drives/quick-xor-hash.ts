const WIDTH_BITS = 160;
const SHIFT_BITS = 11;
/** Every byte moves on by 11 of 160 bits, so the pattern begins again after 160 bytes. */
export const ROW_BYTES = 160;
const ROW_WORDS = ROW_BYTES / 4;

/** All bytes of a content folded into one row: byte i is XORed into place i mod 160. Rows of parts add up by XOR. */
export type Row = Int32Array;

export function emptyRow(): Row {
  return new Int32Array(ROW_WORDS);
}

/** XORs `other` into `row`. */
export function addRow(row: Row, other: Row): void {
  for (let index = 0; index < ROW_WORDS; index += 1) row[index] = (row[index] ?? 0) ^ (other[index] ?? 0);
}

function foldWords(row: Row, words: Int32Array): void {
  const whole = words.length - (words.length % ROW_WORDS);
  for (let at = 0; at < whole; at += ROW_WORDS) {
    for (let index = 0; index < ROW_WORDS; index += 1) row[index] = (row[index] as number) ^ (words[at + index] as number);
  }
}

/** Folds `data`, which stands at `offset` of the content, into `row`. */
export function foldInto(row: Row, data: Uint8Array, offset: number): void {
  const cells = new Uint8Array(row.buffer, row.byteOffset, ROW_BYTES);
  let at = 0;
  let place = offset % ROW_BYTES;
  while (place !== 0 && at < data.length) {
    cells[place] = (cells[place] as number) ^ (data[at] as number);
    at += 1;
    place = (place + 1) % ROW_BYTES;
  }
  const aligned = (data.byteOffset + at) % 4 === 0;
  const wholeBytes = data.length - at - ((data.length - at) % ROW_BYTES);
  if (aligned && wholeBytes > 0) {
    foldWords(row, new Int32Array(data.buffer, data.byteOffset + at, wholeBytes / 4));
    at += wholeBytes;
  }
  for (; at < data.length; at += 1) {
    cells[place] = (cells[place] as number) ^ (data[at] as number);
    place = (place + 1) % ROW_BYTES;
  }
}

/** The hash of a content of `sizeBytes` whose row is `row`: base64 of 20 bytes, as drives list it. */
export function finishRow(row: Row, sizeBytes: number): string {
  const cells = new Uint8Array(row.buffer, row.byteOffset, ROW_BYTES);
  const out = Buffer.alloc(WIDTH_BITS / 8);
  for (let index = 0; index < ROW_BYTES; index += 1) {
    const value = cells[index] as number;
    const bit = (index * SHIFT_BITS) % WIDTH_BITS;
    const byte = bit >> 3;
    const shift = bit & 7;
    const next = (byte + 1) % out.length;
    out[byte] = (out[byte] as number) ^ ((value << shift) & 0xff);
    out[next] = (out[next] as number) ^ (value >> (8 - shift));
  }
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(sizeBytes));
  for (let index = 0; index < 8; index += 1) out[12 + index] = (out[12 + index] as number) ^ (length[index] as number);
  return out.toString('base64');
}

/** quickXorHash of `data`. */
export function quickXorHash(data: Uint8Array): string {
  const row = emptyRow();
  foldInto(row, data, 0);
  return finishRow(row, data.length);
}
