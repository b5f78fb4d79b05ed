import { type Clock, systemClock } from '@holdfast/foundation/clock';

/** The time of the simulated service. Real, or virtual: then it moves only when it is told. */
export interface SimulatorClock extends Clock {
  readonly isVirtual: boolean;
  /** Lets `ms` pass: at once on the virtual clock, as a lasting difference on the real one. */
  advance(ms: number): void;
  /** Puts the clock to `ms` since 1970. */
  setNow(ms: number): void;
}

function createRealClock(): SimulatorClock {
  let skewMs = 0;
  return Object.freeze({
    ...systemClock,
    isVirtual: false,
    nowMs: () => systemClock.nowMs() + skewMs,
    advance(ms: number) {
      skewMs += ms;
    },
    setNow(ms: number) {
      skewMs = ms - systemClock.nowMs();
    },
  });
}

interface Timer {
  readonly atMs: number;
  readonly run: () => void;
}

function createVirtualClock(startMs: number): SimulatorClock {
  let nowMs = startMs;
  const timers = new Set<Timer>();

  function moveTo(ms: number): void {
    nowMs = ms;
    const due = [...timers].filter((timer) => timer.atMs <= nowMs).sort((a, b) => a.atMs - b.atMs);
    for (const timer of due) {
      if (timers.delete(timer)) timer.run();
    }
  }

  function after(ms: number, run: () => void): () => void {
    const timer = { atMs: nowMs + Math.max(0, ms), run };
    timers.add(timer);
    return () => timers.delete(timer);
  }

  return Object.freeze({
    isVirtual: true,
    nowMs: () => nowMs,
    monotonicMs: () => nowMs - startMs,
    sleep(ms: number, signal?: AbortSignal) {
      return new Promise<void>((resolve, reject) => {
        const cancel = after(ms, resolve);
        signal?.addEventListener(
          'abort',
          () => {
            cancel();
            reject(signal.reason as Error);
          },
          { once: true },
        );
      });
    },
    after,
    every(ms: number, run: () => void) {
      let cancel = (): void => undefined;
      const again = (): void => {
        cancel = after(ms, () => {
          run();
          again();
        });
      };
      again();
      return () => cancel();
    },
    advance: (ms: number) => moveTo(nowMs + ms),
    setNow: moveTo,
  });
}

/** The clock of `--clock`; a virtual one stands at `startMs` until it is moved. */
export function createSimulatorClock(kind: 'real' | 'virtual', startMs: number): SimulatorClock {
  return kind === 'real' ? createRealClock() : createVirtualClock(startMs);
}
