import type { EarlierWork, RestoreReport } from './request.ts';

/** Something at the target. */
interface Thing {
  readonly id: string;
}

/** Keeps apart what was at the target before and what this run has written there, also when the worker that wrote it is dead. */
export interface Beginnings {
  /** An earlier worker had begun this item. */
  isBegun(key: string): boolean;
  /** Those of these things that an earlier worker made of this item and did not come to tell of. They may be half. */
  leftOf<Found extends Thing>(key: string, there: readonly Found[]): Promise<readonly Found[]>;
  /** Durable when it returns: this item is about to be written beside these things. */
  begin(key: string, there: readonly Thing[]): Promise<void>;
}

export function createBeginnings(report: RestoreReport, earlier: EarlierWork | undefined): Beginnings {
  return {
    isBegun: (key) => earlier?.begun.has(key) ?? false,
    async leftOf(key, there) {
      const before = earlier?.begun.get(key);
      if (!earlier || !before) return [];
      const since = there.filter(({ id }) => !before.includes(id));
      // Another item of the same looks may have come to its end.
      const told = await earlier.targets(since.map(({ id }) => id));
      return since.filter(({ id }) => !told.has(id));
    },
    // What lay there when the item was begun for the first time stays what was there.
    begin: (key, there) => report.begin(key, earlier?.begun.get(key) ?? there.map(({ id }) => id)),
  };
}
