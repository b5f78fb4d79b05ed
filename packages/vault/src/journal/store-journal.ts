import { vaultError } from '../shared/errors.ts';
import { createChain, unlessLost, type Chain } from './chain.ts';
import { commitSegment } from './commit.ts';
import type { JournalContext } from './context.ts';
import type { ItemState, Journal, LostSegment, Segment } from './journal.ts';
import { journalFolder, type SequenceEntry } from './segment-names.ts';
import { headOf, type OpenedSegment } from './segment.ts';
import { changesOf, streamState, type OnLost, type StateSource } from './state.ts';
import { tendJournal } from './tend.ts';

function gap(resourceId: string, sequence: number): Error {
  return vaultError('vault.damaged', lossOf(resourceId, sequence).problem, { resourceId, sequence });
}

function lossOf(resourceId: string, sequence: number): LostSegment {
  return { resourceId, sequence, problem: `Segment ${sequence} of ${resourceId} is lost or does not continue the chain.` };
}

/** The segment of a sequence that counts; `undefined` when it is lost. */
async function segmentAt(chain: Chain, entries: readonly SequenceEntry[], sequence: number): Promise<OpenedSegment | undefined> {
  const at = entries.findIndex((entry) => entry.sequence === sequence);
  const found = await unlessLost(async () => (at < 0 ? undefined : chain.winner(entries, at)));
  return 'value' in found ? found.value : undefined;
}

/** Tells that a sequence is lost, or throws it where nobody wants to be told. */
function meetLoss({ resourceId, onLost }: { readonly resourceId: string; readonly onLost: OnLost }, sequence: number): void {
  if (!onLost) throw gap(resourceId, sequence);
  onLost(lossOf(resourceId, sequence));
}

interface Walk {
  readonly resourceId: string;
  readonly from: number;
  readonly to: number;
  readonly onLost: OnLost;
}

/** Segments in order, each checked against the one before it. After a gap the chain is entered by signature alone. */
async function* walk(chain: Chain, wanted: Walk): AsyncGenerator<OpenedSegment, void, undefined> {
  const { from, to } = wanted;
  const entries = await chain.entries(Math.max(1, from - 1));
  const { last, lost } = await chain.end();
  const end = Math.min(to, lost.at(-1) ?? last?.segment.body.sequence ?? 0);
  let before: OpenedSegment | undefined;
  for (let sequence = from; sequence <= end; sequence += 1) {
    const segment = await segmentAt(chain, entries, sequence);
    if (!segment || (before && segment.body.previousHash !== before.hash)) meetLoss(wanted, sequence);
    before = segment;
    if (segment) yield segment;
  }
}

interface Derivation {
  readonly resourceId: string;
  readonly target: number;
  /** Checkpoints from this sequence on are not used. */
  readonly below: number;
  readonly onLost: OnLost;
}

/** The nearest checkpoint at or before `target`, and the segments after it, oldest first. */
async function stateSource(chain: Chain, wanted: Derivation): Promise<StateSource> {
  const { target, below } = wanted;
  const entries = await chain.entries();
  const after: OpenedSegment[] = [];
  const older = async (): Promise<StateSource> => ({ base: undefined, after: [], older });
  let expected: string | null | undefined;
  for (let sequence = target; sequence >= 1; sequence -= 1) {
    const segment = await segmentAt(chain, entries, sequence);
    if (!segment || (expected !== undefined && segment.hash !== expected)) meetLoss(wanted, sequence);
    if (segment?.body.checkpoint && sequence < below) {
      return { base: segment, after: after.toReversed(), older: () => stateSource(chain, { ...wanted, below: sequence }) };
    }
    if (segment) after.push(segment);
    expected = segment?.body.previousHash;
  }
  return { base: undefined, after: after.toReversed(), older };
}

/** Tells each lost segment once, however often it is met. */
function once(onLost: OnLost): OnLost {
  const told = new Set<number>();
  return (
    onLost &&
    ((lost) => {
      if (told.has(lost.sequence)) return;
      told.add(lost.sequence);
      onLost(lost);
    })
  );
}

/** A journal as maintenance uses it. */
export interface InternalJournal extends Journal {
  /** How the state after a segment is made without the checkpoint of that segment. */
  sourceBelow(sequence: number): Promise<StateSource>;
}

/** The journal of a resource, by its key: for those who found the folder and do not know the resource yet. */
export function createJournalAt(context: JournalContext, resourceKey: string, knownResourceId?: string): InternalJournal {
  const folder = journalFolder(resourceKey);
  const chain = createChain(context.store, context.keys, folder);
  const resourceId = knownResourceId ?? '';

  async function sequenceAt(time: string, onLost: OnLost): Promise<number> {
    const wanted = Date.parse(time);
    if (Number.isNaN(wanted)) throw vaultError('vault.bad-input', 'A point in time is in ISO 8601.', { field: 'time' });
    let found = 0;
    // A loss that the state does not depend on is none of it.
    for await (const segment of walk(chain, { resourceId, from: 1, to: Number.MAX_SAFE_INTEGER, onLost: onLost && (() => undefined) })) {
      if (Date.parse(segment.body.at) > wanted) break;
      if (segment.body.restorePoint) found = segment.body.sequence;
    }
    return found;
  }

  async function targetOf(point: { readonly sequence: number } | { readonly time: string } | undefined, onLost: OnLost): Promise<number> {
    if (point && 'time' in point) return sequenceAt(point.time, onLost);
    const { last, lost } = await chain.end();
    const head = lost.at(-1) ?? last?.segment.body.sequence ?? 0;
    if (!point) return head;
    if (!Number.isSafeInteger(point.sequence) || point.sequence < 0 || point.sequence > head) {
      throw vaultError('vault.bad-input', `There is no point ${point.sequence}; the last is ${head}.`, { field: 'sequence' });
    }
    return point.sequence;
  }

  const sourceOf = (target: number, onLost: OnLost): Promise<StateSource> =>
    stateSource(chain, { resourceId, target, below: Number.MAX_SAFE_INTEGER, onLost });

  return {
    resourceId,
    async head() {
      const { last } = await chain.end();
      return last ? headOf(last.segment) : null;
    },
    commit: (options) => commitSegment(context, { resourceId, folder, chain, sourceOf }, options),
    async *segments({ from = 1, to = Number.MAX_SAFE_INTEGER, onLost } = {}) {
      for await (const opened of walk(chain, { resourceId, from, to, onLost })) yield toSegment(context, opened);
    },
    async *stateAt(point, { onLost, part } = {}): AsyncGenerator<ItemState, void, undefined> {
      const tell = once(onLost);
      const target = await targetOf(point, tell);
      if (target > 0) yield* streamState(context, await sourceOf(target, tell), { onLost: tell, ...(part ? { part } : {}) });
    },
    sourceBelow: (sequence) => stateSource(chain, { resourceId, target: sequence, below: sequence, onLost: undefined }),
    tend: () => tendJournal(context, { resourceId, folder, chain }),
  };
}

function toSegment(context: JournalContext, opened: OpenedSegment): Segment {
  const { resourceId, previousHash, changeCount, summary, checkpoint } = opened.body;
  return {
    ...headOf(opened),
    resourceId,
    previousHash,
    changeCount,
    summary,
    hasCheckpoint: checkpoint !== undefined,
    changes: () => changesOf(context, opened),
  };
}

/** The journal of `resourceId`. */
export function createJournal(context: JournalContext, resourceId: string): Journal {
  if (resourceId.length === 0) throw vaultError('vault.bad-input', 'A resource has an id.', { field: 'resourceId' });
  return createJournalAt(context, context.keys.resourceKey(resourceId), resourceId);
}
