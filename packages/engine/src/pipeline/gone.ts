import { now, type Clock } from '@holdfast/foundation/clock';
import type { ItemVersion, Json, JsonObject } from '../ports/item.ts';
import type { Unread } from './cursor-state.ts';

/** How long something that is named, and said not to be there when it is read, is looked for before it counts as gone for good. */
const LOOKED_FOR_MS = 7 * 24 * 3_600_000;

/** The item itself, beside its parts. */
export const WHOLE = '';

/** Codes of what is named and can't be found: as long as it is looked for, and once it is gone for good. */
export const MISSING_ITEM = 'engine.item-missing';
export const GONE_ITEM = 'engine.item-gone';
export const MISSING_PART = 'engine.part-missing';
export const GONE_PART = 'engine.part-gone';

/** A part of a stored item that is gone for good at the source: `photo`, `hosted:…`, `version:…`. */
export interface GonePart {
  readonly part: string;
  /** Since when every reading said so, ISO 8601. */
  readonly since: string;
}

const PROPERTY = 'goneParts';

function isGonePart(value: Json): value is { readonly part: string; readonly since: string } {
  return typeof value === 'object' && value !== null && 'part' in value && 'since' in value;
}

/** What the properties that a reading told say of parts that are gone. */
export function gonePartsOf(item: ItemVersion): readonly GonePart[] {
  const read = item.properties['read'] as JsonObject | undefined;
  const parts = read?.[PROPERTY];
  return Array.isArray(parts) ? (parts as readonly Json[]).filter(isGonePart) : [];
}

/** The same properties, telling of these parts. */
export function withGoneParts(properties: JsonObject | undefined, parts: readonly GonePart[]): JsonObject | undefined {
  if (parts.length === 0) return properties;
  const told = parts.map(({ part, since }) => ({ part, since }));
  return { ...properties, [PROPERTY]: told.toSorted((a, b) => (a.part < b.part ? -1 : 1)) };
}

/** Since when something is said not to be there, and whether that is long enough to believe it. */
export interface Missed {
  readonly since: string;
  /** An earlier run was told the same. */
  readonly isKnown: boolean;
  readonly isForGood: boolean;
}

/** Judges what a run is told to be gone by what earlier runs were told; a resource's state at its beginning. */
export function createMissedSince({ unread, clock }: { readonly unread: ReadonlyMap<string, Unread>; readonly clock: Clock }) {
  const before = new Map(unread);
  const startedAt = now(clock);
  return (key: string, part: string, previous?: ItemVersion): Missed => {
    const noted = previous && gonePartsOf(previous).find((one) => one.part === part)?.since;
    const since = noted ?? before.get(key)?.gone?.[part];
    if (since === undefined) return { since: startedAt.toISOString(), isKnown: false, isForGood: false };
    return { since, isKnown: true, isForGood: startedAt.getTime() - Date.parse(since) >= LOOKED_FOR_MS };
  };
}

export type MissedSince = ReturnType<typeof createMissedSince>;
