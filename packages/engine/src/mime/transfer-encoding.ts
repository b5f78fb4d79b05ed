const EQUALS = 0x3d;

/** The byte that `=3D` names; -1 where the signs are no escape. */
function escapedByte(source: Buffer, at: number): number {
  const digits = source.toString('latin1', at + 1, at + 3);
  return /^[0-9a-f]{2}$/iu.test(digits) ? Number.parseInt(digits, 16) : -1;
}

/** Undoes quoted-printable; what is no escape is kept as it is. */
function decodeQuotedPrintable(packed: Buffer): Buffer {
  const text = packed
    .toString('latin1')
    .replaceAll(/[ \t]+(?=\r?\n|$)/gu, '')
    .replaceAll(/=\r?\n/gu, '');
  const source = Buffer.from(text, 'latin1');
  const out = Buffer.alloc(source.byteLength);
  let length = 0;
  for (let at = 0; at < source.byteLength; at += 1) {
    const escaped = source[at] === EQUALS ? escapedByte(source, at) : -1;
    out[length] = escaped < 0 ? (source[at] ?? 0) : escaped;
    length += 1;
    if (escaped >= 0) at += 2;
  }
  return out.subarray(0, length);
}

/** The bytes behind a `Content-Transfer-Encoding`; an encoding that nobody knows is left as it is. */
export function decodeTransfer(packed: Buffer, encoding: string): Buffer {
  const name = encoding.trim().toLowerCase();
  if (name === 'base64') return Buffer.from(packed.toString('latin1'), 'base64');
  return name === 'quoted-printable' ? decodeQuotedPrintable(packed) : packed;
}
