import { isAppError } from '@holdfast/foundation/errors';
import { openObject } from '../crypto/small-object.ts';
import type { VaultKeys } from '../crypto/vault-keys.ts';
import type { BlobStore } from '../blob/blob-store.ts';
import type { Marker } from '../journal/chain.ts';
import { listResourceKeys } from '../journal/resources.ts';
import { journalFolder, listSequences, markerName, type SequenceEntry } from '../journal/segment-names.ts';
import { decodeSegment, type OpenedSegment } from '../journal/segment.ts';
import type { Damage } from './maintenance.ts';

/** One resource's chain as far as it can be read. */
export interface CheckedChain {
  readonly resourceKey: string;
  readonly resourceId: string;
  /** Segments that count and open, in order. With damage there may be gaps. */
  readonly segments: readonly OpenedSegment[];
  /** Segments that lost, and what belongs to no one. */
  readonly orphans: readonly string[];
  readonly damages: readonly Damage[];
}

interface Opened {
  readonly entry: SequenceEntry;
  readonly segments: readonly OpenedSegment[];
  readonly named: string | undefined;
}

async function attempt<Value>(work: () => Promise<Value>): Promise<{ value: Value } | { problem: string }> {
  try {
    return { value: await work() };
  } catch (error) {
    if (!isAppError(error, 'vault.damaged', 'vault.object-missing')) throw error;
    return { problem: error.message };
  }
}

/** Opens everything under one sequence number; the second look tells the wire's faults from damage. */
async function openEntry(
  store: BlobStore,
  keys: VaultKeys,
  entry: SequenceEntry,
  report: (damage: Omit<Damage, 'blobIds'>) => void,
): Promise<Opened> {
  const segments: OpenedSegment[] = [];
  for (const name of entry.candidates) {
    const read = async (): Promise<OpenedSegment> => decodeSegment(keys, name, await store.get(name));
    let opened = await attempt(read);
    if ('problem' in opened) opened = await attempt(read);
    if ('value' in opened) segments.push(opened.value);
    else report({ object: 'segment', name, problem: opened.problem });
  }
  const { marker } = entry;
  if (marker === undefined) return { entry, segments, named: undefined };
  const read = async (): Promise<Marker> => openObject<Marker>(keys, marker, await store.get(marker));
  let opened = await attempt(read);
  if ('problem' in opened) opened = await attempt(read);
  if ('problem' in opened) {
    report({ object: 'marker', name: marker, problem: opened.problem });
    return { entry, segments, named: undefined };
  }
  const named = opened.value.segment;
  if (!entry.candidates.includes(named)) report({ object: 'segment', name: named, problem: 'It is missing; its marker is there.' });
  return { entry, segments, named };
}

type Found = Omit<Damage, 'blobIds'>;

/** The segment of an entry that counts, and what is wrong with it. `previousHash` is undefined where it is not known. */
function judgeEntry(opened: Opened, previousHash: string | null | undefined, isLast: boolean): { winner?: OpenedSegment; damage?: Found } {
  const fits = (segment: OpenedSegment): boolean => previousHash === undefined || segment.body.previousHash === previousHash;
  const { named, segments } = opened;
  const winner = named === undefined ? segments.find(fits) : segments.find((segment) => segment.name === named);
  const problem = 'It does not continue the chain.';
  if (winner) return fits(winner) ? { winner } : { winner, damage: { object: 'segment', name: winner.name, problem } };
  const [first] = segments;
  return first && !isLast ? { damage: { object: 'segment', name: first.name, problem } } : {};
}

/** From the first marker on every commit but the newest has one: the next commit would not have come before it was there. */
function lacksMarker(entries: readonly SequenceEntry[], entry: SequenceEntry): boolean {
  if (entry.marker !== undefined || entry === entries.at(-1)) return false;
  const firstMarked = entries.findIndex(({ marker }) => marker !== undefined);
  return firstMarked >= 0 && firstMarked < entries.indexOf(entry);
}

function gapsBefore(folder: string, expected: number, sequence: number): Found[] {
  return Array.from({ length: sequence - expected }, (_, at) => ({
    object: 'segment',
    name: `${folder}${String(expected + at).padStart(10, '0')}`,
    problem: 'It is missing: the sequence has a gap.',
  }));
}

/** Reads and judges the whole journal of one resource. */
export async function checkChain(store: BlobStore, keys: VaultKeys, resourceKey: string): Promise<CheckedChain> {
  const folder = journalFolder(resourceKey);
  const entries = await listSequences(store, folder);
  const found: Found[] = [];
  const chain: OpenedSegment[] = [];
  const orphans: string[] = [];
  let expected = 1;
  let previousHash: string | null | undefined = null;
  for (const entry of entries) {
    const gaps = gapsBefore(folder, expected, entry.sequence);
    found.push(...gaps);
    const opened = await openEntry(store, keys, entry, (damage) => found.push(damage));
    const { winner, damage } = judgeEntry(opened, gaps.length > 0 ? undefined : previousHash, entry === entries.at(-1));
    if (damage) found.push(damage);
    if (lacksMarker(entries, entry)) {
      found.push({ object: 'marker', name: markerName(folder, entry.sequence), problem: 'It is missing; later commits are there.' });
    }
    if (winner) chain.push(winner);
    orphans.push(...entry.candidates.filter((name) => name !== winner?.name));
    previousHash = winner?.hash;
    expected = entry.sequence + 1;
  }
  const resourceId = chain[0]?.body.resourceId ?? '';
  const damages = found.map((damage) => ({ ...damage, blobIds: [], ...(resourceId ? { resourceId } : {}) }));
  return { resourceKey, resourceId, segments: chain, orphans, damages };
}

/** Every resource's chain, one after the other. */
export async function* checkJournal(store: BlobStore, keys: VaultKeys): AsyncGenerator<CheckedChain, void, undefined> {
  for await (const resourceKey of listResourceKeys({ store })) yield checkChain(store, keys, resourceKey);
}
