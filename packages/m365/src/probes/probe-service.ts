import { isAppError } from '@holdfast/foundation/errors';
import { directoryProbes } from './directory-probes.ts';
import type { Probe } from './probe.ts';
import { AnsweredOtherwise, NotAsked } from './probe-errors.ts';
import type { ProbeResult } from './probe-result.ts';
import type { ServiceReader } from './service-reader.ts';
import { collaborationProbes, driveProbes, mailProbes } from './workload-probes.ts';

/** Everything that is tried, in the order it is printed. */
export const probes: readonly Probe[] = [...directoryProbes, ...mailProbes, ...driveProbes, ...collaborationProbes];

async function resultOf({ name, relies, difference }: Probe, service: ServiceReader): Promise<ProbeResult> {
  try {
    const detail = await difference(service);
    return detail === undefined ? { name, relies, outcome: 'as expected' } : { name, relies, outcome: 'different', detail };
  } catch (error) {
    if (error instanceof NotAsked) return { name, relies, outcome: 'not asked', detail: error.message };
    if (error instanceof AnsweredOtherwise) return { name, relies, outcome: 'different', detail: error.message };
    // A sign-in that is refused ends everything; a connection that breaks, one probe.
    if (isAppError(error) && error.code === 'graph.network') return { name, relies, outcome: 'not asked', detail: 'the connection broke' };
    throw error;
  }
}

/** Tries each behaviour once, one after the other. */
export async function* probeService(service: ServiceReader): AsyncGenerator<ProbeResult, void, undefined> {
  for (const probe of probes) yield await resultOf(probe, service);
}
