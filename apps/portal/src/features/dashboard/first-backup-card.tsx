import { Card, Subtitle2, Text } from '@fluentui/react-components';
import type { Overview } from '@holdfast/contract/dashboard';
import { traitsOf } from '@holdfast/contract/jobs';
import type { ReactElement } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { CardGrid, Stack } from '../../ui/layout.tsx';
import { RouterLink } from '../../ui/router-link.tsx';
import { RunProgress } from '../monitoring/index.ts';

/** While the first backups run: how far each is, how fast, and how long it will take. */
export function FirstBackupCard({ runs }: { readonly runs: Overview['recentRuns'] }): ReactElement | null {
  const text = useText();
  const going = runs.filter(({ endedAt, type }) => endedAt === null && traitsOf(type).protects === true);
  if (going.length === 0) return null;
  return (
    <Card>
      <Subtitle2 as="h2">{text('dashboard.firstBackupRuns')}</Subtitle2>
      <Text>{text('dashboard.firstBackupAdvice')}</Text>
      <CardGrid size="four">
        {going.map((run) => (
          <Stack key={run.reportId}>
            <RouterLink to={`/backup-and-restore/job-monitor/${run.reportId}`}>{run.jobName}</RouterLink>
            <RunProgress run={run} isWhole />
          </Stack>
        ))}
      </CardGrid>
    </Card>
  );
}
