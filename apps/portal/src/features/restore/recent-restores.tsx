import { Text } from '@fluentui/react-components';
import { monitoring } from '@holdfast/contract/monitoring';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { read } from '../../api/queries.ts';
import { useRestoreRecipient } from '../../i18n/use-restore-recipient.ts';
import { useText } from '../../i18n/use-text.ts';
import { Row, Stack } from '../../ui/layout.tsx';
import { Moment } from '../../ui/moment.tsx';
import { RouterLink } from '../../ui/router-link.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';

const shown = 5;

/** The last restores with their reports. */
export function RecentRestores({ tenantId }: { readonly tenantId: string }): ReactElement {
  const text = useText();
  const recipientOf = useRestoreRecipient();
  const runs = useQuery(read(monitoring.list, { params: { tenantId }, query: { type: 'restore', limit: shown }, quiet: true }));
  if (runs.data === undefined || runs.data.items.length === 0) return <Text>{text('restore.noRecent')}</Text>;
  return (
    <Stack>
      {runs.data.items.map((run) => (
        <Row key={run.reportId}>
          <RouterLink to={`/backup-and-restore/job-monitor/${run.reportId}`}>{run.jobName}</RouterLink>
          {run.restore !== null && <Text>{text('restore.toRecipient', { recipient: recipientOf(run.restore) })}</Text>}
          {run.restore !== null && run.restore.reason !== '' && <Text>{text('restore.forReason', { reason: run.restore.reason })}</Text>}
          <StatusBadge status={run.status} />
          <Moment at={run.startedAt ?? run.queuedAt} />
        </Row>
      ))}
    </Stack>
  );
}
