import { AppError } from '@holdfast/foundation/errors';
import type { HeldLease, Lease } from '../src/ports/lease.ts';
import type { Problem, Problems } from '../src/ports/problems.ts';

/** Problems in a list. */
export function createProblemList(): Problems & { readonly all: readonly Problem[] } {
  const all: Problem[] = [];
  return {
    all,
    async add(problem) {
      all.push(problem);
    },
  };
}

/** A lease within one process: fencing numbers grow, a second taker is refused, `steal` takes it away. */
export function createMemoryLease(): Lease & { steal(resourceId: string): void } {
  const held = new Map<string, { fence: number; controller: AbortController } | undefined>();
  const fences = new Map<string, number>();

  function next(resourceId: string): number {
    const fence = (fences.get(resourceId) ?? 0) + 1;
    fences.set(resourceId, fence);
    return fence;
  }

  return {
    async acquire(resourceId: string): Promise<HeldLease> {
      if (held.get(resourceId)) throw new AppError('lease.taken', { details: { resourceId } });
      const fence = next(resourceId);
      const controller = new AbortController();
      const own = { fence, controller };
      held.set(resourceId, own);
      return {
        fence,
        signal: controller.signal,
        async confirm() {
          if (held.get(resourceId) !== own) throw new AppError('lease.lost', { details: { resourceId } });
        },
        async release() {
          if (held.get(resourceId) === own) held.set(resourceId, undefined);
        },
      };
    },
    steal(resourceId: string) {
      held.get(resourceId)?.controller.abort(new AppError('lease.lost'));
      held.set(resourceId, undefined);
      next(resourceId);
    },
  };
}
