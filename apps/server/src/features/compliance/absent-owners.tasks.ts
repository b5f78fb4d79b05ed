import { now, type Clock } from '@holdfast/foundation/clock';
import { isAppError } from '@holdfast/foundation/errors';
import { isGraphError, type GraphClient } from '@holdfast/m365';
import type { RunContext } from '../../runs/handler.ts';
import { waitingCalls } from '../../runs/waiting-calls.ts';
import type { TenantGraph } from '../backup/index.ts';
import type { AbsentOwnersStore } from './absent-owners.store.ts';

export interface AbsentOwnersOptions {
  readonly owners: AbsentOwnersStore;
  readonly graph: TenantGraph;
  readonly clock: Clock;
}

/** Asks the directory for somebody; undefined for an ID that is none of a person. */
async function isGone(graph: GraphClient, userId: string): Promise<boolean | undefined> {
  try {
    await graph.directory.user({ userId });
    return false;
  } catch (error) {
    if (isGraphError(error, 'graph.resource-gone')) return true;
    if (isGraphError(error, 'graph.bad-request')) return undefined;
    throw error;
  }
}

/**
 * Asks the directory for owners of files of whom neither mailbox nor OneDrive is protected: people who had left before the first backup are
 * known from their files alone.
 */
export async function noteAbsentOwners(options: AbsentOwnersOptions, context: Pick<RunContext, 'scope' | 'run' | 'progress' | 'signal'>) {
  const { owners, clock } = options;
  const { scope, run, signal } = context;
  const unasked = await owners.unasked(scope, run.tenantId, now(clock));
  if (unasked.length === 0) return;
  try {
    await options.graph.use(scope, run.tenantId, async (client) => {
      const graph = client.with(waitingCalls(context));
      for (const ownerId of unasked) {
        signal.throwIfAborted();
        const found = await isGone(graph, ownerId);
        if (found !== undefined) await owners.note(scope, run.tenantId, { ownerId, isGone: found }, now(clock));
      }
    });
  } catch (error) {
    // The report is worth having without it: the next scan asks again.
    if (!isAppError(error)) throw error;
  }
}
