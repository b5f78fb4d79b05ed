import type { Positions } from '../state/feed.ts';
import type { LibraryPlace } from '../places/places.ts';
import type { Tenant } from '../state/tenant.ts';
import { createDriveLayout } from './drive-layout.ts';
import { type ItemRecord, bytesTaken } from './drive-record.ts';
import { type DriveSeed, generatedItem } from './generated-items.ts';
import { createItemIds } from './item-id.ts';
import { specialItems } from './special-items.ts';

/** The part of a drive that the seed alone decides; made once and kept. */
export interface Ground extends DriveSeed {
  readonly specials: readonly ItemRecord[];
  /** Special items by folder. */
  readonly specialsIn: ReadonlyMap<string, readonly string[]>;
  /** Positions below this are seeded: generated ones, then special ones. */
  readonly seededSize: number;
}

const grounds = new WeakMap<LibraryPlace, Ground>();

/** The ground of `library`. */
export function groundOf(tenant: Tenant, library: LibraryPlace): Ground {
  const known = grounds.get(library);
  if (known) return known;
  const layout = createDriveLayout(library.folders, library.files);
  const seed: DriveSeed = { tenant, library, layout, ids: createItemIds(library.driveId) };
  const specials = specialItems(seed);
  const specialsIn = new Map<string, string[]>();
  for (const { id, parentId = '' } of specials) specialsIn.set(parentId, [...(specialsIn.get(parentId) ?? []), id]);
  const ground = { ...seed, specials, specialsIn, seededSize: layout.size + specials.length };
  grounds.set(library, ground);
  return ground;
}

const DRIVES_KEPT = 16;
const ITEMS_KEPT = 512;
/** Records made lately, of the drives in use: an entry of a list asks for its item and for the folders above it. */
const recent = new Map<Ground, Map<number, ItemRecord>>();

function recentOf(ground: Ground): Map<number, ItemRecord> {
  const known = recent.get(ground);
  if (known) return known;
  const [oldest] = recent.keys();
  if (oldest && recent.size >= DRIVES_KEPT) recent.delete(oldest);
  const made = new Map<number, ItemRecord>();
  recent.set(ground, made);
  return made;
}

function generated(ground: Ground, index: number): ItemRecord {
  const kept = recentOf(ground);
  const known = kept.get(index);
  if (known) return known;
  if (kept.size >= ITEMS_KEPT) kept.clear();
  const made = generatedItem(ground, index);
  kept.set(index, made);
  return made;
}

/** The item as the seed made it; undefined for one that somebody created. */
export function seededItem(ground: Ground, id: string): ItemRecord | undefined {
  const number = ground.ids.number(id);
  if (!number || number.origin === 'created') return undefined;
  if (number.origin === 'special') return ground.specials[number.index];
  return number.index < ground.layout.size ? generated(ground, number.index) : undefined;
}

/** The id at a seeded position. */
export function seededIdAt(ground: Ground, position: number): string {
  if (position < ground.layout.size) return ground.ids.id({ origin: 'generated', index: position });
  return ground.specials[position - ground.layout.size]?.id ?? '';
}

/** Ids of what the seed put into a folder, by position. */
export function seededChildren(ground: Ground, folderId: string): Positions<string> {
  const number = ground.ids.number(folderId);
  const isGenerated = number?.origin === 'generated' && ground.layout.isFolder(number.index);
  const runs = isGenerated ? ground.layout.childrenOf(number.index) : { size: 0, at: () => 0 };
  const specials = ground.specialsIn.get(folderId) ?? [];
  return {
    size: runs.size + specials.length,
    at: (position) =>
      position < runs.size ? ground.ids.id({ origin: 'generated', index: runs.at(position) }) : specials[position - runs.size],
  };
}

const seededBytes = new WeakMap<LibraryPlace, number>();

/** So many files are counted one by one; of more than that, one in each run stands for its neighbours. */
const COUNTED_FILES = 4000;

/**
 * Bytes of all versions of all seeded items; counted once. In very large drives an estimate, the same every time: the
 * quota of a drive of a million files is not worth making them all.
 */
export function usedBySeed(ground: Ground): number {
  const known = seededBytes.get(ground.library);
  if (known !== undefined) return known;
  let sum = ground.specials.reduce((total, item) => total + bytesTaken(item), 0);
  const { folders, files, size } = ground.layout;
  const step = Math.max(1, Math.ceil(files / COUNTED_FILES));
  for (let index = folders + 1; index < size; index += step) {
    sum += bytesTaken(generatedItem(ground, index)) * Math.min(step, size - index);
  }
  seededBytes.set(ground.library, sum);
  return sum;
}
