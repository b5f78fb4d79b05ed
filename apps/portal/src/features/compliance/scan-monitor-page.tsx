import type { ReactElement } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { useMay } from '../../api/portal-context.ts';
import type { PhraseKey } from '../../i18n/phrase-key.ts';
import { useText } from '../../i18n/use-text.ts';
import { Row } from '../../ui/layout.tsx';
import { Page } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useDetail } from '../../ui/use-detail.ts';
import { HoldTable } from '../holds/index.ts';
import { isStepping, JobList, JobSteps } from '../jobs/index.ts';
import type { JobArea } from '../jobs/index.ts';
import { RunList } from '../monitoring/index.ts';
import type { RunArea } from '../monitoring/index.ts';
import { RetentionActivity } from '../retention/index.ts';
import { WithTenant } from '../tenants/index.ts';
import { StartScan } from './start-scan.tsx';

const base = '/compliance/monitoring';
const tabs = ['scans', 'schedules', 'deletions', 'cleanUps', 'exports', 'holds', 'retention'] as const;
/** Tabs that need the right to manage deletion. */
const guarded: ReadonlySet<Tab> = new Set<Tab>(['holds', 'retention']);
type Tab = (typeof tabs)[number];
type RunTab = Exclude<Tab, 'schedules' | 'holds' | 'retention'>;

const areas: Readonly<Record<RunTab, RunArea>> = {
  scans: { tableId: 'scan-runs', types: ['scan'], empty: 'compliance.noScans' },
  deletions: { tableId: 'deletion-runs', types: ['deletion', 'erasure'], empty: 'compliance.noDeletions' },
  cleanUps: { tableId: 'clean-up-runs', types: ['cleanUp'], empty: 'compliance.noCleanUps' },
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

const tabNames: Readonly<Record<Tab, PhraseKey>> = {
  scans: 'compliance.scansTab',
  schedules: 'compliance.schedulesTab',
  deletions: 'compliance.deletionsTab',
  cleanUps: 'compliance.cleanUps',
  exports: 'compliance.exportsTab',
  holds: 'shell.holds',
  retention: 'compliance.retentionTab',
};

/** `/compliance/monitoring`: scans and their schedules, runs that delete by a retention rule, clean-ups, exports and restores, holds, and what people do with retention policies. */
export default function ScanMonitorPage(): ReactElement {
  const text = useText();
  const navigate = useNavigate();
  const mayHold = useMay('deletion.manage');
  const shown = tabs.filter((name) => mayHold || !guarded.has(name));
  const detail = useDetail(base);
  const [params, setParams] = useSearchParams();
  const chosen = detail.mode === 'list' ? params.get('tab') : 'schedules';
  const tab = shown.find((name) => name === chosen) ?? 'scans';
  if (isStepping(detail)) return <JobSteps area={schedules} detail={detail} listTitle={text('compliance.schedulesTab')} />;
  return (
    <Page title={text('shell.jobMonitor')} lead={text('compliance.monitorLead')}>
      <Tabs names={shown} selected={tab} word={(name) => text(tabNames[name])} onSelect={(name) => setParams({ tab: name })} />
      <WithTenant>
        {({ tenantId }) => {
          if (tab === 'holds')
            return <HoldTable tenantId={tenantId} onOpen={(holdId) => void navigate(`/configuration/holds/${holdId}`)} />;
          if (tab === 'retention') return <RetentionActivity tenantId={tenantId} />;
          if (tab !== 'schedules') return <Runs key={tab} tenantId={tenantId} tab={tab} />;
          return <JobList tenantId={tenantId} area={schedules} label={text('compliance.schedulesTab')} detail={detail} />;
        }}
      </WithTenant>
    </Page>
  );
}

function Runs({ tenantId, tab }: { readonly tenantId: string; readonly tab: RunTab }): ReactElement {
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
        label={text(tabNames[tab])}
        area={areas[tab]}
        onOpen={(reportId) => void navigate(`/backup-and-restore/job-monitor/${reportId}`)}
      />
    </>
  );
}
