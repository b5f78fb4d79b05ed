import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import type { PhraseKey, Translate } from '../i18n/phrase-key.ts';
import type { Toasts } from '../toasts/toast.ts';
import { ApiError, hasStatus } from './api-error.ts';
import type { ApiClient } from './client.ts';
import { announceFailure, shownFor } from './failures.ts';
import type { FailureContext } from './failures.ts';
import { createStore } from './store.ts';
import type { Store } from './store.ts';

/** Two states of one thing: somebody else saved while this reader edited. */
export interface Conflict {
  readonly yours: unknown;
  readonly theirs: () => Promise<unknown>;
  readonly overwrite: () => Promise<unknown>;
  readonly reload: () => Promise<void>;
}

export interface QueryParts {
  readonly toasts: Toasts;
  readonly text: Translate;
  readonly language: () => string;
  /** A background read could not reach the server: only the live state shows it. */
  readonly onUnreachable: () => void;
}

/** What the caches know of the portal: the client their functions call. */
const clients = new WeakMap<QueryClient, ApiClient>();
const conflicts = new WeakMap<QueryClient, Store<Conflict | null>>();

/** The client behind a query client. */
export function apiOf(queries: QueryClient): ApiClient {
  const client = clients.get(queries);
  if (client === undefined) throw new Error('This query client has no API client.');
  return client;
}

/** The conflict that waits for a decision. */
export function conflictOf(queries: QueryClient): Store<Conflict | null> {
  const store = conflicts.get(queries);
  if (store === undefined) throw new Error('This query client has no conflicts.');
  return store;
}

/** A phrase that a change brought along, if any; the keys are typed where they are given. */
function phraseOf(given: unknown): PhraseKey | undefined {
  return typeof given === 'string' ? (given as PhraseKey) : undefined;
}

/** The phrase of a success, which may depend on the answer. */
function successOf(meta: Readonly<Record<string, unknown>> | undefined, answer: unknown): PhraseKey | undefined {
  const given = meta?.['success'];
  return phraseOf(typeof given === 'function' ? (given as (answer: unknown) => unknown)(answer) : given);
}

function contextOf(meta: Readonly<Record<string, unknown>> | undefined): FailureContext {
  const failure = phraseOf(meta?.['failure']);
  return {
    quiet: meta?.['quiet'] === true,
    background: meta?.['background'] === true,
    download: meta?.['download'] === true,
    ...(failure === undefined ? {} : { failure }),
  };
}

/**
 * Reads and writes over the API: every failure is shown here, once, and goes on to the caller; after
 * every successful change all that is shown is read again.
 */
export function createQueryClient(api: ApiClient, parts: QueryParts): QueryClient {
  const announce = (error: unknown, meta: Readonly<Record<string, unknown>> | undefined): void => {
    const context = contextOf(meta);
    if (context.background) {
      if (error instanceof ApiError && error.failure.kind === 'network') parts.onUnreachable();
      return;
    }
    announceFailure(shownFor(error, context, { text: parts.text, language: parts.language() }), parts.toasts);
  };
  const queries: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError: (error, query) => announce(error, query.meta) }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, mutation) => {
        if (!hasStatus(error, 412)) announce(error, mutation.meta);
      },
      onSuccess: async (data, _variables, _result, mutation) => {
        const success = successOf(mutation.meta, data);
        if (success !== undefined) parts.toasts.show('success', parts.text(success));
        if (mutation.meta?.['endsSession'] !== true) await queries.invalidateQueries();
      },
    }),
    defaultOptions: {
      // Answers carry their version tag by identity, so they are kept as they came.
      // Without a network a call fails and says so; it does not wait in silence.
      queries: { networkMode: 'always', retry: false, staleTime: 5_000, refetchOnWindowFocus: false, structuralSharing: false },
      mutations: { networkMode: 'always', retry: false },
    },
  });
  clients.set(queries, api);
  conflicts.set(queries, createStore<Conflict | null>(null));
  return queries;
}
