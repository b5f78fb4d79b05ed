import type { Run } from '@holdfast/contract/monitoring';
import { useMemo } from 'react';
import type { ReactElement } from 'react';
import { LiveNews } from '../../ui/live-news.tsx';
import { useRunNews } from './run-news.ts';

/** Where the stages and the end of one run are said aloud. */
export function RunNews({ run }: { readonly run: Run | undefined }): ReactElement {
  const rows = useMemo(() => (run === undefined ? [] : [run]), [run]);
  return <LiveNews rows={rows} rowKey={(row) => row.reportId} news={useRunNews()} />;
}
