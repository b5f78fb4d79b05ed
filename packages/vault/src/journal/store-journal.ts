import { vaultError } from '../errors.ts';
import { createChain, type Chain } from './chain.ts';
import { commitSegment, type JournalContext } from './commit.ts';
import type { ItemState, Journal, Segment } from './journal.ts';
import { journalFolder } from './segment-names.ts';
import { headOf, type OpenedSegment } from './segment.ts';
import { changesOf, streamState, type StateSource } from './state.ts';

function gap(resourceId: string, sequence: number): Error {
  return vaultError('vault.damaged', `Segment ${sequence} of ${resourceId} is missing or does not continue the chain.`, {
    resourceId,
    sequence,
  });
}

/** Segments in order, each checked against the one before it. */
async function* walk(
  chain: Chain,
  resourceId: string,
  range: { from: number; to: number },
): AsyncGenerator<OpenedSegment, void, undefined> {
  const entries = await chain.entries(Math.max(1, range.from - 1));
  const last = await chain.last();
  const end = Math.min(range.to, last?.segment.body.sequence ?? 0);
  let before: OpenedSegment | undefined;
  for (let sequence = range.from; sequence <= end; sequence += 1) {
    const at = entries.findIndex((entry) => entry.sequence === sequence);
    const segment = at < 0 ? undefined : await chain.winner(entries, at);
    if (!segment || (before && segment.body.previousHash !== before.hash)) throw gap(resourceId, sequence);
    before = segment;
    yield segment;
  }
}

/** The nearest checkpoint at or before `target`, and the segments after it, oldest first. */
async function stateSource(chain: Chain, resourceId: string, target: number): Promise<StateSource> {
  const entries = await chain.entries();
  const after: OpenedSegment[] = [];
  let expected: string | null | undefined;
  for (let sequence = target; sequence >= 1; sequence -= 1) {
    const at = entries.findIndex((entry) => entry.sequence === sequence);
    const segment = at < 0 ? undefined : await chain.winner(entries, at);
    if (!segment || (expected !== undefined && segment.hash !== expected)) throw gap(resourceId, sequence);
    if (segment.body.checkpoint) return { base: segment, after: after.toReversed() };
    after.push(segment);
    expected = segment.body.previousHash;
  }
  return { base: undefined, after: after.toReversed() };
}

/** The journal of a resource, by its key: for those who found the folder and do not know the resource yet. */
export function createJournalAt(context: JournalContext, resourceKey: string, knownResourceId?: string): Journal {
  const folder = journalFolder(resourceKey);
  const chain = createChain(context.store, context.keys, folder);
  const resourceId = knownResourceId ?? '';

  async function sequenceAt(time: string): Promise<number> {
    const wanted = Date.parse(time);
    if (Number.isNaN(wanted)) throw vaultError('vault.bad-input', 'A point in time is in ISO 8601.', { field: 'time' });
    let found = 0;
    for await (const segment of walk(chain, resourceId, { from: 1, to: Number.MAX_SAFE_INTEGER })) {
      if (Date.parse(segment.body.at) > wanted) break;
      if (segment.body.restorePoint) found = segment.body.sequence;
    }
    return found;
  }

  async function targetOf(point: { readonly sequence: number } | { readonly time: string } | undefined): Promise<number> {
    const head = (await chain.last())?.segment.body.sequence ?? 0;
    if (!point) return head;
    if ('time' in point) return sequenceAt(point.time);
    if (!Number.isSafeInteger(point.sequence) || point.sequence < 0 || point.sequence > head) {
      throw vaultError('vault.bad-input', `There is no point ${point.sequence}; the last is ${head}.`, { field: 'sequence' });
    }
    return point.sequence;
  }

  return {
    resourceId,
    async head() {
      const last = await chain.last();
      return last ? headOf(last.segment) : null;
    },
    commit: (options) =>
      commitSegment(
        context,
        {
          resourceId,
          folder,
          chain,
          sourceOf: async (last) => (last ? stateSource(chain, resourceId, last.body.sequence) : { base: undefined, after: [] }),
        },
        options,
      ),
    async *segments(options = {}) {
      for await (const opened of walk(chain, resourceId, { from: options.from ?? 1, to: options.to ?? Number.MAX_SAFE_INTEGER })) {
        yield toSegment(context, opened);
      }
    },
    async *stateAt(point): AsyncGenerator<ItemState, void, undefined> {
      const target = await targetOf(point);
      if (target > 0) yield* streamState(context.reader, await stateSource(chain, resourceId, target));
    },
  };
}

export function toSegment(context: Pick<JournalContext, 'reader'>, opened: OpenedSegment): Segment {
  const { resourceId, previousHash, changeCount, summary, checkpoint, changes } = opened.body;
  return {
    ...headOf(opened),
    resourceId,
    previousHash,
    changeCount,
    summary,
    hasCheckpoint: checkpoint !== undefined,
    changes: () => changesOf(context.reader, changes),
  };
}

/** The journal of `resourceId`. */
export function createJournal(context: JournalContext, resourceId: string): Journal {
  if (resourceId.length === 0) throw vaultError('vault.bad-input', 'A resource has an id.', { field: 'resourceId' });
  return createJournalAt(context, context.keys.resourceKey(resourceId), resourceId);
}
