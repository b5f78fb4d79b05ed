import { discovery } from '@holdfast/contract/discovery';
import type { Source } from '@holdfast/contract/discovery';
import type { QueryFor } from '@holdfast/contract/route';
import { useQueries } from '@tanstack/react-query';
import { read } from '../../api/queries.ts';
import { useLocations } from '../tenants/index.ts';

/** A source, and the location that holds its data. */
export interface HeldSource {
  readonly source: Source;
  readonly locationId: string;
  readonly locationName: string;
}

export interface HeldSources {
  /** Null while it is not known which locations there are. */
  readonly sources: readonly HeldSource[] | null;
  readonly locations: number;
  /** Something has not answered yet. */
  readonly isPending: boolean;
}

/** What `query` finds in each location of a tenant. */
export function useHeldSources(
  tenantId: string,
  query: QueryFor<typeof discovery.sources>,
  options: { readonly enabled?: boolean; readonly staleTime?: number } = {},
): HeldSources {
  const known = useLocations(tenantId);
  const locations = known.data?.items ?? [];
  const answers = useQueries({
    queries: locations.map(({ locationId }) => ({
      ...read(discovery.sources, { params: { tenantId, locationId }, query, quiet: true }),
      ...options,
    })),
  });
  const sources = answers.flatMap((answer, at) => {
    const { locationId = '', name: locationName = '' } = locations[at] ?? {};
    return (answer.data?.items ?? []).map((source) => ({ source, locationId, locationName }));
  });
  const isPending = known.isPending || answers.some((answer) => answer.isPending);
  return { sources: known.data === undefined ? null : sources, locations: locations.length, isPending };
}

/** The page where a source is restored from a location. */
export function restoreLink({ sourceId, locationId }: Pick<Source, 'sourceId'> & Pick<HeldSource, 'locationId'>): string {
  return `/backup-and-restore/restore?location=${locationId}&source=${sourceId}`;
}
