import type { QueryClient } from '@tanstack/react-query';
import { ApiError } from '../../api/api-error.ts';

/** The request id of the newest failed call that is still remembered: what support asks for first. */
export function lastRequestId(queries: QueryClient): string | undefined {
  const reads = queries.getQueryCache().getAll();
  const changes = queries.getMutationCache().getAll();
  const failures = [
    ...reads.map((query) => ({ error: query.state.error, at: query.state.errorUpdatedAt })),
    ...changes.map((change) => ({ error: change.state.error, at: change.state.submittedAt })),
  ];
  const [newest] = failures
    .flatMap(({ error, at }) => (error instanceof ApiError && error.requestId !== undefined ? [{ id: error.requestId, at }] : []))
    .sort((a, b) => b.at - a.at);
  return newest?.id;
}
