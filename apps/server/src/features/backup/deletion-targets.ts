import type { JobSource } from '@holdfast/contract/jobs';
import type { Workload } from '@holdfast/contract/values';
import type { Coverage } from './covered-resources.ts';
import type { ResourceWorkload } from '../../storage/catalog/resources.store.ts';

/** A resource that a location holds, as a deletion looks at it. */
export interface HeldTarget {
  readonly graphId: string;
  readonly address: string;
  readonly workload: ResourceWorkload;
}

/** Asks Microsoft 365 what a source covers now. */
export type LookUp = (source: JobSource) => Promise<Coverage>;

/** What is spared: all that the excluded, and the members of excluded groups, have now, and what bears their address although the directory has them no more. */
async function sparedBy(lookUp: LookUp, source: JobSource): Promise<(held: HeldTarget) => boolean> {
  const { excluded } = source;
  const all = { users: excluded, groups: excluded, sites: excluded, teams: excluded };
  const now = await lookUp({ ...source, ...all, everyone: false, excluded: [] });
  const ids = new Set([...excluded.map(({ id }) => id), ...now.resources.map(({ graphId }) => graphId)]);
  const addresses = new Set(excluded.map(({ address }) => address.toLowerCase()).filter((address) => address !== ''));
  return (held) => ids.has(held.graphId) || addresses.has(held.address.toLowerCase());
}

/**
 * Whether a deletion names a resource: never one of another workload, which other jobs of the same location
 * fill. Everyone means what the location holds, also of those who have left; the excluded are spared.
 */
export async function deletionTargets(
  lookUp: LookUp,
  { workload, source }: { readonly workload: Workload; readonly source: JobSource },
): Promise<(held: HeldTarget) => boolean> {
  if (!source.everyone) {
    const ids = new Set((await lookUp(source)).resources.map((resource) => resource.graphId));
    return (held) => held.workload === workload && ids.has(held.graphId);
  }
  if (source.excluded.length === 0) return (held) => held.workload === workload;
  const isSpared = await sparedBy(lookUp, source);
  return (held) => held.workload === workload && !isSpared(held);
}
