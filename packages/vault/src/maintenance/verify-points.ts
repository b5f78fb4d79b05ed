import type { CheckedChain } from './journal-check.ts';
import type { Damage, LostPoints } from './maintenance.ts';

/** Of one journal: commits whose changes can be read, those whose full state can, and the points that prune has let go. */
export interface ReadableParts {
  readonly changes: ReadonlySet<number>;
  readonly checkpoints: ReadonlySet<number>;
  readonly dropped: ReadonlySet<number>;
}

/** Named one by one; more are counted. */
const MOST_SEQUENCES = 10_000;

/** Sequences whose state can be put together: from a full state, or from the first commit, on without a gap. */
function restorableSequences(chain: CheckedChain, parts: ReadableParts): ReadonlySet<number> {
  const restorable = new Set<number>();
  let before: { readonly sequence: number; readonly hash: string } | undefined;
  for (const { body, hash } of chain.segments) {
    const { sequence, previousHash } = body;
    const follows = previousHash === null ? sequence === 1 : before?.hash === previousHash && restorable.has(before.sequence);
    if (parts.checkpoints.has(sequence) || (follows && parts.changes.has(sequence))) restorable.add(sequence);
    before = { sequence, hash };
  }
  return restorable;
}

function lostOf(sequences: readonly number[]): LostPoints {
  return { count: sequences.length, sequences: sequences.slice(0, MOST_SEQUENCES) };
}

/** Of the points that should be there (those remembered outside, and those of the journal itself) the ones that can't be restored, or that prune gave up. */
export function lostPointsOf(chain: CheckedChain, parts: ReadableParts, remembered: readonly number[]): number[] {
  const restorable = restorableSequences(chain, parts);
  const own = chain.segments.map(({ body }) => body).filter(({ restorePoint, sequence }) => restorePoint && !parts.dropped.has(sequence));
  const wanted = new Set([...remembered, ...own.map(({ sequence }) => sequence)]);
  return [...wanted].filter((sequence) => !restorable.has(sequence) || parts.dropped.has(sequence)).toSorted((a, b) => a - b);
}

/** Commits up to `last` whose changes nobody can read. */
export function lostCommitsOf(chain: CheckedChain, parts: ReadableParts, last: number): number[] {
  const lost: number[] = [];
  const there = new Set(chain.segments.map(({ body }) => body.sequence).filter((sequence) => parts.changes.has(sequence)));
  for (let sequence = 1; sequence <= last && lost.length < MOST_SEQUENCES; sequence += 1) if (!there.has(sequence)) lost.push(sequence);
  return lost;
}

/** What it is told as that prune gave points up which somebody remembers still. */
export function prunedDamage(
  { resourceKey, resourceId }: Pick<CheckedChain, 'resourceKey' | 'resourceId'>,
  pruned: readonly number[],
): Damage {
  return {
    object: 'points',
    name: `journal/${resourceKey}/`,
    problem: `${pruned.length} restore points of ${resourceId || 'an unknown resource'} were pruned and are still remembered.`,
    ...(resourceId ? { resourceId } : {}),
    blobIds: [],
    lostPoints: lostOf(pruned),
    isPruned: true,
  };
}

/** What the loss of points is told as. */
export function pointsDamage(
  chain: Pick<CheckedChain, 'resourceKey' | 'resourceId'>,
  lost: readonly number[],
  commits: readonly number[],
): Damage {
  const { resourceKey, resourceId } = chain;
  const shown = lost.slice(0, 10).join(', ');
  const rest = lost.length > 10 ? ' and more' : '';
  return {
    object: 'points',
    name: `journal/${resourceKey}/`,
    problem: `${lost.length} restore points of ${resourceId || 'an unknown resource'} can't be restored: ${shown}${rest}.`,
    ...(resourceId ? { resourceId } : {}),
    blobIds: [],
    lostPoints: lostOf(lost),
    lostCommits: commits,
  };
}
