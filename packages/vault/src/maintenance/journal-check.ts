import type { BlobStore } from '../blob/blob-store.ts';
import type { ContentRef } from '../chunk/content-ref.ts';
import { openObject } from '../crypto/small-object.ts';
import type { VaultKeys } from '../crypto/vault-keys.ts';
import { unlessLost, type Marker } from '../journal/chain.ts';
import { decodeCopy, openLines } from '../journal/copies.ts';
import { listResourceKeys } from '../journal/resources.ts';
import { copyName, journalFolder, listSequences, markerName, type SequenceEntry } from '../journal/segment-names.ts';
import { decodeSegment, type OpenedSegment } from '../journal/segment.ts';
import type { Damage } from './maintenance.ts';

/** One resource's chain as far as it can be read. */
export interface CheckedChain {
  readonly resourceKey: string;
  readonly resourceId: string;
  /** Segments that count and open, from their own object or their copy, in order. With damage there may be gaps. */
  readonly segments: readonly OpenedSegment[];
  /** Segments that lost, and what belongs to no one. */
  readonly orphans: readonly string[];
  readonly damages: readonly Damage[];
  /** Sequences of which no segment that counts can be read, neither its own object nor its copy. */
  readonly lost: readonly number[];
  /** Of the lost, those that a later segment restates. */
  readonly restated: readonly number[];
  /** Damages that nothing makes up for yet: all but those of restated segments. */
  readonly unsettled: readonly Damage[];
}

interface Opened {
  readonly entry: SequenceEntry;
  readonly segments: readonly OpenedSegment[];
  readonly named: string | undefined;
}

type Found = Omit<Damage, 'blobIds'>;
type Report = (damage: Found) => void;

interface Place {
  readonly store: BlobStore;
  readonly keys: VaultKeys;
}

/** Tries twice: the second look tells the wire's faults from damage. */
async function attempt<Value>(work: () => Promise<Value>): Promise<{ readonly value: Value } | { readonly problem: string }> {
  const first = await unlessLost(work);
  return 'problem' in first ? unlessLost(work) : first;
}

/** A copy must hold its segment as it is, and the changes that the segment names. */
async function openCopy({ store, keys }: Place, name: string, segmentHash: string | undefined): Promise<OpenedSegment> {
  const { segment, sealedLines } = decodeCopy(keys, name, await store.get(copyName(name)));
  const { changes } = segment.body;
  if (!Array.isArray(changes)) openLines(keys, name, sealedLines, changes as ContentRef);
  if (segmentHash !== undefined && segment.hash !== segmentHash) throw new Error(`${copyName(name)} holds another segment.`);
  return segment;
}

/** Opens a segment and its copy, and reports whichever is damaged or missing. */
async function openBoth(place: Place, entry: SequenceEntry, name: string, report: Report): Promise<OpenedSegment | undefined> {
  const own = await attempt(async () => decodeSegment(place.keys, name, await place.store.get(name)));
  const isCopied = entry.copied.has(name);
  const copy = isCopied ? await attempt(() => openCopy(place, name, 'value' in own ? own.value.hash : undefined)) : undefined;
  const segment = 'value' in own ? own.value : copy && 'value' in copy ? copy.value : undefined;
  if ('problem' in own && !entry.copyOnly.has(name)) report({ object: 'segment', name, problem: own.problem });
  if (copy && 'problem' in copy) report({ object: 'segment-copy', name: copyName(name), problem: copy.problem });
  return segment;
}

/** Opens everything under one sequence number. */
async function openEntry(place: Place, entry: SequenceEntry, report: Report): Promise<Opened> {
  const { store, keys } = place;
  const segments: OpenedSegment[] = [];
  for (const name of entry.candidates) {
    const segment = await openBoth(place, entry, name, report);
    if (segment) segments.push(segment);
  }
  const { marker } = entry;
  if (marker === undefined) return { entry, segments, named: undefined };
  const opened = await attempt(async () => openObject<Marker>(keys, marker, await store.get(marker)));
  if ('problem' in opened) {
    report({ object: 'marker', name: marker, problem: opened.problem });
    return { entry, segments, named: undefined };
  }
  const named = opened.value.segment;
  if (!entry.candidates.includes(named)) report({ object: 'segment', name: named, problem: 'It is missing; its marker is there.' });
  return { entry, segments, named };
}

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

/**
 * A commit that says so has a marker, and so has every commit after the first marker: the next one would not have come
 * before it was there. The newest may lack one, as a crash leaves it; the next commit writes it.
 */
function lacksMarker(entries: readonly SequenceEntry[], entry: SequenceEntry, { body }: OpenedSegment): boolean {
  if (entry.marker !== undefined || entry === entries.at(-1)) return false;
  if (body.isMarked) return true;
  const firstMarked = entries.findIndex(({ marker }) => marker !== undefined);
  return firstMarked >= 0 && firstMarked < entries.indexOf(entry);
}

/**
 * The missing half of a segment that counts. At the end of the journal it may not have been written before a crash:
 * there it is missing only once a marker says that the segment counts.
 */
function missingHalf({ entry }: Opened, winner: OpenedSegment, isLast: boolean): Found | undefined {
  if (isLast && entry.marker === undefined) return undefined;
  const { name } = winner;
  if (entry.copyOnly.has(name)) return { object: 'segment', name, problem: 'It is missing; its copy is there.' };
  const isOwed = (winner.body.minor ?? 0) >= 1 && !entry.copied.has(name);
  return isOwed ? { object: 'segment-copy', name: copyName(name), problem: 'It is missing.' } : undefined;
}

function sequencesBetween(expected: number, sequence: number): number[] {
  return Array.from({ length: sequence - expected }, (_, at) => expected + at);
}

/** A marker that is gone. A sequence of which nothing else is left is lost as a whole, and named so. */
function missingMarker(entries: readonly SequenceEntry[], { entry, segments }: Opened): Found | undefined {
  const [segment] = segments;
  if (!segment || !lacksMarker(entries, entry, segment)) return undefined;
  const folder = segment.name.slice(0, segment.name.lastIndexOf('/') + 1);
  return { object: 'marker', name: markerName(folder, entry.sequence), problem: 'It is missing; later commits are there.' };
}

/** What is found under one sequence number. */
interface Judged {
  readonly entry: Pick<SequenceEntry, 'sequence' | 'restated'>;
  readonly winner?: OpenedSegment;
  readonly isLost: boolean;
  readonly damages: readonly Found[];
  readonly orphans: readonly string[];
}

async function judgeSequence(
  place: Place,
  entries: readonly SequenceEntry[],
  { entry, previousHash }: { readonly entry: SequenceEntry; readonly previousHash: string | null | undefined },
): Promise<Judged> {
  const isLast = entry === entries.at(-1);
  const damages: Found[] = [];
  const opened = await openEntry(place, entry, (damage) => damages.push(damage));
  const { winner, damage } = judgeEntry(opened, previousHash, isLast);
  const missing = winner && missingHalf(opened, winner, isLast);
  damages.push(...[damage, missing, missingMarker(entries, opened)].filter((one) => one !== undefined));
  // A leftover that never counted is no loss.
  const isLost = !winner && (opened.named !== undefined || opened.segments.length === 0);
  const orphans = isLost ? [] : entry.candidates.filter((name) => name !== winner?.name);
  return { entry, isLost, damages, orphans, ...(winner ? { winner } : {}) };
}

function gapAt(folder: string, sequence: number): Judged {
  const name = `${folder}${String(sequence).padStart(10, '0')}`;
  return {
    entry: { sequence },
    isLost: true,
    damages: [{ object: 'segment', name, problem: 'It is missing: the sequence has a gap.' }],
    orphans: [],
  };
}

/** Reads and judges the whole journal of one resource. */
export async function checkChain(store: BlobStore, keys: VaultKeys, resourceKey: string): Promise<CheckedChain> {
  const folder = journalFolder(resourceKey);
  const entries = await listSequences(store, folder, 1, 'always');
  const judged: Judged[] = [];
  let expected = 1;
  let previousHash: string | null | undefined = null;
  for (const entry of entries) {
    const gaps = sequencesBetween(expected, entry.sequence);
    judged.push(...gaps.map((sequence) => gapAt(folder, sequence)));
    const one = await judgeSequence({ store, keys }, entries, { entry, previousHash: gaps.length > 0 ? undefined : previousHash });
    judged.push(one);
    previousHash = one.winner?.hash;
    expected = entry.sequence + 1;
  }
  const segments = judged.flatMap(({ winner }) => (winner ? [winner] : []));
  const resourceId = segments[0]?.body.resourceId ?? '';
  const damagesOf = (some: readonly Judged[]): Damage[] =>
    some.flatMap(({ damages }) => damages).map((damage) => ({ ...damage, blobIds: [], ...(resourceId ? { resourceId } : {}) }));
  const lost = judged.filter(({ isLost }) => isLost);
  const restated = lost.filter(({ entry }) => entry.restated !== undefined);
  return {
    resourceKey,
    resourceId,
    segments,
    orphans: judged.flatMap(({ orphans }) => orphans),
    damages: damagesOf(judged),
    lost: lost.map(({ entry }) => entry.sequence),
    restated: restated.map(({ entry }) => entry.sequence),
    unsettled: damagesOf(judged.filter((one) => !restated.includes(one))),
  };
}

/** Every resource's chain, one after the other. */
export async function* checkJournal(store: BlobStore, keys: VaultKeys): AsyncGenerator<CheckedChain, void, undefined> {
  for await (const resourceKey of listResourceKeys({ store })) yield checkChain(store, keys, resourceKey);
}
