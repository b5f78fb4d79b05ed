import { procedures } from '@holdfast/contract/procedures';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { read, useDownload } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { CommandBar } from '../../ui/command-bar.tsx';
import { FailedState } from '../../ui/empty-state.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { PaperView } from '../period-reports/index.ts';

export interface ProcedureViewProps {
  readonly tenantId: string;
  readonly number: number;
  readonly onClose: () => void;
}

/** A version as a document in the reader's language, as it was when it was made. */
export function ProcedureView({ tenantId, number, onClose }: ProcedureViewProps): ReactElement {
  const text = useText();
  const language = useFormat().locale.startsWith('de') ? 'de' : 'en';
  const asked = { params: { tenantId, number: String(number) }, query: { language } } as never;
  const found = useQuery(read(procedures.get, asked));
  const download = useDownload(procedures.file);
  const commands = [
    { id: 'pdf', label: text('procedures.downloadPdf'), run: () => download.mutate(asked), isPrimary: true },
    { id: 'all', label: text('kit.showAll'), run: onClose },
  ];
  return (
    <>
      <CommandBar commands={commands} />
      {found.isPending && <LoadingShape rows={8} />}
      {found.error !== null && <FailedState error={found.error} onRetry={() => void found.refetch()} />}
      {found.data !== undefined && <PaperView paper={found.data.paper} />}
    </>
  );
}
