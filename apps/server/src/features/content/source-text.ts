const SOURCE_BYTES = 256 * 1024;

/** The first bytes of a stream as text; bytes that are none of UTF-8 are shown by the sign for them. */
export async function sourceText(bytes: AsyncIterable<Uint8Array>): Promise<{ readonly text: string; readonly isCut: boolean }> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of bytes) {
    parts.push(part);
    size += part.byteLength;
    if (size > SOURCE_BYTES) break;
  }
  const whole = Buffer.concat(parts);
  return { text: whole.subarray(0, SOURCE_BYTES).toString('utf8').replaceAll('\0', '\uFFFD'), isCut: whole.byteLength > SOURCE_BYTES };
}
