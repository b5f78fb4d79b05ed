import type { ReactElement } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { useText } from '../../i18n/use-text.ts';
import { Row } from '../../ui/layout.tsx';
import { Page } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useDetail } from '../../ui/use-detail.ts';
import { isStepping, JobList, JobSteps } from '../jobs/index.ts';
import type { JobArea } from '../jobs/index.ts';
import { RunList } from '../monitoring/index.ts';
import type { RunArea } from '../monitoring/index.ts';
import { WithTenant } from '../tenants/index.ts';
import { StartScan } from './start-scan.tsx';

const base = '/compliance/monitoring';
const tabs = ['scans', 'schedules', 'deletions', 'exports'] as const;
type Tab = (typeof tabs)[number];

const areas: Readonly<Record<Exclude<Tab, 'schedules'>, RunArea>> = {
  scans: { tableId: 'scan-runs', types: ['scan'], empty: 'compliance.noScans' },
  deletions: { tableId: 'deletion-runs', types: ['deletion'], empty: 'compliance.noDeletions' },
  exports: { tableId: 'export-runs', types: ['recovery', 'restore'], empty: 'compliance.noExports' },
};
const schedules: JobArea = {
  base,
  monitor: '/backup-and-restore/job-monitor',
  tableId: 'scan-jobs',
  types: ['scan'],
  alsoListed: [],
  empty: 'compliance.noSchedules',
};

/** `/compliance/monitoring`: scans and their schedules, runs that delete restore points, exports and restores. */
export default function ScanMonitorPage(): ReactElement {
  const text = useText();
  const detail = useDetail(base);
  const [params, setParams] = useSearchParams();
  const chosen = detail.mode === 'list' ? params.get('tab') : 'schedules';
  const tab = tabs.find((name) => name === chosen) ?? 'scans';
  if (isStepping(detail)) return <JobSteps area={schedules} detail={detail} listTitle={text('compliance.schedulesTab')} />;
  return (
    <Page title={text('shell.jobMonitor')} lead={text('compliance.monitorLead')}>
      <Tabs names={tabs} selected={tab} word={(name) => text(`compliance.${name}Tab`)} onSelect={(name) => setParams({ tab: name })} />
      <WithTenant>
        {({ tenantId }) =>
          tab === 'schedules' ? (
            <JobList tenantId={tenantId} area={schedules} label={text('compliance.schedulesTab')} detail={detail} />
          ) : (
            <Runs key={tab} tenantId={tenantId} tab={tab} />
          )
        }
      </WithTenant>
    </Page>
  );
}

function Runs({ tenantId, tab }: { readonly tenantId: string; readonly tab: Exclude<Tab, 'schedules'> }): ReactElement {
  const text = useText();
  const navigate = useNavigate();
  return (
    <>
      {tab === 'scans' && (
        <Row>
          <StartScan tenantId={tenantId} />
        </Row>
      )}
      <RunList
        tenantId={tenantId}
        label={text(`compliance.${tab}Tab`)}
        area={areas[tab]}
        onOpen={(reportId) => void navigate(`/backup-and-restore/job-monitor/${reportId}`)}
      />
    </>
  );
}
