import type { CaseQuery } from '@holdfast/contract/case-values';

/** What the review of a case is given by its page. */
export interface ReviewProps {
  readonly tenantId: string;
  readonly caseId: string;
  /** Whether the case is open and the reader works on it. */
  readonly mayWork: boolean;
  readonly queries: readonly CaseQuery[];
}
