import { mapConcurrent } from '@holdfast/foundation/concurrency';
import type { RunCounts } from '../backup/run.ts';
import type { Problem, Problems } from '../ports/problems.ts';
import type { Committer } from './committer.ts';
import type { CursorState } from './cursor-state.ts';
import { adviceFor } from './failure.ts';
import type { Overlay } from './known-items.ts';
import type { Meter } from './meter.ts';
import { pathOf } from './path.ts';
import type { PutResult, PutStep, Reading } from './reading.ts';
import type { Exclusion, Failure, Step } from './step.ts';

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
  readonly concurrency: number;
  readonly checkpoint: CheckpointRule;
  readonly signal: AbortSignal;
}

/** Said to be deleted while it was read: looked for once more in the next run, because a gateway can say so wrongly. */
const GONE = 'engine.gone';

type Counts = { -readonly [Name in keyof RunCounts]: RunCounts[Name] };

type Processed =
  | { readonly step: PutStep; readonly result: PutResult; readonly promise: Promise<PutResult> }
  | { readonly step: Exclude<Step, PutStep>; readonly result?: never };

/** Takes the steps of one resource through reading and commits; returns the counts. Throws what ends the run. */
export async function runResource(options: RunResourceOptions): Promise<RunCounts> {
  const { state, committer, reading, known, problems, meter, signal } = options;
  const counts: Counts = { seen: 0, added: 0, changed: 0, removed: 0, unchanged: 0, gone: 0, failed: 0, excluded: 0 };

  /** Failures of this run: what earlier runs could not read and this one did not try is told again. */
  const told = new Set<string>();

  async function report(problem: Omit<Problem, 'resourceId' | 'runId'>): Promise<void> {
    await problems.add({ resourceId: options.resourceId, runId: options.runId, ...problem });
  }

  async function fail(failure: Failure): Promise<void> {
    const { key, kind, parentKey, name, code, tried, advice, requestId } = failure;
    told.add(key);
    counts.failed += 1;
    meter.error();
    state.unread.set(key, { key, kind, parentKey, name, code });
    const path = await pathOf(known, parentKey, name);
    const request = requestId === undefined ? {} : { requestId };
    await report({ itemKey: key, kind, path, outcome: 'recorded', code, tried, advice, ...request });
  }

  async function exclude(exclusion: Exclusion): Promise<void> {
    const { key, kind, path, code, advice } = exclusion;
    counts.excluded += 1;
    state.unread.delete(key);
    state.excluded.set(key, { kind, path, code });
    await report({ itemKey: key, kind, path, outcome: 'excluded', code, tried: [], advice });
  }

  async function applyProblem({ draft }: PutStep, failure: Extract<PutResult, { kind: 'problem' }>['failure']): Promise<void> {
    const { key, kind, parentKey } = draft;
    const name = draft.name ?? '';
    const { code, advice, requestId } = failure;
    if (failure.effect === 'gone') {
      counts.gone += 1;
      state.unread.set(key, { key, kind, parentKey, name, code: GONE });
      told.add(key);
      return;
    }
    if (failure.effect === 'exclude') {
      await exclude({ key, kind, path: await pathOf(known, parentKey, name), code, advice });
      return;
    }
    const request = requestId === undefined ? {} : { requestId };
    await fail({ key, kind, parentKey, name, code, tried: failure.tried, advice, ...request });
  }

  async function applyPut(step: PutStep, result: PutResult): Promise<void> {
    const { key } = step.draft;
    counts.seen += 1;
    if (result.kind === 'problem') {
      await applyProblem(step, result.failure);
      return;
    }
    state.unread.delete(key);
    state.excluded.delete(key);
    if (result.kind === 'unchanged') {
      counts.unchanged += 1;
      meter.done(0);
      return;
    }
    const { item, previous, defects } = result;
    committer.put(item, previous === undefined);
    if (previous) counts.changed += 1;
    else counts.added += 1;
    meter.done(previous?.contentTag === item.contentTag ? 0 : item.sizeBytes);
    for (const defect of defects) {
      const { key: itemKey, kind, parentKey, name } = item;
      await fail({ key: itemKey, kind, parentKey, name, ...defect, advice: 'checkSource' });
    }
  }

  async function checkpoint(): Promise<void> {
    const { items, bytes } = options.checkpoint;
    if (committer.changes < items && committer.bytes < bytes) return;
    await committer.commit(state, { point: false, summary: { ...counts } });
    known.clear(reading.inFlight);
  }

  async function applyOther(step: Exclude<Step, PutStep>): Promise<void> {
    switch (step.step) {
      case 'remove':
        counts.removed += 1;
        committer.remove(step.key);
        state.unread.delete(step.key);
        state.excluded.delete(step.key);
        return;
      case 'cursor':
        if (step.value === null) state.scopes.delete(step.scope);
        else state.scopes.set(step.scope, step.value);
        await checkpoint();
        return;
      case 'exclude':
        await exclude(step.exclusion);
        return;
      case 'failed':
        await fail(step.failure);
        return;
      case 'resolved':
        state.unread.delete(step.key);
        state.excluded.delete(step.key);
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
  for (const { key, kind, parentKey, name, code } of state.unread.values()) {
    if (told.has(key)) continue;
    if (code === GONE) state.unread.delete(key);
    else await fail({ key, kind, parentKey, name, code, tried: [], advice: adviceFor(code) });
  }
  return counts;
}
