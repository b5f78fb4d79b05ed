import { pageSizeMax } from '@holdfast/contract/limits';
import type { ResponseOf } from '@holdfast/contract/route';
import { savedSearches } from '@holdfast/contract/saved-searches';
import { search, wordsPageSize } from '@holdfast/contract/search';
import { selections } from '@holdfast/contract/selections';
import type { SelectedItem, Selection } from '@holdfast/contract/selections';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMay, usePortal } from '../../api/portal-context.ts';
import { keyOf, read } from '../../api/queries.ts';

/** A search as it was started: its text, and the reason that the audit log keeps. */
export interface StartedSearch {
  readonly query: string;
  readonly reason: string;
  /** The saved search that this is, when it was run as it is saved. */
  readonly searchId?: string;
}

/** The saved searches of a tenant. */
export function useSavedSearches(tenantId: string) {
  const may = useMay('search.save');
  return useQuery({ ...read(savedSearches.list, { params: { tenantId }, quiet: true }), enabled: may });
}

const pageSize = 100;
const exportPageSize = pageSizeMax;

/** The hits of a search, loaded as the reader scrolls, and with the first of them what they can be narrowed by. */
export function useHits(tenantId: string, started: StartedSearch | null) {
  const { client } = usePortal();
  const queries = useQueryClient();
  return useInfiniteQuery({
    queryKey: [...keyOf(search.search), tenantId, started],
    queryFn: async ({ pageParam }) => {
      const { query = '', reason = '', searchId } = started ?? {};
      const page = { reason, limit: pageSize, ...(pageParam === null ? { withFacets: true } : { cursor: pageParam }) };
      if (searchId === undefined) return client.send(search.search, { params: { tenantId }, body: { query, ...page }, quiet: true });
      const answer = await client.send(savedSearches.run, { params: { tenantId, searchId }, body: page, quiet: true });
      // Its new hits have been seen.
      void queries.invalidateQueries({ queryKey: keyOf(savedSearches.list) });
      return answer;
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    enabled: started !== null,
    // Each search is in the audit log: it is run when somebody asks, not whenever something else has changed.
    staleTime: 'static',
    meta: { quiet: true },
  });
}

/** The words that the wildcards of a search stand for; those of one wildcard follow page by page. */
export function useWildcardWords(tenantId: string, { query, reason }: StartedSearch) {
  const { client } = usePortal();
  return useInfiniteQuery({
    queryKey: [...keyOf(search.words), tenantId, query],
    queryFn: ({ pageParam }) => client.send(search.words, { params: { tenantId }, body: { query, reason, after: pageParam }, quiet: true }),
    initialPageParam: '',
    getNextPageParam: ({ wildcards: [page] }) => (page?.words.length === wordsPageSize ? page.words.at(-1) : undefined),
    // Each showing is in the audit log: once is enough.
    staleTime: 'static',
    meta: { quiet: true },
  });
}

/** Reads every item of a selection, page by page, for an export. */
export function useSelectedRows(tenantId: string) {
  const { client } = usePortal();
  return async ({ selectionId }: Selection, progress: (done: number) => void, signal: AbortSignal): Promise<readonly SelectedItem[]> => {
    const rows: SelectedItem[] = [];
    let cursor: string | null = null;
    do {
      const query: { limit: number; cursor?: string } = { limit: exportPageSize, ...(cursor === null ? {} : { cursor }) };
      const page: ResponseOf<typeof selections.selected> = await client.send(selections.selected, {
        params: { tenantId, selectionId },
        query,
        signal,
      });
      rows.push(...page.items);
      progress(rows.length);
      cursor = page.nextCursor;
    } while (cursor !== null);
    return rows;
  };
}

/** What hits of a list are asked for together: some are in sight at a time. */
export interface PassageSource {
  readonly tenantId: string;
  readonly started: StartedSearch;
  readonly hitIds: readonly string[];
}

/** Where some hits say what was searched for, by hit. A search that looks for no words has no passages. */
export function usePassages({ tenantId, started, hitIds }: PassageSource) {
  const { query, reason } = started;
  return useQuery({
    ...read(search.passages, { params: { tenantId }, body: { query, reason, hitIds: [...hitIds] }, quiet: true }),
    enabled: query.trim() !== '' && hitIds.length > 0,
    select: ({ items }) => new Map(items.map(({ hitId, passages }) => [hitId, passages])),
    // Each showing is in the audit log: once is enough.
    staleTime: 'static',
  });
}
