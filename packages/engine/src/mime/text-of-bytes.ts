/** Text of these bytes; a charset that nobody knows is read as Latin. */
export function decodeText(data: Uint8Array, charset: string | undefined): string {
  try {
    return new TextDecoder(charset ?? 'utf-8').decode(data);
  } catch {
    return new TextDecoder('windows-1252').decode(data);
  }
}
