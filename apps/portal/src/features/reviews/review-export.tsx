import type { ReviewSet, ReviewStatus } from '@holdfast/contract/review-values';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { CommandBar } from '../../ui/command-bar.tsx';
import { ExportForm } from '../exports/index.ts';
import { decisions } from './review-status.tsx';

interface ExportProps {
  readonly tenantId: string;
  readonly caseId: string;
  readonly set: ReviewSet;
  readonly reason: string;
}

/** Exports what was decided so: one status at a time, so that nothing privileged leaves with what is relevant. */
export function ReviewExportCommands({ tenantId, caseId, set, reason }: ExportProps): ReactElement {
  const text = useText();
  const [asked, setAsked] = useState<ReviewStatus | null>(null);
  const word = (status: ReviewStatus): string => text(`reviews.statuses.${status}`);
  const commands = decisions
    .filter((status) => status !== 'unreviewed' && set.progress[status] > 0)
    .map((status) => ({ id: status, label: text('reviews.exportAs', { status: word(status) }), run: () => setAsked(status) }));
  return (
    <>
      <CommandBar commands={commands} />
      {asked !== null && (
        <ExportForm
          tenantId={tenantId}
          source={{ kind: 'review', caseId, setId: set.setId, statuses: [asked] }}
          what={`${set.name}: ${word(asked)}`}
          reason={reason}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}
