import { reportTabs } from '@holdfast/contract/reporting';
import type { ReactElement } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { useText } from '../../i18n/use-text.ts';
import { CommandBar } from '../../ui/command-bar.tsx';
import { Page } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useDetail } from '../../ui/use-detail.ts';
import type { RunArea } from '../monitoring/index.ts';
import { WithTenant } from '../tenants/index.ts';
import { CoverageReport } from './coverage-report.tsx';
import { EvidenceReport } from './evidence-report.tsx';
import { MonthlyReports } from './monthly-reports.tsx';
import { ReportAccounts } from './report-accounts.tsx';
import { RunReports } from './run-reports.tsx';

/** An area of one workload has its gaps beside its runs; one of few kinds has its runs alone. */
function tabsOf({ types, workload }: RunArea): readonly (typeof reportTabs)[number][] {
  if (types !== undefined) return ['runs'];
  return workload === undefined ? reportTabs : ['runs', 'coverage'];
}

export interface ReportsProps {
  readonly base: string;
  /** The page of a run. */
  readonly monitor: string;
  readonly area: RunArea;
}

/** The reports of the runs of an area; months, protection and evidence are of all of them. */
export function Reports({ base, monitor, area }: ReportsProps): ReactElement {
  const text = useText();
  const navigate = useNavigate();
  const detail = useDetail(base);
  const [params] = useSearchParams();
  const shownTabs = tabsOf(area);
  const tab = shownTabs.find((name) => name === params.get('tab')) ?? 'runs';
  const print = { id: 'print', label: text('common.print'), run: () => globalThis.print() };
  return (
    <Page title={text('shell.reports')} lead={text('reports.lead')} commands={<CommandBar commands={[print]} />}>
      {shownTabs.length > 1 && (
        <Tabs
          names={shownTabs}
          selected={tab}
          word={(name) => text(`reports.${name}Tab`)}
          onSelect={(name) => void navigate(`${base}?tab=${name}`)}
        />
      )}
      <WithTenant>
        {(tenant) => (
          <>
            {tab === 'runs' && <RunReports tenantId={tenant.tenantId} area={area} onOpen={detail.view} />}
            {tab === 'monthly' && <MonthlyReports tenantId={tenant.tenantId} onOpen={detail.view} />}
            {tab === 'coverage' && <CoverageReport tenantId={tenant.tenantId} workload={area.workload ?? null} />}
            {tab === 'evidence' && <EvidenceReport tenantId={tenant.tenantId} />}
            {detail.id !== null && (
              <ReportAccounts
                tenantId={tenant.tenantId}
                reportId={detail.id}
                monitor={tab === 'monthly' ? null : monitor}
                onClose={detail.close}
              />
            )}
          </>
        )}
      </WithTenant>
    </Page>
  );
}
