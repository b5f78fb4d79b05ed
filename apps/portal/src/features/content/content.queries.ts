import { discovery } from '@holdfast/contract/discovery';
import type { RestorePoint } from '@holdfast/contract/discovery';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
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
  readonly search?: string;
  readonly everywhere?: boolean;
  readonly kind?: string | undefined;
  /** As the server names it: `name`, `-modifiedAt`; null for its own order. */
  readonly sort?: string | null;
}

/** What a node holds at a given time, loaded as the reader scrolls. The previous state stays until that of another time arrives. */
export function useItems(place: SourcePlace, { nodeId, at, search = '', everywhere = false, kind, sort = null }: ItemsQuery) {
  const { client } = usePortal();
  return useInfiniteQuery({
    queryKey: [...keyOf(discovery.items), place, nodeId, at, search, everywhere, kind ?? null, sort],
    queryFn: ({ pageParam, signal }) =>
      client.send(discovery.items, {
        params: { ...place, nodeId },
        query: {
          limit: pageSize,
          ...(sort === null ? {} : { sort: sort as never }),
          ...(at === null ? {} : { at }),
          ...(kind === undefined ? {} : { kind }),
          ...(search === '' ? {} : { search }),
          ...(everywhere && search !== '' ? { everywhere: 'true' } : {}),
          ...(pageParam === null ? {} : { cursor: pageParam }),
        },
        quiet: true,
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    // Only from one time of a folder to another: the contents of another folder are not those of this one.
    placeholderData: (before, query) =>
      query?.queryKey[2] === nodeId && query.queryKey[4] === search ? keepPreviousData(before) : undefined,
    staleTime: 60_000,
    meta: { quiet: true },
  });
}

/** What was deleted from a node before a time, last there first. */
export function useDeleted(place: SourcePlace, { nodeId, at, kind }: Pick<ItemsQuery, 'nodeId' | 'at' | 'kind'>, enabled: boolean) {
  const query = { limit: pageSize, deleted: 'true', ...(at === null ? {} : { at }), ...(kind === undefined ? {} : { kind }) } as const;
  return useQuery({ ...read(discovery.items, { params: { ...place, nodeId }, query, quiet: true }), enabled, staleTime: 60_000 });
}
