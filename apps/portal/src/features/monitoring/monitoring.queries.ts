import { isUnderWay } from '@holdfast/contract/run-status';
import { monitoring } from '@holdfast/contract/monitoring';
import type { RunDetails } from '@holdfast/contract/monitoring';
import { useQuery } from '@tanstack/react-query';
import type { UseQueryResult } from '@tanstack/react-query';
import { usePortal } from '../../api/portal-context.ts';
import { read } from '../../api/queries.ts';
import { useStore } from '../../api/store.ts';

const pollMs = 5_000;

/** One run; while it goes on and no events come, it is polled. */
export function useRun(tenantId: string, reportId: string): UseQueryResult<RunDetails> {
  const live = useStore(usePortal().live);
  return useQuery({
    ...read(monitoring.get, { params: { tenantId, reportId }, quiet: true, background: true }),
    refetchInterval: (query) =>
      live === 'reconnecting' || (query.state.data !== undefined && isUnderWay(query.state.data)) ? pollMs : false,
  });
}
