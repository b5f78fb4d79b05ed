/** Properties from 0x8000 on have names, which are another number in each file. */
export type PropertyNames = ReadonlyMap<number, string>;

const FIRST = 0x8000;
const KNOWN_GUIDS: Readonly<Record<number, string>> = { 1: 'PS_MAPI', 2: 'PS_PUBLIC_STRINGS' };

function guidOf(guids: Buffer, index: number): string {
  const known = KNOWN_GUIDS[index];
  if (known !== undefined) return known;
  const at = (index - 3) * 16;
  if (index < 3 || at + 16 > guids.byteLength) return '';
  return guids.toString('hex', at, at + 16);
}

/** Reads the three streams of [MS-PST] 2.4.7, which messages in files of their own have too. */
export function readPropertyNames(guids: Buffer, entries: Buffer, strings: Buffer): PropertyNames {
  const names = new Map<number, string>();
  for (let at = 0; at + 8 <= entries.byteLength; at += 8) {
    const value = entries.readUInt32LE(at);
    const kind = entries.readUInt16LE(at + 4);
    const id = FIRST + entries.readUInt16LE(at + 6);
    const guid = guidOf(guids, kind >> 1);
    if (kind % 2 === 0) {
      names.set(id, `${guid}:0x${value.toString(16).padStart(4, '0')}`);
      continue;
    }
    const size = value + 4 <= strings.byteLength ? strings.readUInt32LE(value) : 0;
    if (size > 0 && value + 4 + size <= strings.byteLength)
      names.set(id, `${guid}:${strings.toString('utf16le', value + 4, value + 4 + size)}`);
  }
  return names;
}
