import { periodReports } from '@holdfast/contract/period-reports';
import type { Paper } from '@holdfast/contract/paper';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { read, useDownload } from '../../api/queries.ts';
import { saveFile } from '../../api/save-file.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { CommandBar } from '../../ui/command-bar.tsx';
import { FailedState } from '../../ui/empty-state.tsx';
import { workbookFile } from '../../ui/export/export.ts';
import { Row } from '../../ui/layout.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { Page } from '../../ui/page.tsx';
import { RouterLink } from '../../ui/router-link.tsx';
import { sheetsOf } from './paper-sheets.ts';
import { PaperView } from './paper-view.tsx';

export interface PeriodReportPageProps {
  readonly tenantId: string;
  readonly reportId: string;
  /** The page of all reports. */
  readonly base: string;
}

/** One report in the reader's language, as it was when it was made. */
export function PeriodReportPage({ tenantId, reportId, base }: PeriodReportPageProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const language = format.locale.startsWith('de') ? 'de' : 'en';
  const params = { tenantId, reportId };
  const found = useQuery(read(periodReports.get, { params, query: { language }, quiet: true }));
  const download = useDownload(periodReports.file);
  const paper = found.data?.paper;
  const exportPaper = async (exported: Paper): Promise<void> => {
    const sheets = sheetsOf(exported, { name: text('common.name'), value: text('search.builder.value') });
    const file = await workbookFile(`${exported.title} ${exported.subtitle}`, sheets);
    saveFile(file.blob, file.name);
  };
  const commands = [
    { id: 'pdf', label: text('periodReports.downloadPdf'), run: () => download.mutate({ params, query: { language } }), isPrimary: true },
    ...(paper === undefined ? [] : [{ id: 'xlsx', label: text('periodReports.exportXlsx'), run: () => void exportPaper(paper) }]),
    { id: 'print', label: text('common.print'), run: () => globalThis.print() },
  ];
  const title = paper === undefined ? text('periodReports.onDemand') : `${paper.title} ${paper.subtitle}`;
  return (
    <Page title={title} crumbs={[{ label: text('shell.reportFiles'), to: base }]} commands={<CommandBar commands={commands} />}>
      {found.isPending && <LoadingShape rows={8} />}
      {found.error !== null && <FailedState error={found.error} onRetry={() => void found.refetch()} />}
      {paper !== undefined && (
        <>
          <Row>
            <RouterLink to={`/backup-and-restore/reports/${reportId}?tab=monthly`}>{text('periodReports.accountsLink')}</RouterLink>
          </Row>
          <PaperView paper={paper} />
        </>
      )}
    </Page>
  );
}
