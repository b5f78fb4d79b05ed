import type { CaseDetails } from '@holdfast/contract/case-values';

/** What every part of the page of a case is given. */
export interface CaseProps {
  readonly tenantId: string;
  readonly of: CaseDetails;
}
