import { now, type Clock } from '@holdfast/foundation/clock';
import { isGraphError, type GraphClient } from '@holdfast/m365';
import type { RunContext } from '../../runs/handler.ts';
import { waitingCalls } from '../../runs/waiting-calls.ts';
import type { TenantGraph } from '../backup/index.ts';
import type { PlannedFile, TrimmedVersionsStore } from './trimmed-versions.store.ts';

export interface TrimmedVersionsOptions {
  readonly trimmed: TrimmedVersionsStore;
  readonly graph: TenantGraph;
  readonly clock: Clock;
}

/** Which of the planned versions Microsoft 365 no longer lists. A file that cannot be asked for is asked for again by the next scan. */
async function goneOf(graph: GraphClient, { itemKey, labels }: PlannedFile): Promise<readonly string[]> {
  const at = itemKey.lastIndexOf(':');
  const there = new Set<string>();
  try {
    for await (const { id } of graph.drives.versions({ driveId: itemKey.slice(0, at), itemId: itemKey.slice(at + 1) }))
      if (id !== undefined) there.add(id);
  } catch (error) {
    if (!isGraphError(error)) throw error;
    return [];
  }
  // Every file has a version at least: a list of none says nothing.
  return there.size === 0 ? [] : labels.filter((label) => !there.has(label));
}

/**
 * Asks Microsoft 365 for the versions of exactly those files that downloaded scripts of clean-ups trim. No delta names them: reports
 * would count what is deleted until somebody changes the file.
 */
export async function noteTrimmed(options: TrimmedVersionsOptions, context: Pick<RunContext, 'scope' | 'run' | 'progress' | 'signal'>) {
  const { trimmed, clock } = options;
  const { scope, run, signal } = context;
  const files = await trimmed.files(scope, run.tenantId, now(clock));
  if (files.length === 0) return;
  await options.graph.use(scope, run.tenantId, async (client) => {
    const graph = client.with(waitingCalls(context));
    for (const file of files) {
      signal.throwIfAborted();
      await trimmed.note(scope, file, await goneOf(graph, file), now(clock));
    }
  });
}
