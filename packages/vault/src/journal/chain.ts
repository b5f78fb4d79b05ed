import type { BlobStore } from '../blob/blob-store.ts';
import { openObject, sealObject } from '../crypto/small-object.ts';
import type { VaultKeys } from '../crypto/vault-keys.ts';
import { isLoss, openSegment } from './copies.ts';
import { listSequences, type SequenceEntry } from './segment-names.ts';
import type { OpenedSegment } from './segment.ts';

/** What a marker says: which segment of its sequence counts. */
export interface Marker {
  readonly segment: string;
  readonly hash: string;
}

/** The end of a chain. */
export interface ChainEnd {
  /** The last segment that counts and opens, and the entry it was found in. */
  readonly last?: { readonly segment: OpenedSegment; readonly entry: SequenceEntry };
  /** Sequences after it that were committed and can't be read any more. */
  readonly lost: readonly number[];
}

/** Reads the segments of one resource and decides, the same way every time, which of several counts. */
export interface Chain {
  entries(from?: number): Promise<SequenceEntry[]>;
  read(name: string): Promise<OpenedSegment>;
  /** The segment of a sequence that counts; `undefined` when none continues the chain, `vault.damaged` when it is lost. */
  winner(entries: readonly SequenceEntry[], at: number): Promise<OpenedSegment | undefined>;
  end(): Promise<ChainEnd>;
}

/** Segments that stay opened, and the changes they may hold together: whoever reads on reads the same ones again. */
const KEPT_SEGMENTS = 64;

export function sealMarker(keys: VaultKeys, name: string, marker: Marker): Buffer {
  return sealObject(keys, name, marker);
}

/** The result, or the reason why what it needs is lost. */
export async function unlessLost<Value>(work: () => Promise<Value>): Promise<{ readonly value: Value } | { readonly problem: string }> {
  try {
    return { value: await work() };
  } catch (error) {
    if (!isLoss(error)) throw error;
    return { problem: error.message };
  }
}

/** The end of a chain that has these entries; without `last` where none of them counts and opens. */
async function endOf(entries: readonly SequenceEntry[], winner: Chain['winner']): Promise<ChainEnd> {
  let highest: number | undefined;
  const lostUpTo = (sequence: number): number[] =>
    highest === undefined ? [] : Array.from({ length: highest - sequence }, (_, at) => sequence + 1 + at);
  for (let at = entries.length - 1; at >= 0; at -= 1) {
    const entry = entries[at] as SequenceEntry;
    const found = await unlessLost(() => winner(entries, at));
    if ('problem' in found) highest ??= entry.sequence;
    else if (found.value) return { last: { segment: found.value, entry }, lost: lostUpTo(entry.sequence) };
    // A note without any segment: everything of the sequence is gone.
    else if (entry.candidates.length === 0) highest ??= entry.sequence;
  }
  return { lost: lostUpTo(0) };
}

export function createChain(store: BlobStore, keys: VaultKeys, folder: string): Chain {
  const kept = new Map<string, OpenedSegment>();
  /** The sequence that was the last one when somebody looked. */
  let seen = 1;

  async function read(name: string): Promise<OpenedSegment> {
    const known = kept.get(name);
    if (known) return known;
    const segment = await openSegment(store, keys, name);
    kept.set(name, segment);
    for (const oldest of kept.keys()) {
      if (kept.size <= KEPT_SEGMENTS) break;
      kept.delete(oldest);
    }
    return segment;
  }

  /** The segment that the marker names, if the marker can be read; a damaged one counts as absent (verify reports it). */
  async function marked(entry: SequenceEntry): Promise<string | undefined> {
    const { marker } = entry;
    if (marker === undefined) return undefined;
    const opened = await unlessLost(async () => openObject<Marker>(keys, marker, await store.get(marker)));
    return 'value' in opened ? opened.value.segment : undefined;
  }

  async function readable(entry: SequenceEntry | undefined): Promise<{ segments: OpenedSegment[]; failure?: unknown }> {
    const segments: OpenedSegment[] = [];
    let failure: unknown;
    for (const candidate of entry?.candidates ?? []) {
      try {
        segments.push(await read(candidate));
      } catch (error) {
        if (!isLoss(error)) throw error;
        failure ??= error;
      }
    }
    return { segments, ...(failure === undefined ? {} : { failure }) };
  }

  /** The segment before, where it is there and opens: otherwise nothing tells what its hash was. */
  async function previousOf(entries: readonly SequenceEntry[], at: number): Promise<OpenedSegment | undefined> {
    if (entries[at - 1]?.sequence !== (entries[at]?.sequence ?? 0) - 1) return undefined;
    const found = await unlessLost(() => winner(entries, at - 1));
    return 'value' in found ? found.value : undefined;
  }

  /**
   * Of several candidates the one that the next segment was built on; otherwise the first, in order of
   * precedence, that continues the chain. After a gap every one does.
   */
  async function firstThatFits(entries: readonly SequenceEntry[], at: number): Promise<OpenedSegment | undefined> {
    const entry = entries[at] as SequenceEntry;
    const previous = await previousOf(entries, at);
    const { segments, failure } = await readable(entry);
    const fitting = segments.filter(({ body }) => !previous || body.previousHash === previous.hash);
    if (fitting.length > 1 || failure !== undefined) {
      const next = entries[at + 1]?.sequence === entry.sequence + 1 ? await readable(entries[at + 1]) : { segments: [] };
      const named = new Set(next.segments.map(({ body }) => body.previousHash));
      const builtOn = fitting.find(({ hash }) => named.has(hash));
      if (builtOn) return builtOn;
      if (failure !== undefined && (named.size > 0 || fitting.length === 0)) throw failure;
    }
    return fitting[0];
  }

  async function winner(entries: readonly SequenceEntry[], at: number): Promise<OpenedSegment | undefined> {
    const entry = entries[at];
    if (!entry) return undefined;
    const isContested = entry.candidates.length !== 1 || (entries[at - 1]?.candidates.length ?? 1) > 1;
    const named = isContested || at === entries.length - 1 ? await marked(entry) : undefined;
    if (named !== undefined) return read(named);
    return isContested ? firstThatFits(entries, at) : read(entry.candidates[0] as string);
  }

  return {
    entries: (from) => listSequences(store, folder, from),
    read,
    winner,
    async end() {
      // A journal that receives all day has thousands of segments: what was its end before is where the look begins.
      const near = seen > 1 ? await endOf(await listSequences(store, folder, seen), winner) : undefined;
      const end = near?.last ? near : await endOf(await listSequences(store, folder), winner);
      seen = end.last?.entry.sequence ?? 1;
      return end;
    },
  };
}
