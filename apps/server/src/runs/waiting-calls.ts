import type { CallScope } from '@holdfast/m365';
import type { RunContext } from './handler.ts';

/** How the calls of a run are made: while Microsoft 365 is away, they wait and the run says so; `resourceId` narrows that to one resource. */
export function waitingCalls({ progress, signal }: Pick<RunContext, 'progress' | 'signal'>, resourceId?: string): CallScope {
  return { signal, onWaiting: (code) => progress.waitForMicrosoft(resourceId, code) };
}
