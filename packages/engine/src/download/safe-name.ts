const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/iu;
// Control characters and marks that reverse the direction of text would make a name look like another.
// eslint-disable-next-line no-control-regex -- naming them is the point
const UNSAFE = /[\\/:*?"<>|\u0000-\u001F\u007F\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;
const LONGEST = 120;
/** What file systems take of one name is counted in bytes; a number may be added to a name that there is twice. */
const LONGEST_BYTES = 240;

/** Without the dots and spaces at its end, which Windows drops. */
function withoutEnd(name: string): string {
  let end = name.length;
  while (end > 0 && '. '.includes(name[end - 1] ?? '-')) end -= 1;
  return name.slice(0, end);
}

/** A name from Microsoft 365 as a part of a path that every system takes; never leads out of its folder. */
export function safeName(name: string, otherwise = '_'): string {
  const plain = withoutEnd(name.toWellFormed().normalize('NFC').replaceAll(UNSAFE, '_').trim());
  const short = shorten(plain);
  if (short === '' || short === '.' || short === '..') return otherwise;
  return RESERVED.test(short) ? `_${short}` : short;
}

/** Cut at whole characters, the ending kept. */
function shorten(name: string): string {
  if (name.length <= LONGEST && Buffer.byteLength(name) <= LONGEST_BYTES) return name;
  const dot = name.lastIndexOf('.');
  const ending = dot > 0 && name.length - dot <= 12 ? name.slice(dot) : '';
  const room = { signs: LONGEST - ending.length, bytes: LONGEST_BYTES - Buffer.byteLength(ending) };
  let kept = '';
  for (const sign of name.slice(0, name.length - ending.length)) {
    room.signs -= sign.length;
    room.bytes -= Buffer.byteLength(sign);
    if (room.signs < 0 || room.bytes < 0) break;
    kept += sign;
  }
  return `${withoutEnd(kept)}${ending}`;
}

/** `a.txt` becomes `a (2).txt`. */
function numbered(name: string, count: number): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? `${name.slice(0, dot)} (${count})${name.slice(dot)}` : `${name} (${count})`;
}

/** Gives each path once: a second `a.txt` in a folder becomes `a (2).txt`. Letter case does not tell names apart. */
export function createUniquePaths(): (folder: string, name: string) => string {
  const given = new Set<string>();
  const counts = new Map<string, number>();
  return (folder, name) => {
    const pathOf = (one: string): string => (folder === '' ? one : `${folder}/${one}`);
    const first = pathOf(name);
    let count = counts.get(first.toLowerCase()) ?? 1;
    let path = count === 1 ? first : pathOf(numbered(name, count));
    while (given.has(path.toLowerCase())) path = pathOf(numbered(name, (count += 1)));
    counts.set(first.toLowerCase(), count);
    given.add(path.toLowerCase());
    return path;
  };
}
