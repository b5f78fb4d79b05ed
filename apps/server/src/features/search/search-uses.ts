import type { SearchUse } from '@holdfast/contract/saved-searches';
import type { Tx } from '@holdfast/database';

/** Answers what of one feature refers to a saved search. */
export type FindUses = (tx: Tx, searchId: string) => Promise<readonly SearchUse[]>;

/** What refers to saved searches. A feature that does says so, and such a search is not deleted. */
export interface SearchUses {
  register(find: FindUses): void;
  of(tx: Tx, searchId: string): Promise<SearchUse[]>;
}

export function createSearchUses(): SearchUses {
  const finders: FindUses[] = [];
  return Object.freeze<SearchUses>({
    register: (find) => void finders.push(find),
    async of(tx, searchId) {
      const found: SearchUse[] = [];
      for (const find of finders) found.push(...(await find(tx, searchId)));
      return found;
    },
  });
}
