/** A restore that has ended. */
export interface MeasuredRestore {
  readonly items: number;
  readonly bytes: number;
  readonly seconds: number;
}

/** What Microsoft 365 takes on a good day, for an organisation that has not restored yet. */
const SECONDS_PER_ITEM = 1 / 4;

interface Pace {
  readonly perItem: number;
  readonly perByte: number;
}

/** Seconds for each item and each byte that explain the measured restores best (least squares), neither below zero. */
function paceOf(measured: readonly MeasuredRestore[]): Pace {
  const sum = (pick: (run: MeasuredRestore) => number): number => measured.reduce((total, run) => total + pick(run), 0);
  const ii = sum(({ items }) => items * items);
  const ib = sum(({ items, bytes }) => items * bytes);
  const bb = sum(({ bytes }) => bytes * bytes);
  const it = sum(({ items, seconds }) => items * seconds);
  const bt = sum(({ bytes, seconds }) => bytes * seconds);
  const byItems = { perItem: ii === 0 ? SECONDS_PER_ITEM : it / ii, perByte: 0 };
  const determinant = ii * bb - ib * ib;
  // Restores that are all alike do not tell how much of their time the bytes took.
  if (determinant <= 1e-6 * ii * bb) return byItems;
  const pace = { perItem: (it * bb - bt * ib) / determinant, perByte: (bt * ii - it * ib) / determinant };
  if (pace.perByte < 0) return byItems;
  return pace.perItem < 0 ? { perItem: 0, perByte: bt / bb } : pace;
}

/** How long a restore is likely to take, learnt from the last ones of the same kind. */
export function expectedSeconds({ items, bytes }: Omit<MeasuredRestore, 'seconds'>, measured: readonly MeasuredRestore[]): number {
  const { perItem, perByte } = paceOf(measured);
  const seconds = items * perItem + bytes * perByte;
  // What the arithmetic of floating point adds is no second.
  return Math.max(0, Math.ceil(seconds - 1e-6));
}
