import type { ResponseOf, Route } from '@holdfast/contract/route';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { QueryClient, QueryFunctionContext, UseMutationResult } from '@tanstack/react-query';
import type { CallOptions } from './client.ts';
import { followDownload } from './save-file.ts';
import type { PhraseKey } from '../i18n/phrase-key.ts';
import { hasStatus } from './api-error.ts';
import { apiOf, conflictOf } from './query-client.ts';
import type { Conflict } from './query-client.ts';

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

/** How the outcome of a change is told. */
export interface ChangeWords<Answer = never> {
  readonly quiet?: boolean;
  /** The toast when it worked; a function where only the answer tells what has happened. */
  readonly success?: PhraseKey | ((answer: Answer) => PhraseKey);
  /** What is said of a failure that brought no words of its own. */
  readonly failure?: PhraseKey;
  /** It ends the session: nothing can be read again afterwards. */
  readonly endsSession?: true;
}

/** A change by a route. Its outcome is shown by the query client; after success everything is read again. */
export function useChange<const R extends Route>(
  route: R,
  words: ChangeWords<ResponseOf<R>> = {},
): UseMutationResult<ResponseOf<R>, Error, CallOptions<R>> {
  const queries = useQueryClient();
  return useMutation<ResponseOf<R>, Error, CallOptions<R>>({
    mutationFn: (call) => apiOf(queries).send(route, call),
    meta: { ...words },
  });
}

export interface Update<R extends Route, Seen> {
  readonly isPending: boolean;
  /** Saves over what was seen when the form opened, not what came in since; somebody else's change in between is put to the reader. */
  save(call: CallOptions<R>, seen: Seen, onDone: () => void, onRefused?: (error: Error) => void): void;
  readonly error: Error | null;
}

/** An update guarded by the version that the reader saw. `reader` reads the same thing again. */
export function useUpdate<const R extends Route, const Reader extends Route>(
  route: R,
  reader: Reader,
  words: Omit<ChangeWords, 'success'> & { readonly success?: PhraseKey } = {},
): Update<R, NonNullable<ResponseOf<Reader>> & { readonly version?: number }> {
  const queries = useQueryClient();
  const { mutate, mutateAsync, isPending, error }: UseMutationResult<ResponseOf<R>, Error, CallOptions<R>> = useChange(route, words);
  return {
    isPending,
    error,
    save(call, seen, onDone, onRefused) {
      // The reader has the parameters of the route it guards; TypeScript can't see that through the two generics.
      const again = { params: call.params, quiet: true } as unknown as CallOptions<Reader>;
      const withTag = (headers: Readonly<Record<string, string>>): CallOptions<R> => ({ ...call, headers }) as unknown as CallOptions<R>;
      const conflict: Conflict = {
        yours: call.body,
        theirs: async () => await apiOf(queries).send(reader, again),
        overwrite: async () => {
          await (mutateAsync as (given: CallOptions<R>) => Promise<unknown>)(withTag({ 'If-Match': '*' }));
          onDone();
        },
        // What was entered is given up: the form closes, and what is there now is shown.
        reload: async () => {
          await queries.invalidateQueries();
          onDone();
        },
      };
      mutate(withTag(matching(queries, seen)), {
        onSuccess: onDone,
        onError: (failure) => {
          if (hasStatus(failure, 412)) conflictOf(queries).set(conflict);
          else onRefused?.(failure);
        },
      });
    },
  };
}

/** A file of any size by a route: the browser takes it over. That it can't be had is said by the download sentence. */
export function useDownload<const R extends Route>(route: R): UseMutationResult<void, Error, CallOptions<R>> {
  const queries = useQueryClient();
  return useMutation<void, Error, CallOptions<R>>({
    mutationFn: async (call) => followDownload(await apiOf(queries).linkTo(route, call)),
    meta: { download: true },
  });
}

/** `If-Match` for a change of what was read before: its own tag, or the version it carries. */
function matching(queries: QueryClient, seen: object & { readonly version?: number }): Readonly<Record<string, string>> {
  const tag = apiOf(queries).tagOf(seen) ?? (seen.version === undefined ? undefined : `"${seen.version}"`);
  return tag === undefined ? {} : { 'If-Match': tag };
}
