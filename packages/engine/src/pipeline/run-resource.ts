import { mapConcurrent } from '@holdfast/foundation/concurrency';
import type { RunCounts } from '../ports/run.ts';
import type { Problems } from '../ports/problems.ts';
import type { Committer } from './committer.ts';
import type { CursorState } from './cursor-state.ts';
import type { Overlay } from './known-items.ts';
import { createLedger } from './ledger.ts';
import type { MissedSince } from './gone.ts';
import type { Meter } from './meter.ts';
import type { PutResult, PutStep, Reading } from './reading.ts';
import type { Defect, Failure, Step } from './step.ts';
import type { ItemVersion } from '../ports/item.ts';

/** When a run commits what it has so far: whichever comes first, at the next cursor. */
export interface CheckpointRule {
  readonly items: number;
  readonly bytes: number;
}

export interface RunResourceOptions {
  readonly resourceId: string;
  readonly runId: string;
  readonly steps: AsyncIterable<Step>;
  readonly state: CursorState;
  readonly committer: Committer;
  readonly reading: Reading;
  readonly known: Overlay;
  readonly problems: Problems;
  readonly meter: Meter;
  readonly missedSince: MissedSince;
  readonly concurrency: number;
  readonly checkpoint: CheckpointRule;
  readonly signal: AbortSignal;
}

type OtherStep = Exclude<Step, PutStep>;

type Processed =
  | { readonly step: PutStep; readonly result: PutResult; readonly promise: Promise<PutResult> }
  | { readonly step: OtherStep; readonly result?: never };

function forgetProblems(state: CursorState, key: string): void {
  state.unread.delete(key);
  state.excluded.delete(key);
}

function leaveOut(counts: { erasedBefore?: number }, state: CursorState, key: string): void {
  counts.erasedBefore = (counts.erasedBefore ?? 0) + 1;
  forgetProblems(state, key);
}

function failuresOf({ key, kind, parentKey, name }: ItemVersion, defects: readonly Defect[]): readonly Failure[] {
  return defects.map((defect) => ({ key, kind, parentKey, name, ...defect, advice: 'checkSource' }));
}

/** Takes the steps of one resource through reading and commits; returns the counts. Throws what ends the run. */
export async function runResource(options: RunResourceOptions): Promise<RunCounts> {
  const { state, committer, reading, known, meter, signal } = options;
  const ledger = createLedger(options);
  const { counts } = ledger;

  async function applyPut(step: PutStep, result: PutResult): Promise<void> {
    const { key } = step.draft;
    if (result.kind === 'erased') return leaveOut(counts, state, key);
    counts.seen += 1;
    if (result.kind === 'problem') {
      await ledger.problem(step.draft, result.failure);
      return;
    }
    const noted = state.excluded.get(key);
    forgetProblems(state, key);
    const { item, defects } = result;
    if (result.kind === 'unchanged') {
      counts.unchanged += 1;
      meter.done(0);
    } else {
      const { previous } = result;
      committer.put(item, previous === undefined);
      if (previous) counts.changed += 1;
      else counts.added += 1;
      meter.done(previous?.contentTag === item.contentTag ? 0 : item.sizeBytes);
    }
    await ledger.noteGone(item, { noted, isChanged: result.kind === 'changed' });
    for (const failure of failuresOf(item, defects)) await ledger.fail(failure);
  }

  async function checkpoint(): Promise<void> {
    const { items, bytes } = options.checkpoint;
    if (committer.changes < items && committer.bytes < bytes) return;
    await committer.commit(state, { point: false, summary: { ...counts } });
    known.clear(reading.inFlight);
  }

  async function applyOther(step: OtherStep): Promise<void> {
    switch (step.step) {
      case 'remove':
        counts.removed += 1;
        committer.remove(step.key);
        forgetProblems(state, step.key);
        return;
      case 'cursor':
        if (step.value === null) state.scopes.delete(step.scope);
        else state.scopes.set(step.scope, step.value);
        await checkpoint();
        return;
      case 'exclude':
        await ledger.exclude(step.exclusion);
        return;
      case 'erasedBefore':
        return leaveOut(counts, state, step.key);
      case 'failed':
        await ledger.fail(step.failure);
        return;
      case 'resolved':
        forgetProblems(state, step.key);
    }
  }

  async function take(step: Step): Promise<Processed> {
    if (step.step !== 'put') {
      if (step.step === 'remove') known.remove(step.key);
      return { step };
    }
    const promise = reading.start(step);
    return { step, result: await promise, promise };
  }

  for await (const processed of mapConcurrent(options.steps, options.concurrency, take)) {
    signal.throwIfAborted();
    if (processed.result) {
      const { step, result, promise } = processed;
      await applyPut(step, result);
      reading.settle(step.draft.key, promise, committer.pendingOf(step.draft.key));
    } else {
      await applyOther(processed.step);
    }
  }
  await ledger.tellUntried();
  return counts;
}
