import type { ReactElement } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { useText } from '../../i18n/use-text.ts';
import { Page } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useDetail } from '../../ui/use-detail.ts';
import { PeriodReportList, PeriodReportPage } from '../period-reports/index.ts';
import { WithTenant } from '../tenants/index.ts';
import { FilesOf } from './files-page.tsx';

const base = '/reports';
const tabs = ['periods', 'files'] as const;

/** `/reports`: reports of periods, and the PDF files of all reports. */
export default function ReportFilesPage(): ReactElement {
  const text = useText();
  const navigate = useNavigate();
  const detail = useDetail(base);
  const [params] = useSearchParams();
  const { id } = detail;
  if (id !== null) return <WithTenant>{({ tenantId }) => <PeriodReportPage tenantId={tenantId} reportId={id} base={base} />}</WithTenant>;
  const tab = tabs.find((name) => name === params.get('tab')) ?? 'periods';
  return (
    <Page title={text('shell.reportFiles')} lead={text(tab === 'files' ? 'documents.reportsLead' : 'periodReports.pageLead')}>
      <Tabs
        names={tabs}
        selected={tab}
        word={(name) => text(name === 'files' ? 'documents.filesTab' : 'periodReports.periodTab')}
        onSelect={(name) => void navigate(`${base}?tab=${name}`)}
      />
      {tab === 'files' && <FilesOf kind="report" />}
      {tab === 'periods' && <WithTenant>{({ tenantId }) => <PeriodReportList tenantId={tenantId} onOpen={detail.view} />}</WithTenant>}
    </Page>
  );
}
