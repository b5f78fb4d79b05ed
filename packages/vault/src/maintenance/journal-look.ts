import { listResourceKeys } from '../journal/resources.ts';
import { createAffected, findAffected, type Affected } from './affected-items.ts';
import type { MaintenanceContext } from './context.ts';
import { checkChain, type CheckedChain } from './journal-check.ts';
import type { Damage, HeadsWitness, VerifyOptions } from './maintenance.ts';
import { differenceOf, gatherKnown, journalDamage, type Known } from './verify-memory.ts';
import { lostCommitsOf, lostPointsOf, pointsDamage, prunedDamage, type ReadableParts } from './verify-points.ts';

/** What the journal shows: its own damages, its heads, and the items whose blobs the index does not have. */
export interface JournalLook {
  readonly damages: readonly Damage[];
  readonly heads: HeadsWitness['heads'];
  readonly segments: number;
  readonly affected: Affected;
}

type Remembered = Awaited<ReturnType<Known['of']>>;

const NOTHING_READABLE: ReadableParts = { changes: new Set(), checkpoints: new Set(), dropped: new Set() };

function ofResource(chain: CheckedChain, resourceId: string | undefined): CheckedChain {
  if (chain.resourceId !== '' || resourceId === undefined) return chain;
  return { ...chain, resourceId, damages: chain.damages.map((damage) => ({ ...damage, resourceId })) };
}

/** A journal that differs from what is remembered, after a second look: a list may have been stale. */
async function differences(
  context: MaintenanceContext,
  chain: CheckedChain,
  heads: Awaited<ReturnType<Known['of']>>['heads'],
): Promise<Damage[]> {
  if (heads.every((head) => differenceOf(chain, head) === undefined)) return [];
  const { resourceId } = chain;
  const again = ofResource(await checkChain(context.store, context.keys, chain.resourceKey), resourceId);
  const [worst] = heads.toSorted((a, b) => b.sequence - a.sequence).filter((head) => differenceOf(again, head) !== undefined);
  const difference = worst && differenceOf(again, worst);
  return worst && difference ? [journalDamage(again, difference, worst)] : [];
}

/** Compares one journal with what is remembered of it, and counts the points that it can't give back. */
async function compare(
  context: MaintenanceContext,
  known: Known,
  { chain, parts, before }: { readonly chain: CheckedChain; readonly parts: ReadableParts; readonly before: Remembered },
): Promise<Damage[]> {
  const found = await differences(context, chain, before.heads);
  const lost = lostPointsOf(chain, parts, before.points);
  if (found.length + lost.length === 0) return [];
  // Retention gives points up at any time: only what is remembered still is missed.
  const now = await known.of(chain.resourceKey);
  const remembered = new Set(now.points);
  const own = new Set(chain.segments.map(({ body }) => body.sequence));
  const missed = lost.filter((sequence) => remembered.has(sequence) || (own.has(sequence) && !before.points.includes(sequence)));
  const differing = before.heads.length > 0 && now.heads.length === 0 ? [] : found;
  const pruned = missed.filter((sequence) => parts.dropped.has(sequence));
  const lostNow = missed.filter((sequence) => !parts.dropped.has(sequence));
  return [
    ...differing,
    ...(lostNow.length > 0 ? [pointsDamage(chain, lostNow, lostCommitsOf(chain, parts, lostNow.at(-1) ?? 0))] : []),
    ...(pruned.length > 0 ? [prunedDamage(chain, pruned)] : []),
  ];
}

/** Goes through the journal, one resource after the other; of those that are done only the findings are kept. */
export async function lookAtJournal(
  context: MaintenanceContext,
  options: Pick<VerifyOptions, 'maxAffectedItems' | 'signal' | 'memory' | 'witnesses'>,
): Promise<JournalLook> {
  const { store, keys } = context;
  const damages: Damage[] = [];
  const heads: HeadsWitness['heads'][number][] = [];
  const affected = createAffected(options.maxAffectedItems);
  const known = await gatherKnown(keys, options);
  let segments = 0;

  async function lookAt(resourceKey: string): Promise<void> {
    options.signal?.throwIfAborted();
    known.unseen.delete(resourceKey);
    const remembered = await known.of(resourceKey);
    const chain = ofResource(await checkChain(store, keys, resourceKey), known.idOf(resourceKey));
    damages.push(...chain.damages);
    segments += chain.segments.length;
    const last = chain.segments.at(-1);
    if (last) heads.push({ resourceId: chain.resourceId, sequence: last.body.sequence, hash: last.hash });
    const parts = await findAffected(context, chain, affected);
    // Of a resource that is being removed only who still remembers its points misses anything.
    if (parts || remembered.points.length > 0) {
      damages.push(...(await compare(context, known, { chain, parts: parts ?? NOTHING_READABLE, before: remembered })));
    }
  }

  for await (const resourceKey of listResourceKeys(context)) await lookAt(resourceKey);
  for (const resourceKey of known.unseen) await lookAt(resourceKey);
  return { damages: [...damages, ...affected.damages], heads, segments, affected };
}
