import type { ReviewStatus } from '@holdfast/contract/review-values';
import type { SearchCoverage } from '@holdfast/contract/search';
import type { Tx } from '@holdfast/database';
import { AppError } from '@holdfast/foundation/errors';
import type { RawBuilder } from 'kysely';
import type { CaseAsking, CaseReviews } from '../cases/index.ts';
import { decidedItems } from './review-items.views.ts';
import { readSet } from './review-sets.store.ts';

/** Items of a set that are exported, and what the export says of itself. */
interface Decided {
  /** A relation with everything that a selection keeps of an item. */
  readonly chosen: RawBuilder<unknown>;
  readonly query: string;
  readonly coverage: SearchCoverage | null;
}

/** What exports need of reviews. */
export interface ReviewExports {
  /** Items with one of these decisions, each copy of a content by itself: what the case includes now and restore points have. */
  decidedAs(
    tx: Tx,
    asking: CaseAsking,
    source: { readonly caseId: string; readonly setId: string; readonly statuses: readonly ReviewStatus[] },
  ): Promise<Decided>;
}

export function createReviewExports(cases: CaseReviews): ReviewExports {
  return Object.freeze<ReviewExports>({
    async decidedAs(tx, asking, { caseId, setId, statuses }) {
      const row = await cases.read(tx, asking, caseId);
      const set = await readSet(tx, caseId, setId);
      if (!set) throw new AppError('not-found');
      const scope = await cases.scopeOf(tx, row);
      return {
        chosen: decidedItems({ setId, scope, statuses }),
        query: `${set.name}: ${[...new Set(statuses)].join(', ')} (${set.query || '*'})`,
        coverage: set.coverage as SearchCoverage | null,
      };
    },
  });
}
