import type { ResponseOf, Route } from '@holdfast/contract/route';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { QueryClient, QueryFunctionContext, UseMutationResult } from '@tanstack/react-query';
import type { CallOptions, DownloadedFile } from './client.ts';
import { apiOf } from './query-client.ts';

/** What `useQuery` takes for a route. */
export interface Read<R extends Route> {
  readonly queryKey: readonly unknown[];
  readonly queryFn: (context: QueryFunctionContext) => Promise<ResponseOf<R>>;
  readonly meta: { readonly quiet: boolean; readonly background: boolean };
}

/** The read of a route: `useQuery(read(jobs.list, { params, query }))`. */
export function read<const R extends Route>(route: R, options: CallOptions<R>): Read<R> {
  const queryKey = [
    `${route.surface ?? 'main'} ${route.method} ${route.path}`,
    options.params ?? null,
    options.query ?? null,
    options.body ?? null,
  ];
  return {
    queryKey,
    queryFn: ({ client, signal }) => apiOf(client).send(route, { ...options, signal }),
    meta: { quiet: options.quiet === true, background: options.background === true },
  };
}

/** Names every cached answer of a route, for invalidation by events. */
export function keyOf(route: Route): readonly [string] {
  return [`${route.surface ?? 'main'} ${route.method} ${route.path}`];
}

/** A change by a route. Failures are shown by the query client; after success everything is read again. */
export function useChange<const R extends Route>(
  route: R,
  options: { readonly quiet?: boolean } = {},
): UseMutationResult<ResponseOf<R>, Error, CallOptions<R>> {
  const queries = useQueryClient();
  return useMutation<ResponseOf<R>, Error, CallOptions<R>>({
    mutationFn: (call) => apiOf(queries).send(route, call),
    meta: { quiet: options.quiet === true },
  });
}

/** A file by a route; the failure is the download sentence. Saving it is the caller's business. */
export function useDownload<const R extends Route>(route: R): UseMutationResult<DownloadedFile, Error, CallOptions<R>> {
  const queries = useQueryClient();
  return useMutation<DownloadedFile, Error, CallOptions<R>>({
    mutationFn: (call) => apiOf(queries).download(route, call),
    meta: { download: true },
  });
}

/** `If-Match` for a change of what was read before: its own tag, or the version it carries. */
export function matching(queries: QueryClient, seen: object & { readonly version?: number }): Readonly<Record<string, string>> {
  const tag = apiOf(queries).tagOf(seen) ?? (seen.version === undefined ? undefined : `"${seen.version}"`);
  return tag === undefined ? {} : { 'If-Match': tag };
}
