import { search } from '@holdfast/contract/search';
import { useInfiniteQuery } from '@tanstack/react-query';
import { usePortal } from '../../api/portal-context.ts';
import { keyOf } from '../../api/queries.ts';

/** A search as it was started: its text, and the reason that the audit log keeps. */
export interface StartedSearch {
  readonly query: string;
  readonly reason: string;
}

const pageSize = 100;

/** The hits of a search, loaded as the reader scrolls; nothing is asked before one was started. */
export function useHits(tenantId: string, started: StartedSearch | null) {
  const { client } = usePortal();
  return useInfiniteQuery({
    queryKey: [...keyOf(search.search), tenantId, started],
    queryFn: ({ pageParam }) =>
      client.send(search.search, {
        params: { tenantId },
        body: {
          query: started?.query ?? '',
          reason: started?.reason ?? '',
          limit: pageSize,
          ...(pageParam === null ? {} : { cursor: pageParam }),
        },
        quiet: true,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    enabled: started !== null,
    // Each search is in the audit log: it is run when somebody asks, not whenever something else has changed.
    staleTime: 'static',
    meta: { quiet: true },
  });
}
