import { damaged } from '../damaged.ts';

/** The streams of a compound file of [MS-CFB] by their paths, with `/`. */
export interface CompoundFile {
  read(path: string): Buffer | undefined;
  /** The names of what is directly in a folder; the empty path is the root. */
  names(path: string): readonly string[];
}

const MARK = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const HEADER_BYTES = 512;
/** From here on numbers of sectors have a meaning of their own, such as the end of a chain. */
const LAST_SECTOR = 0xff_ff_ff_fa;
const ENTRY_BYTES = 128;
const KIND = { folder: 1, stream: 2, root: 5 } as const;
const DEEPEST = 32;

export function isCompoundFile(head: Buffer): boolean {
  return head.subarray(0, MARK.byteLength).equals(MARK);
}

interface Sectors {
  readonly size: number;
  read(sector: number): Buffer;
  next(sector: number): number;
  /** As many as there can be: a longer chain has no end. */
  readonly most: number;
}

/** The bytes of a chain of sectors. */
function chain(sectors: Sectors, first: number, limit: number): Buffer {
  const parts: Buffer[] = [];
  let size = 0;
  for (let at = first; at < LAST_SECTOR && size < limit; at = sectors.next(at)) {
    if (parts.length > sectors.most) throw damaged('a chain of sectors has no end');
    const part = sectors.read(at);
    parts.push(part);
    size += part.byteLength;
  }
  return Buffer.concat(parts).subarray(0, limit);
}

function allocationTable(bytes: Buffer, size: number, sector: (at: number) => Buffer): Buffer {
  const count = bytes.readUInt32LE(44);
  const most = Math.ceil(bytes.byteLength / size);
  if (count > most) throw damaged('its table of sectors is larger than it is');
  const places: number[] = [];
  for (let at = 76; at < HEADER_BYTES && places.length < count; at += 4) places.push(bytes.readUInt32LE(at));
  let more = bytes.readUInt32LE(68);
  for (let step = 0; more < LAST_SECTOR && places.length < count; step += 1) {
    if (step > most) throw damaged('its table of sectors has no end');
    const list = sector(more);
    for (let at = 0; at < size - 4 && places.length < count; at += 4) places.push(list.readUInt32LE(at));
    more = list.readUInt32LE(size - 4);
  }
  return Buffer.concat(places.filter((at) => at < LAST_SECTOR).map(sector));
}

function largeSectors(bytes: Buffer): Sectors {
  const shift = bytes.readUInt16LE(30);
  if (shift !== 9 && shift !== 12) throw damaged('its sectors have no known size');
  const size = 2 ** shift;
  const read = (at: number): Buffer => {
    const start = (at + 1) * size;
    if (start >= bytes.byteLength) throw damaged('it ends before a sector');
    return bytes.subarray(start, start + size);
  };
  const table = allocationTable(bytes, size, read);
  const next = (at: number): number => (at * 4 + 4 <= table.byteLength ? table.readUInt32LE(at * 4) : LAST_SECTOR);
  return { size, read, next, most: Math.ceil(bytes.byteLength / size) };
}

interface Entry {
  readonly name: string;
  readonly kind: number;
  readonly left: number;
  readonly right: number;
  readonly child: number;
  readonly start: number;
  readonly size: number;
}

function entriesOf(directory: Buffer): readonly Entry[] {
  return Array.from({ length: Math.floor(directory.byteLength / ENTRY_BYTES) }, (_, index) => {
    const entry = directory.subarray(index * ENTRY_BYTES, (index + 1) * ENTRY_BYTES);
    const nameBytes = Math.min(64, Math.max(0, entry.readUInt16LE(64) - 2));
    return {
      name: entry.toString('utf16le', 0, nameBytes),
      kind: entry[66] ?? 0,
      left: entry.readUInt32LE(68),
      right: entry.readUInt32LE(72),
      child: entry.readUInt32LE(76),
      start: entry.readUInt32LE(116),
      size: entry.readUInt32LE(120),
    };
  });
}

/** What is in the folders, by path. A folder is a tree of names, and each entry is in one place. */
function placesOf(entries: readonly Entry[]): ReadonlyMap<string, Entry> {
  const found = new Map<string, Entry>();
  const seen = new Set<number>();
  function visit(first: number, folder: string, depth: number): void {
    const open = [first];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      const entry = entries[at];
      if (!entry || seen.has(at)) continue;
      seen.add(at);
      open.push(entry.left, entry.right);
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      found.set(path, entry);
      if (entry.kind === KIND.folder && depth < DEEPEST) visit(entry.child, path, depth + 1);
    }
  }
  visit(entries[0]?.child ?? LAST_SECTOR, '', 0);
  return found;
}

/** Opens a compound file. `import.damaged` where it is none. */
export function openCompoundFile(bytes: Buffer): CompoundFile {
  if (bytes.byteLength < HEADER_BYTES || !isCompoundFile(bytes)) throw damaged('it is no compound file');
  const large = largeSectors(bytes);
  const entries = entriesOf(chain(large, bytes.readUInt32LE(48), bytes.byteLength));
  const [root] = entries;
  if (root?.kind !== KIND.root) throw damaged('it has no directory');
  const smallBelow = bytes.readUInt32LE(56);
  const smallBytes = chain(large, root.start, bytes.byteLength);
  const smallTable = chain(large, bytes.readUInt32LE(60), bytes.byteLength);
  const small: Sectors = {
    size: 64,
    most: Math.ceil(smallBytes.byteLength / 64),
    read: (at) => smallBytes.subarray(at * 64, at * 64 + 64),
    next: (at) => (at * 4 + 4 <= smallTable.byteLength ? smallTable.readUInt32LE(at * 4) : LAST_SECTOR),
  };
  const places = placesOf(entries);
  return Object.freeze<CompoundFile>({
    read(path) {
      const entry = places.get(path);
      if (entry?.kind !== KIND.stream) return undefined;
      return chain(entry.size < smallBelow ? small : large, entry.start, entry.size);
    },
    names(path) {
      const prefix = path === '' ? '' : `${path}/`;
      const below = [...places.keys()].filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
      return below.filter((name) => !name.includes('/')).sort();
    },
  });
}
