import { fileVersions } from '../ports/file-versions.ts';
import type { ItemVersion, Json } from '../ports/item.ts';

/** How the version of a file was found that a link led to when it was sent. */
export const asSentRules = [
  /** The version with the last change at or before the time of sending. */
  'last-change-before',
  /** That version was not kept: the last one before it that was. */
  'earlier-kept',
  /** No version from before is known or kept: the first one after the time of sending. */
  'first-kept-after',
] as const;
export type AsSentRule = (typeof asSentRules)[number];

/** Why one of several versions that were changed at the same moment was taken. */
export type AsSentTie = 'higher-number' | 'later-point';

export interface AsSent {
  readonly rule: AsSentRule;
  /** Null where no two versions were changed at that moment. */
  readonly tie: AsSentTie | null;
  readonly label: string;
  readonly modifiedAt: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  /** The restore point from which it is read. */
  readonly point: number;
  /** Under the name that it had in that restore point. */
  readonly name: string;
  /** The version that was the last before sending and is not kept. */
  readonly missing: string | null;
}

/** A version of an item as the catalog has it, with the restore point from which on it is there. */
export interface PointedVersion {
  readonly point: number;
  readonly item: ItemVersion;
}

interface Candidate extends Omit<AsSent, 'rule' | 'tie' | 'missing'> {
  readonly atMs: number;
}

/** Versions of SharePoint are numbered `3.0`, `3.1`; what is no number comes first. */
function byNumber(a: string, b: string): number {
  const steps = (label: string): readonly number[] => label.split('.').map((step) => (/^\d+$/u.test(step) ? Number(step) : -1));
  const [left, right] = [steps(a), steps(b)];
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function candidatesOf({ point, item }: PointedVersion): readonly Candidate[] {
  return fileVersions(item).flatMap(({ label, content, modifiedAt }) => {
    const atMs = Date.parse(modifiedAt ?? '');
    if (Number.isNaN(atMs) || modifiedAt === undefined) return [];
    const { sha256, sizeBytes } = content.ref;
    return [{ label, modifiedAt: new Date(atMs).toISOString(), sha256, sizeBytes, point, name: item.name, atMs }];
  });
}

/** Every version that the service has named, kept or not, by its number. */
function described(versions: readonly PointedVersion[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const { item } of versions) {
    const read = item.properties['read'] as { readonly versions?: readonly Json[] } | undefined;
    for (const entry of read?.versions ?? []) {
      const { id, lastModifiedDateTime } = entry as { readonly id?: string; readonly lastModifiedDateTime?: string };
      const atMs = Date.parse(lastModifiedDateTime ?? '');
      if (id !== undefined && !Number.isNaN(atMs)) found.set(id, atMs);
    }
  }
  return found;
}

const inOrder = (a: Candidate, b: Candidate): number => a.atMs - b.atMs || byNumber(a.label, b.label) || a.point - b.point;

function tieOf(chosen: Candidate, all: readonly Candidate[]): AsSentTie | null {
  const same = all.filter((one) => one !== chosen && one.atMs === chosen.atMs && one.sha256 !== chosen.sha256);
  if (same.length === 0) return null;
  return same.some((one) => byNumber(one.label, chosen.label) === 0) ? 'later-point' : 'higher-number';
}

/**
 * The version of a file that a link led to when it was sent: the one with the last change at or before that moment, whatever the file was
 * called and wherever it was then. Of versions that were changed at the same moment the one with the higher number counts, then the one
 * of the later restore point. Undefined where no version with a time is kept.
 */
export function asSent(versions: readonly PointedVersion[], sentAt: string): AsSent | undefined {
  const sentMs = Date.parse(sentAt);
  const all = versions.flatMap(candidatesOf).toSorted(inOrder);
  const answer = (rule: AsSentRule, chosen: Candidate, missing: string | null): AsSent => {
    // The same version is in later restore points too, perhaps under another name: the first of them is nearest to what was sent.
    const isSame = (one: Candidate): boolean => one.label === chosen.label && one.sha256 === chosen.sha256 && one.atMs === chosen.atMs;
    const { atMs: _atMs, ...found } = all.find(isSame) ?? chosen;
    return { ...found, rule, missing, tie: tieOf(chosen, all) };
  };
  const before = all.findLast(({ atMs }) => atMs <= sentMs);
  const lastKnown = [...described(versions)]
    .filter(([, atMs]) => atMs <= sentMs)
    .toSorted(([a, aMs], [b, bMs]) => aMs - bMs || byNumber(a, b))
    .at(-1);
  const isNewer =
    lastKnown !== undefined && (before === undefined || lastKnown[1] > before.atMs || byNumber(lastKnown[0], before.label) > 0);
  const isLost = lastKnown !== undefined && isNewer && !all.some(({ label, atMs }) => label === lastKnown[0] && atMs === lastKnown[1]);
  const missing = isLost ? lastKnown[0] : null;
  if (before) return answer(missing === null ? 'last-change-before' : 'earlier-kept', before, missing);
  const [after] = all;
  return after && answer('first-kept-after', after, missing);
}
