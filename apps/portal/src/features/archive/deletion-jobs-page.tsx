import type { Disposition } from '@holdfast/contract/dispositions';
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
import { DispositionList } from '../retention/index.ts';
import { WithTenant } from '../tenants/index.ts';
import { messagesAddress, type WantedMessage } from './archive-addresses.ts';

const tabs = ['jobs', 'messages', 'reviews', 'requests', 'runs'] as const;
const leads = { messages: 'deletions.lead', reviews: 'retention.reviewsLead' } as const;
const administrative: readonly string[] = ['messages', 'reviews', 'requests'];
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

/** The message that waits for a reviewer: its mailbox opens it once the reader has said why. */
function openingOf({ mailboxId, messageId, locationId, sourceId, sequence }: Disposition): {
  readonly to: string;
  readonly state: WantedMessage;
} {
  return { to: messagesAddress(mailboxId), state: { reason: '', message: { messageId, locationId, sourceId, sequence, subject: '' } } };
}

/** `/archive/deletion-jobs`: the jobs, deletions of archived messages, what waits for reviewers, the requests that wait for a second person, and the runs. */
export default function DeletionJobsPage(): ReactElement {
  const text = useText();
  const navigate = useNavigate();
  const mayDecide = useMay('deletion.manage');
  const detail = useDetail(area.base);
  const [params] = useSearchParams();
  const shown = tabs.filter((name) => mayDecide || !administrative.includes(name));
  const tab = shown.find((name) => name === params.get('tab')) ?? 'jobs';
  const title = text('shell.deletionJobs');
  if (isStepping(detail)) return <JobSteps area={area} detail={detail} listTitle={title} />;
  return (
    <Page title={title} lead={text(tab === 'messages' || tab === 'reviews' ? leads[tab] : 'archive.deletionLead')}>
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
            {tab === 'reviews' && <DispositionList tenantId={tenantId} openingOf={openingOf} />}
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
