import type { RunCounts } from '../backup/run.ts';
import type { Problem, Problems } from '../ports/problems.ts';
import type { CursorState } from './cursor-state.ts';
import { adviceFor, type FailureClass } from './failure.ts';
import type { KnownItems } from './known-items.ts';
import type { Meter } from './meter.ts';
import { pathOf } from './path.ts';
import type { Draft, Exclusion, Failure } from './step.ts';

type Counts = { -readonly [Name in keyof RunCounts]: RunCounts[Name] };

/** Said to be deleted while it was read: looked for once more in the next run, because a gateway can say so wrongly. */
const GONE = 'engine.gone';

export interface LedgerOptions {
  readonly resourceId: string;
  readonly runId: string;
  readonly state: CursorState;
  readonly known: KnownItems;
  readonly problems: Problems;
  readonly meter: Meter;
}

/** What a run has done so far, and what it could not do: in the counts, in the cursor and in the error list. */
export interface Ledger {
  readonly counts: Counts;
  fail(failure: Failure): Promise<void>;
  exclude(exclusion: Exclusion): Promise<void>;
  /** A put that failed: gone, excluded or recorded. */
  problem(draft: Draft, failure: FailureClass): Promise<void>;
  /** Items of earlier error lists that nobody tried in this run are told again. */
  tellUntried(): Promise<void>;
}

/** An empty ledger. */
export function createLedger(options: LedgerOptions): Ledger {
  const { state, known, problems, meter, resourceId, runId } = options;
  const counts: Counts = { seen: 0, added: 0, changed: 0, removed: 0, unchanged: 0, gone: 0, failed: 0, excluded: 0 };
  const told = new Set<string>();
  const reported = new Set<string>();

  async function report(problem: Omit<Problem, 'resourceId' | 'runId'>): Promise<void> {
    await problems.add({ resourceId, runId, ...problem });
  }

  async function fail(failure: Failure): Promise<void> {
    const { key, kind, parentKey, name, code, tried, advice, requestId } = failure;
    told.add(key);
    state.unread.set(key, { key, kind, parentKey, name, code });
    // What is found in two ways is put twice, and fails twice.
    const failing = [key, code, ...tried].join('\n');
    if (reported.has(failing)) return;
    reported.add(failing);
    counts.failed += 1;
    meter.error();
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

  async function problem(draft: Draft, failure: FailureClass): Promise<void> {
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

  async function tellUntried(): Promise<void> {
    for (const { key, kind, parentKey, name, code } of state.unread.values()) {
      if (told.has(key)) continue;
      if (code === GONE) state.unread.delete(key);
      else await fail({ key, kind, parentKey, name, code, tried: [], advice: adviceFor(code) });
    }
  }

  return { counts, fail, exclude, problem, tellUntried };
}
