import type { RestoreResult, RunResult } from '@holdfast/engine';
import type { RunOutcome } from '../../runs/handler.ts';

/** What became of items: of a batch, of a resource, of the run. */
export type Restored = Pick<RestoreResult, 'counts' | 'bytes' | 'code'>;

const none = { restored: 0, skipped: 0, renamed: 0, replaced: 0, failed: 0, notPossible: 0 } as const satisfies RestoreResult['counts'];
export const noRestored: Restored = { counts: none, bytes: 0 };

/** The sum of two; the first reason stays. */
export function addCounts(one: Restored, other: Restored): Restored {
  const names = Object.keys(none) as (keyof typeof none)[];
  const counts = Object.fromEntries(names.map((name) => [name, one.counts[name] + other.counts[name]])) as Restored['counts'];
  const code = one.code ?? other.code;
  return { counts, bytes: one.bytes + other.bytes, ...(code === undefined ? {} : { code }) };
}

/** How everything together ended, for the account of a resource and for the run. */
export function combined(results: readonly Restored[]): {
  readonly isFailed: boolean;
  readonly account: Pick<RunResult, 'status' | 'counts' | 'bytesRead' | 'sequence' | 'code'>;
  readonly outcome: RunOutcome;
} {
  const { counts, bytes, code } = results.reduce(addCounts, noRestored);
  const { restored, renamed, replaced, skipped, failed, notPossible } = counts;
  const done = restored + renamed + replaced + skipped;
  const isFailed = done === 0 && failed + notPossible > 0;
  const status = isFailed ? 'failed' : failed + notPossible > 0 || code !== undefined ? 'defective' : 'successful';
  const figures = { added: restored + renamed, changed: replaced, removed: 0, unchanged: skipped, gone: 0 };
  return {
    isFailed,
    account: {
      status,
      counts: { ...figures, seen: done + failed + notPossible, failed, excluded: notPossible },
      bytesRead: bytes,
      sequence: null,
      ...(code === undefined ? {} : { code }),
    },
    outcome: {
      status,
      code: isFailed ? (code ?? null) : null,
      counts: { ...figures, excluded: notPossible, newBytes: bytes, storedBytes: 0 },
    },
  };
}
