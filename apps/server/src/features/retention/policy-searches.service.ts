import { parseQuery } from '@holdfast/contract/query/parse';
import type { Scope, Tx } from '@holdfast/database';
import type { Clock } from '@holdfast/foundation/clock';
import type { Logger } from '@holdfast/foundation/logger';
import { AppError } from '@holdfast/foundation/errors';
import { repeatInScopes } from '../../platform/repeat-in-scopes.ts';
import { asksForMarks, readSavedSearch } from '../search/index.ts';
import type { PolicyRow } from './policy-row.ts';
import type { PolicyScope, RetentionStore } from './retention.store.ts';
import { rememberSearched } from './searched.store.ts';

export interface PolicySearchesOptions {
  readonly store: RetentionStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly scopes: () => Promise<readonly Scope[]>;
}

/**
 * Looks for what the searches of policies find. Whoever is about to delete looks for themselves; this is for queries that stop to find something,
 * such as those for the last thirty days: what was once a hit is kept by the minimum.
 */
export interface PolicySearches {
  /** Remembers what the search of each policy in force of an organisation finds. */
  turn(scope: Scope): Promise<void>;
  /** Does so every quarter of an hour, until stopped. */
  start(): () => Promise<void>;
}

const EVERY_MS = 15 * 60_000;

export function createPolicySearches({ store, clock, logger, scopes }: PolicySearchesOptions): PolicySearches {
  async function remember(tx: Tx, policyId: string): Promise<void> {
    const policy = await store.read(tx, policyId);
    if (policy === undefined) return;
    const { tenant_id: tenantId, about } = policy;
    const places = about === 'files' ? await store.sites(tx, tenantId) : await store.mailboxes(tx, tenantId);
    const isKnown = await rememberSearched(
      tx,
      policy,
      places.map(({ resource_id }) => resource_id),
    );
    if (!isKnown) logger.warn({ policyId }, 'the search of a retention policy can no longer be read: the policy keeps everything');
  }

  async function turn(scope: Scope): Promise<void> {
    for (const policyId of await store.within(scope, (tx) => store.bySearch(tx))) {
      // One search that cannot be answered must not keep the others from their hits.
      await store
        .within(scope, (tx) => remember(tx, policyId))
        .catch((error: unknown) => logger.warn({ err: error, policyId }, 'the search of a retention policy failed'));
    }
  }

  return Object.freeze<PolicySearches>({
    turn,
    start: () =>
      repeatInScopes({
        clock,
        scopes,
        everyMs: EVERY_MS,
        turn,
        onError: (error) => logger.warn({ err: error }, 'the searches of retention policies could not be asked'),
      }),
  });
}

/** A saved search as it is now. One that asks for marks finds something else for everybody who asks, and can decide about nothing. */
export async function countedSearch(tx: Tx, tenantId: string, searchId: string): Promise<NonNullable<PolicyScope['search']>> {
  const search = await readSavedSearch(tx, searchId);
  const { query } = parseQuery(search?.query ?? '');
  const details = { field: 'searchId' };
  if (search?.tenant_id !== tenantId || !query) throw new AppError('retention.search-unknown', { details });
  if (asksForMarks(query)) throw new AppError('retention.search-marks', { details });
  const { name, query: text, query_version: version } = search;
  return { search_id: searchId, search_name: name, search_query: text, search_version: version };
}

/** The search of a draft as it is now: what its preview counts, and what is put into force. */
export async function countSearch(
  tx: Tx,
  { tenant_id: tenantId, search_id: searchId }: PolicyRow,
): Promise<NonNullable<PolicyScope['search']>> {
  if (searchId === null) throw new AppError('retention.search-unknown');
  return countedSearch(tx, tenantId, searchId);
}
