import type { ReviewStatus } from '@holdfast/contract/review-values';
import type { SearchCoverage } from '@holdfast/contract/search';
import type { Tx } from '@holdfast/database';
import { AppError } from '@holdfast/foundation/errors';
import type { RawBuilder } from 'kysely';
import type { CaseAsking, CaseReviews } from '../cases/index.ts';
import { decidedItems, markedInCase } from './review-items.views.ts';
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
  /** What queries of a case have found, with the tags and notes that its reviewers put on it. Whether somebody may see the case is asked before. */
  markedIn(caseId: string, chosen: RawBuilder<unknown>): RawBuilder<unknown>;
}

export function createReviewExports(cases: CaseReviews): ReviewExports {
  return Object.freeze<ReviewExports>({
    markedIn: markedInCase,
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
