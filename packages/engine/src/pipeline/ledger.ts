import type { RunCounts } from '../ports/run.ts';
import type { ItemVersion } from '../ports/item.ts';
import type { Problem, Problems } from '../ports/problems.ts';
import type { CursorState, Excluded, Unread } from './cursor-state.ts';
import { adviceFor, type FailureClass } from './failure.ts';
import { GONE_ITEM, GONE_PART, gonePartsOf, MISSING_ITEM, WHOLE, type MissedSince } from './gone.ts';
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
  readonly missedSince: MissedSince;
}

/** What a run has done so far, and what it could not do: in the counts, in the cursor and in the error list. */
export interface Ledger {
  readonly counts: Counts;
  fail(failure: Failure): Promise<void>;
  exclude(exclusion: Exclusion): Promise<void>;
  /** Parts of an item that are gone for good: named once in the report, and as long as it lacks them among what is not protected. */
  noteGone(item: ItemVersion, before: { readonly noted: Excluded | undefined; readonly isChanged: boolean }): Promise<void>;
  /** A put that failed: gone, excluded or recorded. */
  problem(draft: Draft, failure: FailureClass): Promise<void>;
  /** Items of earlier error lists that nobody tried in this run are told again. */
  tellUntried(): Promise<void>;
}

/** An empty ledger. */
export function createLedger(options: LedgerOptions): Ledger {
  const { state, known, problems, meter, resourceId, runId, missedSince } = options;
  const counts: Counts = { seen: 0, added: 0, changed: 0, removed: 0, unchanged: 0, gone: 0, failed: 0, excluded: 0 };
  const told = new Set<string>();
  const reported = new Set<string>();

  async function report(problem: Omit<Problem, 'resourceId' | 'runId'>): Promise<void> {
    await problems.add({ resourceId, runId, ...problem });
  }

  async function fail(failure: Failure): Promise<void> {
    const { key, kind, parentKey, name, code, tried, advice, requestId, part, since } = failure;
    told.add(key);
    const gone = { ...state.unread.get(key)?.gone, ...(part === undefined || since === undefined ? {} : { [part]: since }) };
    state.unread.set(key, { key, kind, parentKey, name, code, ...(Object.keys(gone).length > 0 ? { gone } : {}) });
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

  async function noteGone(item: ItemVersion, { noted, isChanged }: { readonly noted: Excluded | undefined; readonly isChanged: boolean }) {
    const { key, kind, parentKey, name } = item;
    if (gonePartsOf(item).length === 0) return;
    if (noted && !isChanged) state.excluded.set(key, noted);
    else await exclude({ key, kind, path: await pathOf(known, parentKey, name), code: GONE_PART, advice: 'notPossible' });
  }

  /**
   * Named, and said to be deleted when it was read. Once that is no error: it was deleted meanwhile, or soon will be told to be.
   * Whoever is named by the next run again is missed, and after a week of that counts as gone for good: it is looked for
   * all the same, and each run says so.
   */
  async function missed({ key, kind, parentKey, ...draft }: Pick<Draft, 'key' | 'kind' | 'parentKey' | 'name'>, tried: readonly string[]) {
    const name = draft.name ?? '';
    const { since, isKnown, isForGood } = missedSince(key, WHOLE);
    if (isKnown && !isForGood) {
      await fail({ key, kind, parentKey, name, code: MISSING_ITEM, tried, advice: adviceFor(MISSING_ITEM), part: WHOLE, since });
      return;
    }
    told.add(key);
    state.unread.set(key, { key, kind, parentKey, name, code: isForGood ? GONE_ITEM : GONE, gone: { [WHOLE]: since } });
    if (isForGood) await tellGone({ key, kind, parentKey, name });
    else counts.gone += 1;
  }

  async function tellGone({ key, kind, parentKey, name }: Pick<Unread, 'key' | 'kind' | 'parentKey' | 'name'>): Promise<void> {
    counts.excluded += 1;
    const path = await pathOf(known, parentKey, name);
    await report({ itemKey: key, kind, path, outcome: 'excluded', code: GONE_ITEM, tried: [], advice: 'notPossible' });
  }

  async function problem(draft: Draft, failure: FailureClass): Promise<void> {
    const { key, kind, parentKey } = draft;
    const name = draft.name ?? '';
    const { code, advice, requestId } = failure;
    if (failure.effect === 'gone') {
      await missed(draft, failure.tried);
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
      else if (code === GONE_ITEM) await tellGone({ key, kind, parentKey, name });
      else await fail({ key, kind, parentKey, name, code, tried: [], advice: adviceFor(code) });
    }
  }

  return { counts, fail, exclude, noteGone, problem, tellUntried };
}
