import type { ReactElement } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { useMay } from '../../api/portal-context.ts';
import { useText } from '../../i18n/use-text.ts';
import { CommandBar } from '../../ui/command-bar.tsx';
import { Page } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useDetail } from '../../ui/use-detail.ts';
import { WithTenant } from '../tenants/index.ts';
import { DuplicatesReport } from './duplicates-report.tsx';
import { ExposureReport } from './exposure-report.tsx';
import { OwnersReport } from './owners-report.tsx';
import { ReportSites } from './report-sites.tsx';
import { ScanReports } from './scan-reports.tsx';
import { SensitiveReport } from './sensitive-report.tsx';
import { StaleReport } from './stale-report.tsx';
import { StorageReport } from './storage-report.tsx';
import { WasteReport } from './waste-report.tsx';

const base = '/compliance/reporting';
const tabs = ['reports', 'storage', 'waste', 'duplicates', 'stale', 'exposure', 'sensitive', 'owners'] as const;
type Tab = (typeof tabs)[number];

/** Reports that name files need the right to browse them. */
const reports: Readonly<Record<Exclude<Tab, 'reports'>, (props: { readonly tenantId: string }) => ReactElement>> = {
  storage: StorageReport,
  waste: WasteReport,
  duplicates: DuplicatesReport,
  stale: StaleReport,
  exposure: ExposureReport,
  sensitive: SensitiveReport,
  owners: OwnersReport,
};

/** `/compliance/reporting`: reports of scans, and what they found file by file. */
export default function DataReportsPage(): ReactElement {
  const text = useText();
  const navigate = useNavigate();
  const detail = useDetail(base);
  const [params] = useSearchParams();
  const mayBrowse = useMay('content.browse');
  const shown = mayBrowse ? tabs : (['reports'] as const);
  const tab: Tab = shown.find((name) => name === params.get('tab')) ?? 'reports';
  const print = { id: 'print', label: text('common.print'), run: () => globalThis.print() };
  const Report = tab === 'reports' ? null : reports[tab];
  return (
    <Page title={text('shell.reports')} lead={text('compliance.reportsLead')} commands={<CommandBar commands={[print]} />}>
      <Tabs
        names={shown}
        selected={tab}
        word={(name) => text(`compliance.${name}Tab`)}
        onSelect={(name) => void navigate(`${base}?tab=${name}`)}
      />
      <WithTenant>
        {({ tenantId }) => (
          <>
            {Report === null ? <ScanReports tenantId={tenantId} onOpen={detail.view} /> : <Report tenantId={tenantId} />}
            {detail.id !== null && <ReportSites tenantId={tenantId} reportId={detail.id} onClose={detail.close} />}
          </>
        )}
      </WithTenant>
    </Page>
  );
}
