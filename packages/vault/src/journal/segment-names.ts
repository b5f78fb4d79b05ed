import type { BlobStore } from '../blob/blob-store.ts';

/**
 * Names in `journal/<resource key>/`: segments `<sequence>-<fence>-<nonce>` never collide; a marker
 * `<sequence>.marker` says which segment of a sequence counts (FORMAT.md section 8).
 */
const SEGMENT = /^(\d{10})-(\d{10})-([0-9a-f]{16})$/;
const MARKER = /^(\d{10})\.marker$/;
const DIGITS = 10;

/** Everything that lies under one sequence number. */
export interface SequenceEntry {
  readonly sequence: number;
  /** In order of precedence: highest fence first, then lowest name. */
  readonly candidates: readonly string[];
  readonly marker?: string;
}

export function journalFolder(resourceKey: string): string {
  return `journal/${resourceKey}/`;
}

export function segmentName(folder: string, sequence: number, fence: number, nonce: string): string {
  return `${folder}${String(sequence).padStart(DIGITS, '0')}-${String(fence).padStart(DIGITS, '0')}-${nonce}`;
}

export function markerName(folder: string, sequence: number): string {
  return `${folder}${String(sequence).padStart(DIGITS, '0')}.marker`;
}

/** What a name in a journal folder is; `undefined` for anything foreign. */
export function parseJournalName(name: string): { resourceKey: string; sequence: number; isMarker: boolean } | undefined {
  const match = /^journal\/([0-9a-f]{40})\/([^/]+)$/.exec(name);
  const [, resourceKey, base] = match ?? [];
  if (resourceKey === undefined || base === undefined) return undefined;
  const segment = SEGMENT.exec(base);
  if (segment) return { resourceKey, sequence: Number(segment[1]), isMarker: false };
  const marker = MARKER.exec(base);
  return marker ? { resourceKey, sequence: Number(marker[1]), isMarker: true } : undefined;
}

function fenceOf(name: string): string {
  return SEGMENT.exec(name.slice(name.lastIndexOf('/') + 1))?.[2] ?? '';
}

function byPrecedence(a: string, b: string): number {
  const [first, second] = [fenceOf(a), fenceOf(b)];
  if (first !== second) return first > second ? -1 : 1;
  return a < b ? -1 : 1;
}

/** Lists a journal folder, by sequence, from `from` on. */
export async function listSequences(store: BlobStore, folder: string, from = 1): Promise<SequenceEntry[]> {
  const entries = new Map<number, { candidates: string[]; marker?: string }>();
  const after = from > 1 ? `${folder}${String(from - 1).padStart(DIGITS, '0')}.z` : '';
  for await (const { name } of store.list(folder, after)) {
    const parsed = parseJournalName(name);
    if (!parsed) continue;
    const entry = entries.get(parsed.sequence) ?? { candidates: [] };
    entries.set(parsed.sequence, entry);
    if (parsed.isMarker) entry.marker = name;
    else entry.candidates.push(name);
  }
  return [...entries]
    .map(([sequence, { candidates, marker }]) => ({
      sequence,
      candidates: candidates.toSorted(byPrecedence),
      ...(marker ? { marker } : {}),
    }))
    .toSorted((a, b) => a.sequence - b.sequence);
}
