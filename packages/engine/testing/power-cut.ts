import type { BlobStore } from '@holdfast/vault';
import type { Catalog } from '../src/ports/catalog.ts';

/** What goes dark: the worker with all it does, the database under it, or the store. */
export const darknesses = ['worker', 'database', 'store'] as const;
export type Darkness = (typeof darknesses)[number];

/** What a run writes through, ended at one operation: from there on nothing of what went dark has any effect. */
export interface PowerCut {
  readonly store: BlobStore;
  readonly catalog: Catalog;
  readonly hasHappened: boolean;
}

const STORE_CALLS = ['put', 'get', 'stat', 'delete', 'extendLock'] as const;
const CATALOG_CALLS = ['head', 'apply', 'lookup', 'points'] as const;

/**
 * Ends `what` at its `nth` operation, before it (nothing of it happened) or after it (it happened, and nobody heard). A
 * process that dies runs no clean-up; here clean-up runs and reaches nothing, which is the same to what stays.
 */
export function createPowerCut(
  parts: { readonly store: BlobStore; readonly catalog: Catalog },
  { what, nth, isAfter }: { readonly what: Darkness; readonly nth: number; readonly isAfter: boolean },
): PowerCut {
  let operations = 0;
  let isDark = false;

  async function guarded<Result>(work: () => Promise<Result>): Promise<Result> {
    if (isDark) throw new Error(`The ${what} is gone.`);
    operations += 1;
    if (operations < nth) return work();
    isDark = true;
    if (isAfter) await work();
    throw new Error(`The ${what} went dark.`);
  }

  type Call = (...values: readonly unknown[]) => Promise<unknown>;
  function wrapped<Part extends object>(part: Part, calls: readonly (keyof Part & string)[], goesDark: boolean): Part {
    if (!goesDark) return part;
    const through = (name: keyof Part): Call => {
      const call = part[name] as Call;
      return (...values) => guarded(() => call(...values));
    };
    return { ...part, ...Object.fromEntries(calls.map((name) => [name, through(name)])) };
  }

  return {
    store: wrapped(parts.store, STORE_CALLS, what !== 'database'),
    catalog: wrapped(parts.catalog, CATALOG_CALLS, what !== 'store'),
    get hasHappened() {
      return isDark;
    },
  };
}
