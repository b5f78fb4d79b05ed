import type { ReactElement } from 'react';
import { useState } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { ImportChoice } from './import-choice.tsx';
import { ImportResult } from './import-result.tsx';
import { ImportSourceForm, type ChosenSource } from './import-source-form.tsx';

interface ImportDrawerProps {
  readonly tenantId: string;
  readonly onClose: () => void;
}

/** Mail from files into an archive: which files, what they hold, whose archive, and what came of it. */
export function ImportDrawer({ tenantId, onClose }: ImportDrawerProps): ReactElement {
  const text = useText();
  const [chosen, setChosen] = useState<ChosenSource | null>(null);
  const [jobId, setJobId] = useState<string | null>(null);
  return (
    <DetailDrawer title={text('imports.title')} onClose={onClose}>
      {chosen === null && <ImportSourceForm tenantId={tenantId} onChosen={setChosen} onClose={onClose} />}
      {chosen !== null && jobId === null && <ImportChoice tenantId={tenantId} looked={chosen} onStarted={setJobId} onClose={onClose} />}
      {jobId !== null && <ImportResult tenantId={tenantId} jobId={jobId} onAgain={() => setJobId(null)} />}
    </DetailDrawer>
  );
}
