import { discovery } from '@holdfast/contract/discovery';
import type { RestorePoint } from '@holdfast/contract/discovery';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { UseQueryResult } from '@tanstack/react-query';
import { usePortal } from '../../api/portal-context.ts';
import { keyOf, read } from '../../api/queries.ts';

/** Names a source: tenant, location, source. */
export interface SourcePlace {
  readonly tenantId: string;
  readonly locationId: string;
  readonly sourceId: string;
}

const pageSize = 200;

/** The restore points of a source, newest first. */
export function usePoints(place: SourcePlace): UseQueryResult<{ readonly items: readonly RestorePoint[] }> {
  return useQuery({ ...read(discovery.points, { params: { ...place }, query: {}, quiet: true }), staleTime: 30_000 });
}

export interface ItemsQuery {
  readonly nodeId: string;
  readonly at: string | null;
  readonly search: string;
  readonly everywhere: boolean;
  /** As the server names it: `name`, `-modifiedAt`; null for its own order. */
  readonly sort: string | null;
}

/** What lies in a node at a time, loaded as the reader scrolls. */
export function useItems(place: SourcePlace, { nodeId, at, search, everywhere, sort }: ItemsQuery) {
  const { client } = usePortal();
  return useInfiniteQuery({
    queryKey: [...keyOf(discovery.items), place, nodeId, at, search, everywhere, sort],
    queryFn: ({ pageParam, signal }) =>
      client.send(discovery.items, {
        params: { ...place, nodeId },
        query: {
          limit: pageSize,
          ...(sort === null ? {} : { sort: sort as never }),
          ...(at === null ? {} : { at }),
          ...(search === '' ? {} : { search }),
          ...(everywhere && search !== '' ? { everywhere: 'true' } : {}),
          ...(pageParam === null ? {} : { cursor: pageParam }),
        },
        quiet: true,
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 60_000,
    meta: { quiet: true },
  });
}
