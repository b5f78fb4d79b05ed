import { isAppError } from '@holdfast/foundation/errors';
import type { BlobStore } from '../blob/blob-store.ts';
import { openObject, sealObject } from '../crypto/small-object.ts';
import type { VaultKeys } from '../crypto/vault-keys.ts';
import { vaultError } from '../errors.ts';
import { listSequences, type SequenceEntry } from './segment-names.ts';
import { decodeSegment, type OpenedSegment } from './segment.ts';

/** What a marker says: which segment of its sequence counts. */
export interface Marker {
  readonly segment: string;
  readonly hash: string;
}

/** Reads the segments of one resource and decides, the same way every time, which of several counts. */
export interface Chain {
  entries(from?: number): Promise<SequenceEntry[]>;
  read(name: string): Promise<OpenedSegment>;
  /** The segment of a sequence that counts; `undefined` when none continues the chain. */
  winner(entries: readonly SequenceEntry[], at: number): Promise<OpenedSegment | undefined>;
  /** The last segment that counts, and the entry it was found in. */
  last(): Promise<{ segment: OpenedSegment; entry: SequenceEntry } | undefined>;
}

const KEPT_SEGMENTS = 64;

export function sealMarker(keys: VaultKeys, name: string, marker: Marker): Buffer {
  return sealObject(keys, name, marker);
}

export function createChain(store: BlobStore, keys: VaultKeys, folder: string): Chain {
  const kept = new Map<string, OpenedSegment>();

  async function read(name: string): Promise<OpenedSegment> {
    const known = kept.get(name);
    if (known) return known;
    const segment = decodeSegment(keys, name, await store.get(name));
    kept.set(name, segment);
    for (const oldest of kept.keys()) {
      if (kept.size <= KEPT_SEGMENTS) break;
      kept.delete(oldest);
    }
    return segment;
  }

  /** What the marker names, if it can be read; a damaged one counts as absent (verify reports it). */
  async function marked(entry: SequenceEntry): Promise<string | undefined> {
    if (entry.marker === undefined) return undefined;
    try {
      return openObject<Marker>(keys, entry.marker, await store.get(entry.marker)).segment;
    } catch (error) {
      if (isAppError(error, 'vault.damaged', 'vault.object-missing')) return undefined;
      throw error;
    }
  }

  /** Of several candidates the first, in order of precedence, that continues the chain. */
  async function firstThatFits(entries: readonly SequenceEntry[], at: number): Promise<OpenedSegment | undefined> {
    const [before, entry] = [entries[at - 1], entries[at] as SequenceEntry];
    const previous = before?.sequence === entry.sequence - 1 ? await winner(entries, at - 1) : undefined;
    for (const candidate of entry.candidates) {
      const segment = await read(candidate);
      if (!before || segment.body.previousHash === previous?.hash) return segment;
    }
    return undefined;
  }

  async function winner(entries: readonly SequenceEntry[], at: number): Promise<OpenedSegment | undefined> {
    const entry = entries[at];
    if (!entry) return undefined;
    const isContested = entry.candidates.length !== 1 || (entries[at - 1]?.candidates.length ?? 1) > 1;
    const named = isContested || at === entries.length - 1 ? await marked(entry) : undefined;
    if (named === undefined) return isContested ? firstThatFits(entries, at) : read(entry.candidates[0] as string);
    if (!entry.candidates.includes(named)) {
      throw vaultError('vault.damaged', `Segment ${named} is missing: its marker is there.`, { object: named });
    }
    return read(named);
  }

  return {
    entries: (from) => listSequences(store, folder, from),
    read,
    winner,
    async last() {
      const entries = await listSequences(store, folder);
      for (let at = entries.length - 1; at >= 0; at -= 1) {
        const segment = await winner(entries, at);
        if (segment) return { segment, entry: entries[at] as SequenceEntry };
      }
      return undefined;
    },
  };
}
