import { mapConcurrent } from '@holdfast/foundation/concurrency';
import type { ItemKind, ItemVersion } from '../ports/item.ts';
import { attempt } from './attempt.ts';
import type { RestorePlan, RestoreRequest } from './request.ts';
import type { PlacedContainer, RestoreContext, Restorer } from './restorer.ts';
import { walk, type WalkedContainer } from './walk.ts';

/** A restore that is only looked at. */
export interface PlanRequest extends RestoreRequest {
  /** It goes where nothing can be met: into a file, or a folder of its own. */
  readonly isBeside?: boolean;
}

type PlanContext = RestoreContext & { readonly request: PlanRequest };

/** What a container is to a dry run: there, to be made with all that comes into it, or not to be found out. */
type Place = PlacedContainer | 'new' | 'unknown' | undefined;

interface Meetings {
  collisions: number;
  unknown: number;
}

/** Whether items meet something, by the code that decides it in the run: skipping is what a run does that may not write. */
function createMeetings({ signal, request: { isBeside } }: PlanContext, restorer: Restorer) {
  const places = new Map<string, Place>();
  const found: Meetings = { collisions: 0, unknown: 0 };

  async function enter({ item, parent }: WalkedContainer): Promise<Place> {
    if (!item) return undefined;
    const above = parent && places.get(parent.key);
    if (above === 'new' || above === 'unknown') return above;
    const { targetId, outcome, ...rest } = await attempt(() => restorer.container(item, above), signal);
    return targetId === undefined ? (outcome === 'failed' ? 'unknown' : 'new') : { ...rest, outcome, targetId };
  }

  return {
    found,
    async enter(walked: WalkedContainer): Promise<Place> {
      if (isBeside) return 'new';
      const here = await enter(walked);
      if (walked.item) places.set(walked.item.key, here);
      return here;
    },
    async meet(item: ItemVersion, here: Place): Promise<void> {
      if (here === 'unknown') found.unknown += 1;
      if (here === 'new' || here === 'unknown') return;
      const { outcome } = await attempt(() => restorer.item(item, here), signal);
      if (outcome === 'skipped') found.collisions += 1;
      if (outcome === 'failed') found.unknown += 1;
    },
  };
}

/** Counts what a restore would do, without writing anything. `restorer` must be one over `dryGraph`, told to skip. */
export async function createPlan(context: PlanContext, restorer: Restorer, missingRoles: readonly string[]): Promise<RestorePlan> {
  const { catalog, request, sequence, signal } = context;
  const byKind: Partial<Record<ItemKind, number>> = {};
  const limits = new Map<string, number>();
  let items = 0;
  let bytes = 0;
  const meetings = createMeetings(context, restorer);
  const tally = async (item: ItemVersion, here: Place): Promise<void> => {
    signal.throwIfAborted();
    items += 1;
    bytes += item.sizeBytes;
    byKind[item.kind] = (byKind[item.kind] ?? 0) + 1;
    for (const code of restorer.limitsOf(item.kind)) limits.set(code, (limits.get(code) ?? 0) + 1);
    await meetings.meet(item, here);
  };
  try {
    for await (const walked of walk({ catalog, resourceId: request.source.id, sequence, selection: request.selection })) {
      const here = await meetings.enter(walked);
      for await (const _ of mapConcurrent(walked.items(), restorer.atATime(walked.item), (item) => tally(item, here)));
    }
  } finally {
    await restorer.finish?.();
  }
  const notRestorable = [...limits].map(([code, count]) => ({ code, count }));
  return { items, bytes, byKind, ...meetings.found, notRestorable, missingRoles };
}
