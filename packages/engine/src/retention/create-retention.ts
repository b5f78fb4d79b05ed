import type { Clock } from '@holdfast/foundation/clock';
import { crashPoint } from '@holdfast/foundation/crash-point';
import { AppError } from '@holdfast/foundation/errors';
import type { PruneReport, Vault } from '@holdfast/vault';
import type { Catalog } from '../ports/catalog.ts';
import { pointDispositions, type PointDisposition, type PointHold, type PointRetention } from './disposition.ts';

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

export interface RetentionResult {
  readonly removed: number;
  readonly kept: number;
  readonly pruned: PruneReport;
}

export interface RetentionOptions {
  readonly vault: Vault;
  readonly catalog: Catalog;
  readonly clock: Clock;
  /** Legal holds on a resource, asked when it is decided and not before: one that is placed during a run is obeyed. */
  readonly holdsOn?: (resourceId: string) => Promise<readonly PointHold[]>;
  /** Legal hold on single items: every version of it stays. Asked at the moment of deletion. */
  readonly isItemHeld?: (resourceId: string, itemKey: string) => boolean;
}

export interface Retention {
  /** What would go, point by point, and why the others stay. Changes nothing. */
  preview(resource: RetainedResource): Promise<RetentionPreview>;
  /**
   * Gives up what the rules let go: not listed any more first, then swept from the vault. Repeatable
   * and killable. `resources` must name every resource of the vault: `retention.unknown-resource`
   * otherwise, because what is not named could not be kept.
   */
  run(resources: readonly RetainedResource[], signal: AbortSignal): Promise<RetentionResult>;
}

/** Deletes restore points of one vault by rule. */
export function createRetention(options: RetentionOptions): Retention {
  const { vault, catalog, clock } = options;

  async function preview(resource: RetainedResource): Promise<RetentionPreview> {
    const { resourceId, rule } = resource;
    const holds = (await options.holdsOn?.(resourceId)) ?? [];
    const listed = await catalog.points(resourceId);
    const dated = listed.map((point) => ({ sequence: point.sequence, atMs: Date.parse(point.committedAt) }));
    const points = pointDispositions(dated, rule, holds, clock.nowMs());
    const keep = points.filter((point) => point.keep).length;
    const held = points.filter((point) => point.reasons.length === 1 && point.reasons[0] === 'hold').length;
    return { resourceId, points, keep, remove: points.length - keep, held };
  }

  async function requireAll(resources: readonly RetainedResource[]): Promise<void> {
    const named = new Set(resources.map((resource) => resource.resourceId));
    for await (const { resourceId } of vault.resources()) {
      if (!named.has(resourceId)) throw new AppError('retention.unknown-resource', { details: { resourceId } });
    }
  }

  async function run(resources: readonly RetainedResource[], signal: AbortSignal): Promise<RetentionResult> {
    await requireAll(resources);
    const keptPoints = new Map<string, ReadonlySet<number>>();
    let removed = 0;
    let kept = 0;
    for (const resource of resources) {
      signal.throwIfAborted();
      const { points, resourceId } = await preview(resource);
      const going = points.filter((point) => !point.keep).map((point) => point.sequence);
      await crashPoint('retention.before-forget');
      if (going.length > 0) await catalog.forgetPoints(resourceId, going);
      removed += going.length;
      kept += points.length - going.length;
      keptPoints.set(resourceId, new Set(points.filter((point) => point.keep).map((point) => point.sequence)));
    }
    await crashPoint('retention.before-prune');
    const held = options.isItemHeld;
    const pruned = await vault.maintenance.prune({
      policy: {
        keepsPoint: (point) => keptPoints.get(point.resourceId)?.has(point.sequence) ?? true,
        ...(held ? { isHeld: (resourceId: string, itemId: string) => held(resourceId, itemId) } : {}),
      },
      signal,
    });
    return { removed, kept, pruned };
  }

  return Object.freeze({ preview, run });
}
