import { MessageBar, MessageBarBody } from '@fluentui/react-components';
import { jobs } from '@holdfast/contract/jobs';
import type { Job, SourceReference } from '@holdfast/contract/jobs';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { read } from '../../api/queries.ts';
import type { Format } from '../../i18n/format.ts';
import type { Translate } from '../../i18n/phrase-key.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { CommandBar } from '../../ui/command-bar.tsx';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { FailedState } from '../../ui/empty-state.tsx';
import { Facts } from '../../ui/layout.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { Moment } from '../../ui/moment.tsx';
import { RouterLink } from '../../ui/router-link.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { ApprovalHint } from '../tenants/index.ts';
import { useJobCommands } from './job-actions.tsx';
import type { JobVerb } from './job-actions.tsx';
import { chosenWords } from './chosen-words.ts';
import { jobTypeNames, locationWord, workloadWord } from './job-words.ts';
import { retentionText } from './retention-text.ts';
import { scheduleText } from './schedule-text.ts';

export interface JobDetailsProps {
  readonly tenantId: string;
  readonly jobId: string;
  /** The page of its runs. */
  readonly monitor: string;
  readonly onEdit: () => void;
  readonly onAsk: (job: Job, verb: JobVerb) => void;
  readonly onClose: () => void;
}

/** One job: what it covers, when it runs, how it went. */
export function JobDetails(props: JobDetailsProps): ReactElement {
  const text = useText();
  const { tenantId, jobId, onClose } = props;
  const job = useQuery(read(jobs.get, { params: { tenantId, jobId }, quiet: true }));
  return (
    <DetailDrawer title={job.data?.name ?? text('monitoring.job')} onClose={onClose}>
      {job.isPending && <LoadingShape rows={6} />}
      {job.isError && <FailedState error={job.error} onRetry={() => void job.refetch()} />}
      {job.data !== undefined && <JobFacts {...props} job={job.data} />}
    </DetailDrawer>
  );
}

const namesOf = (chosen: readonly SourceReference[]): string => chosen.map((one) => one.name || one.address).join(', ');

/** Whom the job covers, and whom it leaves out; what has no sources covers all of its location. */
function sourcesOf(job: Job, text: Translate, format: Format): readonly (readonly [string, string])[] {
  const everyone = [text('jobs.sources'), text('jobs.everyone')] as const;
  if ('import' in job) return [[text('jobs.sources'), namesOf(job.import.mapping.map(({ mailbox }) => mailbox)) || '–']];
  if (!('source' in job)) return [everyone];
  const { source, sourceCount } = job;
  const chosen = chosenWords(source, text).join(', ');
  const excluded = namesOf(source.excluded);
  const exempt = 'exempt' in job ? namesOf(job.exempt) : '';
  return [
    sourceCount === null ? everyone : [text('jobs.sources'), chosen || format.count(sourceCount)],
    ...(excluded === '' ? [] : [[text('jobs.excluded'), excluded] as const]),
    ...(exempt === '' ? [] : [[text('jobs.exempt'), exempt] as const]),
  ];
}

function JobFacts({ tenantId, job, monitor, onEdit, onAsk }: JobDetailsProps & { readonly job: Job }): ReactElement {
  const text = useText();
  const format = useFormat();
  const commands = useJobCommands(job, { onEdit, onAsk: (verb) => onAsk(job, verb) });
  const { lastRun } = job;
  return (
    <>
      <StatusBadge status={job.status} />
      {job.approval === 'waiting' && <ApprovalHint tenantId={tenantId} subjectId={job.jobId} />}
      {job.approval === 'refused' && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>{text('approvals.refusedHint')}</MessageBarBody>
        </MessageBar>
      )}
      <CommandBar commands={commands} />
      <Facts
        items={[
          [text('jobs.type'), text(jobTypeNames[job.type])],
          [text('common.workload'), workloadWord(job, text) || '–'],
          ...sourcesOf(job, text, format),
          ...('retention' in job ? [[text('jobs.retention'), retentionText(job.retention, text)] as const] : []),
          [text('jobs.location'), locationWord(job) || '–'],
          [text('jobs.schedule'), scheduleText(job.schedule, text, format)],
          [text('jobs.creator'), job.creator],
          [text('jobs.nextRun'), format.dateTime(job.nextRun)],
          [text('jobs.restorePoints'), format.count(job.restorePoints)],
          [
            text('jobs.lastRun'),
            lastRun === null ? (
              '–'
            ) : (
              <span key="run">
                <StatusBadge status={lastRun.status} /> <Moment at={lastRun.endedAt ?? lastRun.startedAt} />
              </span>
            ),
          ],
        ]}
      />
      {lastRun !== null && <RouterLink to={`${monitor}/${lastRun.runId}`}>{text('jobs.openLastRun')}</RouterLink>}
    </>
  );
}
