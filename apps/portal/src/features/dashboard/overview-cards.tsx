import { Card, Subtitle2, Text } from '@fluentui/react-components';
import type { Overview } from '@holdfast/contract/dashboard';
import { jobAddress } from '@holdfast/contract/jobs';
import { reportsAddress, type Evidence } from '@holdfast/contract/reporting';
import type { ReactElement } from 'react';
import { useCodeText } from '../../i18n/use-code-text.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { Facts, Row, Stack } from '../../ui/layout.tsx';
import { Moment } from '../../ui/moment.tsx';
import { RouterLink } from '../../ui/router-link.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { useFindingsText } from '../../i18n/use-findings-text.ts';

/** What is not protected, and why. */
export function NotProtectedCard({ notProtected }: { readonly notProtected: Overview['notProtected'] }): ReactElement {
  const text = useText();
  const codeText = useCodeText();
  return (
    <Card>
      <Subtitle2 as="h2">{text('dashboard.notProtected')}</Subtitle2>
      {notProtected.items.length === 0 && <Text>{text('dashboard.everyProtected')}</Text>}
      {notProtected.items.map((item) => (
        <Row key={`${item.workload} ${item.graphId} ${item.reason}`}>
          <StatusBadge status={item.state} />
          <Text weight="semibold">{item.name || text(`common.${item.workload}`)}</Text>
          <Text>{codeText(item.reason)}</Text>
        </Row>
      ))}
      {notProtected.total > notProtected.items.length && (
        <RouterLink to={reportsAddress('coverage')}>{text('dashboard.showReport')}</RouterLink>
      )}
    </Card>
  );
}

/** The last verification and the last drill. */
export function EvidenceCard({
  verification,
  drill,
  audit,
}: {
  readonly verification: Evidence | null;
  readonly drill: Evidence | null;
  readonly audit: Overview['lastAuditVerification'];
}): ReactElement {
  const text = useText();
  return (
    <Card>
      <Subtitle2 as="h2">{text('dashboard.evidence')}</Subtitle2>
      <Facts
        items={[
          [text('dashboard.lastVerification'), <EvidenceState key="verification" evidence={verification} />],
          [text('dashboard.lastDrill'), <EvidenceState key="drill" evidence={drill} />],
          [
            text('dashboard.lastAuditVerification'),
            audit === null ? (
              text('dashboard.never')
            ) : (
              <Row key="audit">
                <StatusBadge status={audit.state} />
                <Moment at={audit.at} />
              </Row>
            ),
          ],
        ]}
      />
    </Card>
  );
}

function EvidenceState({ evidence }: { readonly evidence: Evidence | null }): ReactElement {
  const text = useText();
  const findingsText = useFindingsText();
  if (evidence === null) return <Text>{text('dashboard.never')}</Text>;
  return (
    <Stack>
      <Row>
        <StatusBadge status={evidence.state} />
        <Moment at={evidence.at} />
        <RouterLink to={`/backup-and-restore/job-monitor/${evidence.runId}`}>{text('jobs.openRun')}</RouterLink>
      </Row>
      {findingsText(evidence.findings).map((line) => (
        <Text key={line}>{line}</Text>
      ))}
    </Stack>
  );
}

/** The last runs. */
export function RecentRunsCard({ runs }: { readonly runs: Overview['recentRuns'] }): ReactElement {
  const text = useText();
  return (
    <Card>
      <Subtitle2 as="h2">{text('dashboard.recentRuns')}</Subtitle2>
      {runs.length === 0 && <Text>{text('dashboard.noRuns')}</Text>}
      {runs.map((run) => (
        <Row key={run.reportId}>
          <RouterLink to={`/backup-and-restore/job-monitor/${run.reportId}`}>{run.jobName}</RouterLink>
          <StatusBadge status={run.status} />
          <Moment at={run.endedAt ?? run.startedAt ?? run.queuedAt} />
        </Row>
      ))}
    </Card>
  );
}

/** What runs next. */
export function NextRunsCard({ jobs }: { readonly jobs: Overview['nextRuns'] }): ReactElement {
  const text = useText();
  const format = useFormat();
  return (
    <Card>
      <Subtitle2 as="h2">{text('dashboard.nextRuns')}</Subtitle2>
      {jobs.length === 0 && <Text>{text('dashboard.noNextRuns')}</Text>}
      {jobs.map((job) => (
        <Row key={job.jobId}>
          <RouterLink to={jobAddress(job)}>{job.name}</RouterLink>
          <Text>{format.dateTime(job.nextRun)}</Text>
        </Row>
      ))}
    </Card>
  );
}
