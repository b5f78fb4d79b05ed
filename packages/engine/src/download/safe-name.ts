const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/iu;
// Control characters and marks that reverse the direction of text would make a name look like another.
// eslint-disable-next-line no-control-regex -- naming them is the point
const UNSAFE = /[\\/:*?"<>|\u0000-\u001F\u007F\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;
const LONGEST = 120;

/** A name from Microsoft 365 as a part of a path that every system takes; never leads out of its folder. */
export function safeName(name: string, otherwise = '_'): string {
  const plain = name
    .normalize('NFC')
    .replaceAll(UNSAFE, '_')
    .trim()
    .replace(/[. ]+$/u, '');
  const short = shorten(plain);
  if (short === '' || short === '.' || short === '..') return otherwise;
  return RESERVED.test(short) ? `_${short}` : short;
}

/** Cut at whole characters, the ending kept. */
function shorten(name: string): string {
  if (name.length <= LONGEST) return name;
  const dot = name.lastIndexOf('.');
  const ending = dot > 0 && name.length - dot <= 12 ? name.slice(dot) : '';
  const kept = name
    .slice(0, LONGEST - ending.length)
    .toWellFormed()
    .replace(/\uFFFD$/u, '');
  return `${kept.trimEnd()}${ending}`;
}

/** Gives each path once: a second `a.txt` in a folder becomes `a (2).txt`. Letter case does not tell names apart. */
export function createUniquePaths(): (folder: string, name: string) => string {
  const counts = new Map<string, number>();
  return (folder, name) => {
    const path = folder === '' ? name : `${folder}/${name}`;
    const key = path.toLowerCase();
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    if (count === 1) return path;
    const dot = name.lastIndexOf('.');
    const numbered = dot > 0 ? `${name.slice(0, dot)} (${count})${name.slice(dot)}` : `${name} (${count})`;
    const other = folder === '' ? numbered : `${folder}/${numbered}`;
    if (!counts.has(other.toLowerCase())) {
      counts.set(other.toLowerCase(), 1);
      return other;
    }
    return `${other} ${counts.size}`;
  };
}
