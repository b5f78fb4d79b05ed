import type { RunResult } from '@holdfast/engine';
import type { Clock } from '@holdfast/foundation/clock';
import { isAppError } from '@holdfast/foundation/errors';
import type { RunContext, RunOutcome } from '../../runs/handler.ts';
import type { AccountEnding, RunAccountsStore, RunCountsSoFar } from '../../runs/index.ts';
import type { KnownResource, ResourcesStore } from '../../storage/catalog/resources.store.ts';

const LEASE_TRIES = 4;
const LEASE_WAIT_MS = 15_000;

/** A run with one resource that failed or is defective is never silently successful. */
function statusOf(statuses: readonly RunResult['status'][]): RunOutcome['status'] {
  const isBad = (status: RunResult['status']): boolean => status === 'failed' || status === 'cancelled';
  if (statuses.every((status) => status === 'successful' || status === 'excluded')) return 'successful';
  return statuses.every(isBad) ? 'failed' : 'defective';
}

/** How a run ended, and why it failed: the error of all its resources, when it is the same one. */
function endingOf(endings: readonly AccountEnding[]): Pick<RunOutcome, 'status' | 'code'> {
  const status = statusOf(endings.map((one) => one.status));
  const [first = null, ...others] = new Set(endings.map(({ code }) => code));
  return { status, code: status === 'failed' && others.length === 0 ? first : null };
}

/** What the resources of a run came to. */
export function createTally(accounts: Pick<RunAccountsStore, 'endings' | 'committed'>) {
  const counts: { -readonly [K in keyof RunCountsSoFar]: RunCountsSoFar[K] } = {
    added: 0,
    changed: 0,
    removed: 0,
    unchanged: 0,
    gone: 0,
    excluded: 0,
    newBytes: 0,
    storedBytes: 0,
  };
  let erasedBefore = 0;
  return {
    add(result: RunResult): void {
      for (const name of ['added', 'changed', 'removed', 'unchanged', 'gone', 'excluded'] as const) counts[name] += result.counts[name];
      counts.newBytes += result.newBytes;
      counts.storedBytes += result.storedBytes;
      erasedBefore += result.counts.erasedBefore ?? 0;
    },
    async outcome({ run, scope }: Pick<RunContext, 'run' | 'scope'>): Promise<RunOutcome> {
      const ending = endingOf(await accounts.endings(scope, run.runId));
      // What an earlier holder of the run has committed is not in this tally, and belongs to the run.
      const all = run.isResumed ? { ...counts, ...(await accounts.committed(scope, run.runId)) } : counts;
      return { ...ending, counts: all, ...(erasedBefore === 0 ? {} : { result: { erasedBefore } }) };
    },
  };
}

/** Those that have not ended in an earlier attempt of this run, largest first. */
export async function openResources(
  { accounts, resources }: { readonly accounts: Pick<RunAccountsStore, 'begin'>; readonly resources: Pick<ResourcesStore, 'sizes'> },
  {
    run,
    scope,
    progress,
  }: Pick<RunContext, 'scope' | 'progress'> & { readonly run: { readonly runId: string; readonly locationId: string } },
  known: readonly KnownResource[],
): Promise<readonly KnownResource[]> {
  const ids = known.map((one) => one.resourceId);
  const states = new Map((await accounts.begin(scope, run.runId, ids)).map((state) => [state.resourceId, state.status]));
  progress.expect(states.size);
  const sizes = await resources.sizes(scope, run.locationId, ids);
  const open = known.filter((one) => {
    const isOpen = states.get(one.resourceId) === 'pending' || states.get(one.resourceId) === 'running';
    if (!isOpen) progress.ended(one.resourceId);
    return isOpen;
  });
  return open.sort((a, b) => (sizes.get(b.resourceId) ?? 0) - (sizes.get(a.resourceId) ?? 0));
}

/** Works on a resource once no other run holds its lease; waits a little for one that does. */
export async function onceFree<T>(clock: Clock, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (let turn = 1; ; turn += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isAppError(error, 'lease.taken') || turn >= LEASE_TRIES) throw error;
      await clock.sleep(LEASE_WAIT_MS, signal);
    }
  }
}
