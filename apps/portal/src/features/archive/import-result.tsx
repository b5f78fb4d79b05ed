import { Button, Text } from '@fluentui/react-components';
import type { ReactElement } from 'react';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { FailedState } from '../../ui/empty-state.tsx';
import { Facts, Row, Stack } from '../../ui/layout.tsx';
import { RouterLink } from '../../ui/router-link.tsx';
import { ImportFaults } from './import-faults.tsx';
import { useImportReport } from './imports.queries.ts';

interface ImportResultProps {
  readonly tenantId: string;
  readonly jobId: string;
  /** Another folder of the same files, or another mailbox. */
  readonly onAgain: () => void;
}

/** What came of an import, once its run has ended. */
export function ImportResult({ tenantId, jobId, onAgain }: ImportResultProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const report = useImportReport(tenantId, jobId);
  if (report.isError && report.data === undefined) return <FailedState error={report.error} onRetry={() => void report.refetch()} />;
  const { data } = report;
  const link = data?.runId ? <RouterLink to={`/archive/job-monitor/${data.runId}`}>{text('jobs.openRun')}</RouterLink> : null;
  if (data?.isEnded !== true) {
    return (
      <Stack>
        <Text role="status">{text('imports.running')}</Text>
        {link}
      </Stack>
    );
  }
  return (
    <Stack>
      <Text role="status">{text('imports.ended')}</Text>
      <Facts
        items={[
          [text('imports.seen'), format.count(data.seen)],
          [text('imports.added'), format.count(data.added)],
          [text('imports.known'), format.count(data.known)],
          ...(data.erasedBefore === 0 ? [] : [[text('imports.erasedBefore'), format.count(data.erasedBefore)] as const]),
          [text('imports.failed'), format.count(data.failed)],
        ]}
      />
      <ImportFaults tenantId={tenantId} jobId={jobId} failed={data.failed} />
      <Row>
        <Button onClick={onAgain}>{text('imports.again')}</Button>
      </Row>
      {link}
      <RouterLink to="/archive/mailboxes">{text('imports.openMailboxes')}</RouterLink>
    </Stack>
  );
}
