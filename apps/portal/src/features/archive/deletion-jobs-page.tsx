import type { ReactElement } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { useMay } from '../../api/portal-context.ts';
import { useText } from '../../i18n/use-text.ts';
import { Page } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useDetail } from '../../ui/use-detail.ts';
import { ApprovalList } from '../approvals/index.ts';
import { MessageDeletions } from '../deletions/index.ts';
import { isStepping, JobList, JobSteps, type JobArea } from '../jobs/index.ts';
import { RunList } from '../monitoring/index.ts';
import { WithTenant } from '../tenants/index.ts';

const tabs = ['jobs', 'messages', 'requests', 'runs'] as const;
const monitor = '/archive/job-monitor';
const area: JobArea = {
  base: '/archive/deletion-jobs',
  monitor,
  tableId: 'deletion-jobs',
  types: ['deletion'],
  alsoListed: [],
  empty: 'archive.noDeletionJob',
};
const runs = { tableId: 'deletion-runs', types: ['deletion', 'erasure'], empty: 'archive.noDeletionRun' } as const;

/** `/archive/deletion-jobs`: the jobs, deletions of archived messages, the requests that wait for a second person, and the runs. */
export default function DeletionJobsPage(): ReactElement {
  const text = useText();
  const navigate = useNavigate();
  const mayDecide = useMay('deletion.manage');
  const detail = useDetail(area.base);
  const [params] = useSearchParams();
  const shown = tabs.filter((name) => mayDecide || (name !== 'requests' && name !== 'messages'));
  const tab = shown.find((name) => name === params.get('tab')) ?? 'jobs';
  const title = text('shell.deletionJobs');
  if (isStepping(detail)) return <JobSteps area={area} detail={detail} listTitle={title} />;
  return (
    <Page title={title} lead={text(tab === 'messages' ? 'deletions.lead' : 'archive.deletionLead')}>
      <Tabs
        names={shown}
        selected={tab}
        word={(name) => text(name === 'messages' ? 'deletions.tab' : `archive.${name}Tab`)}
        onSelect={(name) => void navigate(name === 'jobs' ? area.base : `${area.base}?tab=${name}`)}
      />
      <WithTenant>
        {({ tenantId }) => (
          <>
            {tab === 'jobs' && <JobList tenantId={tenantId} area={area} label={title} detail={detail} />}
            {tab === 'messages' && <MessageDeletions tenantId={tenantId} />}
            {tab === 'requests' && <ApprovalList tenantId={tenantId} base={area.base} kind="deletionJob" />}
            {tab === 'runs' && (
              <RunList
                tenantId={tenantId}
                label={text('archive.runsTab')}
                area={runs}
                onOpen={(reportId) => void navigate(`${monitor}/${reportId}`)}
              />
            )}
          </>
        )}
      </WithTenant>
    </Page>
  );
}
