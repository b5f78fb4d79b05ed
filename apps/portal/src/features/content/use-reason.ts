import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { usePortal } from '../../api/portal-context.ts';

const hourMs = 3_600_000;

interface Given {
  readonly reason: string;
  readonly until: number;
}

/** Why the reader looks into a source: asked once an hour for each source, and logged with every item that is opened. */
export function useReason(sourceId: string): { readonly reason: string | null; readonly give: (reason: string) => void } {
  const { clock } = usePortal();
  const queries = useQueryClient();
  const queryKey = ['content', 'reason', sourceId];
  const { data } = useQuery<Given>({ queryKey, queryFn: skipToken, staleTime: 'static', gcTime: hourMs });
  return {
    reason: data !== undefined && data.until > clock.now() ? data.reason : null,
    give: (reason) => void queries.setQueryData<Given>(queryKey, { reason, until: clock.now() + hourMs }),
  };
}
