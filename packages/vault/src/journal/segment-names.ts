import type { BlobStore } from '../blob/blob-store.ts';

/**
 * Names in `journal/<resource key>/`: segments `<sequence>-<fence>-<nonce>` never collide; a marker
 * `<sequence>.marker` says which segment of a sequence counts. Names in `copies/<resource key>/`: the copy of a
 * segment has its name; `<sequence>.restated` says that a later segment restates a lost one (FORMAT.md section 8).
 */
const SEGMENT = /^(\d{10})-(\d{10})-([0-9a-f]{16})$/;
const NOTE = /^(\d{10})\.(marker|restated)$/;
const DIGITS = 10;

/** Everything that is stored under one sequence number. */
export interface SequenceEntry {
  readonly sequence: number;
  /** In order of precedence: highest fence first, then lowest name. Segments of which only the copy is there included. */
  readonly candidates: readonly string[];
  /** Of the candidates, those with a copy; known only where the copies were listed. */
  readonly copied: ReadonlySet<string>;
  /** Of the candidates, those without their own object. */
  readonly copyOnly: ReadonlySet<string>;
  readonly marker?: string;
  /** The note that a later segment restates this one. */
  readonly restated?: string;
}

export function journalFolder(resourceKey: string): string {
  return `journal/${resourceKey}/`;
}

/** The folder of the copies beside a folder of the journal. */
function copiesFolder(folder: string): string {
  return folder.replace(/^journal\//, 'copies/');
}

/** Where the copy of a segment is stored. */
export function copyName(segment: string): string {
  return copiesFolder(segment);
}

function padded(sequence: number): string {
  return String(sequence).padStart(DIGITS, '0');
}

export function segmentName(folder: string, sequence: number, fence: number, nonce: string): string {
  return `${folder}${padded(sequence)}-${padded(fence)}-${nonce}`;
}

export function markerName(folder: string, sequence: number): string {
  return `${folder}${padded(sequence)}.marker`;
}

export function restatedName(folder: string, sequence: number): string {
  return `${copiesFolder(folder)}${padded(sequence)}.restated`;
}

interface JournalName {
  readonly resourceKey: string;
  readonly sequence: number;
  readonly kind: 'segment' | 'marker' | 'copy' | 'restated';
}

/** The object that a name of the journal or its copies stands for; `undefined` for anything foreign. */
export function parseJournalName(name: string): JournalName | undefined {
  const match = /^(journal|copies)\/([0-9a-f]{40})\/([^/]+)$/.exec(name);
  const [, place, resourceKey, base] = match ?? [];
  if (resourceKey === undefined || base === undefined) return undefined;
  const isCopy = place === 'copies';
  const segment = SEGMENT.exec(base);
  if (segment) return { resourceKey, sequence: Number(segment[1]), kind: isCopy ? 'copy' : 'segment' };
  const note = NOTE.exec(base);
  if (!note || (note[2] === 'restated') !== isCopy) return undefined;
  return { resourceKey, sequence: Number(note[1]), kind: isCopy ? 'restated' : 'marker' };
}

function fenceOf(name: string): string {
  return SEGMENT.exec(name.slice(name.lastIndexOf('/') + 1))?.[2] ?? '';
}

function byPrecedence(a: string, b: string): number {
  const [first, second] = [fenceOf(a), fenceOf(b)];
  if (first !== second) return first > second ? -1 : 1;
  return a < b ? -1 : 1;
}

interface Gathered {
  readonly own: Set<string>;
  readonly copied: Set<string>;
  marker?: string;
  restated?: string;
}

async function gather(entries: Map<number, Gathered>, store: BlobStore, folder: string, from: number): Promise<void> {
  const after = from > 1 ? `${folder}${padded(from - 1)}.z` : '';
  for await (const { name } of store.list(folder, after)) {
    const parsed = parseJournalName(name);
    if (!parsed) continue;
    const entry = entries.get(parsed.sequence) ?? { own: new Set(), copied: new Set() };
    entries.set(parsed.sequence, entry);
    if (parsed.kind === 'marker') entry.marker = name;
    else if (parsed.kind === 'restated') entry.restated = name;
    else if (parsed.kind === 'copy') entry.copied.add(name.replace(/^copies\//, 'journal/'));
    else entry.own.add(name);
  }
}

/** The first sequence from which the journal alone does not tell the whole chain; `undefined` where it does. */
function firstDoubt(entries: ReadonlyMap<number, Gathered>, from: number): number | undefined {
  const sequences = [...entries.keys()].toSorted((a, b) => a - b);
  const last = sequences.at(-1);
  if (last === undefined) return from;
  for (const [at, sequence] of sequences.entries()) {
    if (sequence !== from + at || entries.get(sequence)?.own.size === 0) return from;
  }
  return entries.get(last)?.marker === undefined ? last : undefined;
}

/** Forgets a copy at the end without segment and marker: a crash kept its commit from being made. */
function dropUncommitted(entries: Map<number, Gathered>): void {
  const last = Math.max(...entries.keys());
  const end = entries.get(last);
  if (end && end.own.size === 0 && end.marker === undefined && end.restated === undefined) entries.delete(last);
}

/**
 * Lists a journal folder, by sequence, from `from` on. The copies are listed as well where the journal has a hole
 * or where its end is not sure, or `always`.
 */
export async function listSequences(store: BlobStore, folder: string, from = 1, copies?: 'always'): Promise<SequenceEntry[]> {
  const entries = new Map<number, Gathered>();
  await gather(entries, store, folder, from);
  const doubt = copies === 'always' ? from : firstDoubt(entries, from);
  if (doubt !== undefined) await gather(entries, store, copiesFolder(folder), doubt);
  if (store.abilities.conditionalPut) dropUncommitted(entries);
  return [...entries]
    .map(([sequence, { own, copied, marker, restated }]) => ({
      sequence,
      candidates: [...own.union(copied)].toSorted(byPrecedence),
      copied,
      copyOnly: copied.difference(own),
      ...(marker ? { marker } : {}),
      ...(restated ? { restated } : {}),
    }))
    .toSorted((a, b) => a.sequence - b.sequence);
}
