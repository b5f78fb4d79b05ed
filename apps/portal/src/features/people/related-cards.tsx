import { Card, Subtitle2, Text } from '@fluentui/react-components';
import { jobAddress } from '@holdfast/contract/jobs';
import type { ProtectableDetails } from '@holdfast/contract/people';
import type { ReactElement } from 'react';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { Row } from '../../ui/layout.tsx';
import { Moment } from '../../ui/moment.tsx';
import { RouterLink } from '../../ui/router-link.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';

/** The jobs that keep somebody, and until when what they keep stays. */
export function JobsCard({ jobs }: Pick<ProtectableDetails, 'jobs'>): ReactElement {
  const text = useText();
  const format = useFormat();
  return (
    <Card>
      <Subtitle2 as="h2">{text('people.jobs')}</Subtitle2>
      {jobs.length === 0 && <Text>{text('people.noJobs')}</Text>}
      {jobs.map((job) => (
        <Row key={job.jobId}>
          <RouterLink to={jobAddress(job)}>{job.name}</RouterLink>
          <StatusBadge status={job.status} />
          {job.nextRun !== null && <Text>{text('people.nextRun', { at: format.dateTime(job.nextRun) })}</Text>}
        </Row>
      ))}
      <Text size={200}>{text('people.retention')}</Text>
    </Card>
  );
}

/** What was restored of somebody, the newest first. */
export function RestoresCard({ restores }: Pick<ProtectableDetails, 'restores'>): ReactElement {
  const text = useText();
  return (
    <Card>
      <Subtitle2 as="h2">{text('people.restores')}</Subtitle2>
      {restores.length === 0 && <Text>{text('people.noRestores')}</Text>}
      {restores.map((run) => (
        <Row key={run.reportId}>
          <RouterLink to={`/backup-and-restore/job-monitor/${run.reportId}`}>{run.jobName}</RouterLink>
          <StatusBadge status={run.status} />
          <Moment at={run.endedAt ?? run.startedAt ?? run.queuedAt} />
        </Row>
      ))}
    </Card>
  );
}
