import type { HoldBody } from '@holdfast/contract/holds';
import type { Tx } from '@holdfast/database';
import type { Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import { readStandingSearch } from '../search/index.ts';
import type { HoldsStore, ItemRow } from './holds.store.ts';

/** What a hold is to be on, as its rows say it: the files and folders of its resource, or a search. */
export interface HeldTarget {
  readonly items: readonly ItemRow[];
  readonly search_id: string | null;
  readonly search_name: string | null;
  readonly search_query: string | null;
}

/** Finds what a hold is to be on. What is not there would be held by nobody: it is refused. */
export type FindTarget = (tx: Tx, tenantId: string, body: HoldBody) => Promise<HeldTarget>;

export function createFindTarget(store: HoldsStore, clock: Clock): FindTarget {
  async function itemsOf(tx: Tx, { resourceId, items }: HoldBody) {
    const keys = [...new Set(items)];
    if (resourceId === null || keys.length === 0) return [];
    const found = await store.itemsOf(tx, resourceId, keys);
    if (found.length !== keys.length) throw new AppError('holds.item-unknown');
    return found;
  }

  return async (tx, tenantId, body) => {
    const { resourceId, searchId } = body;
    if (resourceId !== null && !(await store.hasResource(tx, tenantId, resourceId))) throw new AppError('holds.resource-unknown');
    const items = await itemsOf(tx, body);
    if (searchId === null) return { items, search_id: null, search_name: null, search_query: null };
    const search = await readStandingSearch(tx, clock, { tenantId, searchId });
    // A query that nobody can read would hold nothing that anybody could name.
    if (!search?.found) throw new AppError('holds.search-unknown', { details: { field: 'searchId' } });
    return { items, search_id: searchId, search_name: search.name, search_query: search.query };
  };
}
