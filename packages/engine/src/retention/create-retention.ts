import type { Clock } from '@holdfast/foundation/clock';
import { crashPoint } from '@holdfast/foundation/crash-point';
import type { PruneReport, Vault } from '@holdfast/vault';
import type { Catalog } from '../ports/catalog.ts';
import {
  pointDispositions,
  runningMinimums,
  type DatedPoint,
  type PointDisposition,
  type PointKeepers,
  type PointRetention,
} from './disposition.ts';

/** A resource with the rule that applies to it. */
export interface RetainedResource {
  readonly resourceId: string;
  readonly rule: PointRetention;
}

export interface RetentionPreview {
  readonly resourceId: string;
  readonly points: readonly PointDisposition[];
  readonly keep: number;
  readonly remove: number;
  /** Points that the rule would give up and a hold keeps. */
  readonly held: number;
}

/** Points of a resource that its rule gives up and that stay for somebody who has yet to take in what they keep. */
export interface AwaitedOf {
  readonly resourceId: string;
  readonly points: number;
  /** Who waits. */
  readonly by: readonly string[];
}

export interface RetentionResult {
  readonly removed: number;
  readonly kept: number;
  readonly awaited: readonly AwaitedOf[];
  readonly pruned: PruneReport;
}

export interface RetentionOptions {
  readonly vault: Vault;
  readonly catalog: Catalog;
  /** By which the age of points and packs is told. */
  readonly clock: Pick<Clock, 'nowMs'>;
  /** What keeps points of a resource, asked when it is decided and not before. A hold that comes later is the catalog's to obey. */
  readonly keepersOf?: (resourceId: string) => Promise<PointKeepers>;
  /** Legal hold on single items: every version of it stays. Asked at the moment of deletion. */
  readonly isItemHeld?: (resourceId: string, itemKey: string) => boolean;
}

export interface Retention {
  /** What would go, point by point, and why the others stay. Changes nothing. */
  preview(resource: RetainedResource): Promise<RetentionPreview>;
  /**
   * Gives up what the rules let go: not listed any more first, then swept from the vault. Repeatable
   * and killable. A resource that is not named keeps all its points.
   */
  run(resources: readonly RetainedResource[], signal: AbortSignal): Promise<RetentionResult>;
}

/** What was decided of a resource: the points that were looked at, and those of them that are gone. */
interface Decision {
  readonly listed: readonly DatedPoint[];
  readonly gone: ReadonlySet<number>;
  readonly rule: PointRetention;
  readonly keepers: PointKeepers;
  readonly awaited: AwaitedOf;
}

const NO_KEEPERS: PointKeepers = { holds: [], awaited: [], minimums: [] };
const NO_DECISION = { listed: [], gone: new Set<number>(), rule: { timeZone: 'UTC' }, keepers: NO_KEEPERS };

/**
 * Whether the vault keeps a point. What the catalog does not list is not lost for it: a point that came meanwhile
 * was never judged, and an older one (a run that died after it was forgotten, a catalog that is being rebuilt)
 * goes only when the rule gives it up beside those that are listed.
 */
function staysInVault({ listed, gone, rule, keepers }: Omit<Decision, 'awaited'>, point: DatedPoint, nowMs: number): boolean {
  if (gone.has(point.sequence)) return false;
  const newest = listed.at(-1)?.sequence ?? 0;
  if (point.sequence > newest || listed.some(({ sequence }) => sequence === point.sequence)) return true;
  // Which items a point has is told by the catalog alone: while single items are on hold or kept by a policy, what it does not list stays.
  if ([...keepers.holds, ...runningMinimums(keepers.minimums, nowMs)].some(({ sequences }) => sequences !== undefined)) return true;
  const judged = pointDispositions([...listed, point], rule, keepers, nowMs);
  return judged.some(({ sequence, keep }) => sequence === point.sequence && keep);
}

const isOnly = ({ reasons }: PointDisposition, reason: string): boolean => reasons.length === 1 && reasons[0] === reason;

function awaitedOf(resourceId: string, points: readonly PointDisposition[]): AwaitedOf {
  const kept = points.filter((point) => isOnly(point, 'awaited'));
  return { resourceId, points: kept.length, by: [...new Set(kept.flatMap(({ awaitedBy }) => awaitedBy))].sort() };
}

/** Deletes restore points of one vault by rule. */
export function createRetention(options: RetentionOptions): Retention {
  const { vault, catalog, clock } = options;

  async function judge({ resourceId, rule }: RetainedResource, nowMs: number) {
    const keepers = (await options.keepersOf?.(resourceId)) ?? NO_KEEPERS;
    const listed = (await catalog.points(resourceId)).map(({ sequence, committedAt }) => ({ sequence, atMs: Date.parse(committedAt) }));
    return { keepers, listed, points: pointDispositions(listed, rule, keepers, nowMs) };
  }

  async function preview(resource: RetainedResource): Promise<RetentionPreview> {
    const { points } = await judge(resource, clock.nowMs());
    const keep = points.filter((point) => point.keep).length;
    const held = points.filter((point) => isOnly(point, 'hold')).length;
    return { resourceId: resource.resourceId, points, keep, remove: points.length - keep, held };
  }

  async function forget(resource: RetainedResource, nowMs: number): Promise<Decision> {
    const { points, keepers, listed } = await judge(resource, nowMs);
    const going = points.filter((point) => !point.keep).map((point) => point.sequence);
    await crashPoint('retention.before-forget');
    const gone = going.length === 0 ? [] : await catalog.forgetPoints(resource.resourceId, going);
    return { listed, gone: new Set(gone), rule: resource.rule, keepers, awaited: awaitedOf(resource.resourceId, points) };
  }

  async function run(resources: readonly RetainedResource[], signal: AbortSignal): Promise<RetentionResult> {
    const nowMs = clock.nowMs();
    const decisions = new Map<string, Decision>();
    let removed = 0;
    let kept = 0;
    for (const resource of resources) {
      signal.throwIfAborted();
      const decision = await forget(resource, nowMs);
      removed += decision.gone.size;
      kept += decision.listed.length - decision.gone.size;
      decisions.set(resource.resourceId, decision);
    }
    await crashPoint('retention.before-prune');
    const held = options.isItemHeld;
    const pruned = await vault.maintenance.prune({
      policy: {
        keepsPoint: ({ resourceId, sequence, at }) =>
          staysInVault(decisions.get(resourceId) ?? NO_DECISION, { sequence, atMs: Date.parse(at) }, nowMs),
        ...(held ? { isHeld: (resourceId: string, itemId: string) => held(resourceId, itemId) } : {}),
      },
      nowMs,
      signal,
    });
    const awaited = [...decisions.values()].map((decision) => decision.awaited).filter(({ points }) => points > 0);
    return { removed, kept, awaited, pruned };
  }

  return Object.freeze({ preview, run });
}
