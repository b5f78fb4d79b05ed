import type { Clock } from '@holdfast/foundation/clock';
import type { RunFigures } from './run.ts';

type Waited = RunFigures['waited'];
type Awaited = keyof Waited;

/** For how long a run has waited, and for what. */
export interface Waits {
  /** One of its parts begins to wait, unless it does already. */
  begin(what: Awaited, part?: string): void;
  end(what: Awaited, part?: string): void;
  /** In milliseconds, with the waits that go on. */
  read(): Waited;
}

interface Open {
  readonly parts: Set<string | undefined>;
  sinceMs: number;
}

/** Parts that wait for the same at once count once: what is told is how long the run would have been shorter at the most. */
export function createWaits(clock: Pick<Clock, 'monotonicMs'>, before: Waited): Waits {
  const sums = { ...before };
  const open: Readonly<Record<Awaited, Open>> = {
    microsoft: { parts: new Set(), sinceMs: 0 },
    storage: { parts: new Set(), sinceMs: 0 },
    database: { parts: new Set(), sinceMs: 0 },
  };
  const lasting = ({ parts, sinceMs }: Open): number => (parts.size === 0 ? 0 : Math.round(clock.monotonicMs() - sinceMs));

  return Object.freeze<Waits>({
    begin(what, part) {
      const one = open[what];
      if (one.parts.size === 0) one.sinceMs = clock.monotonicMs();
      one.parts.add(part);
    },
    end(what, part) {
      const one = open[what];
      const ms = lasting(one);
      if (one.parts.delete(part) && one.parts.size === 0) sums[what] += ms;
    },
    read: () => ({
      microsoft: sums.microsoft + lasting(open.microsoft),
      storage: sums.storage + lasting(open.storage),
      database: sums.database + lasting(open.database),
    }),
  });
}
