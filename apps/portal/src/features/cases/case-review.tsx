import type { ReactElement } from 'react';
import { useNavigate } from 'react-router';
import { useMay } from '../../api/portal-context.ts';
import { ReviewSets, ReviewView } from '../reviews/index.ts';
import type { CaseProps } from './case-props.ts';
import { caseBase, caseReasonOf } from './case-words.ts';

/** The review sets of a case, or the one that is read. */
export function CaseReview({ tenantId, of, setId }: CaseProps & { readonly setId: string }): ReactElement {
  const navigate = useNavigate();
  const mayWork = useMay('cases.work') && of.status === 'open';
  const base = `${caseBase}/${of.caseId}/review`;
  const shown = { tenantId, caseId: of.caseId, mayWork };
  if (setId === '') return <ReviewSets {...shown} queries={of.queries} onOpen={(opened) => void navigate(`${base}/${opened}`)} />;
  return <ReviewView key={setId} {...shown} setId={setId} reason={caseReasonOf(of)} onBack={() => void navigate(base)} />;
}
