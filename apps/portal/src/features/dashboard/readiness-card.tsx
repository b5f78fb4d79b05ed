import {
  Badge,
  Card,
  makeStyles,
  Subtitle2,
  Table,
  TableBody,
  TableCell,
  TableHeader,
  TableHeaderCell,
  TableRow,
  Text,
  tokens,
} from '@fluentui/react-components';
import { dashboard } from '@holdfast/contract/dashboard';
import type { Readiness } from '@holdfast/contract/dashboard';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { read } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { FailedState } from '../../ui/empty-state.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { Moment } from '../../ui/moment.tsx';
import { RouterLink } from '../../ui/router-link.tsx';
import { WorkloadIcon } from '../../ui/workload-look.tsx';

type Proof = Readiness['items'][number]['verification'];

const colours = { verified: 'success', overdue: 'warning', deviation: 'danger' } as const;

const useStyles = makeStyles({
  name: { display: 'flex', alignItems: 'center', columnGap: tokens.spacingHorizontalS },
  frame: { overflowX: 'auto' },
});

/** Could it be brought back now? The newest point of each workload, and when that was last proved. */
export function ReadinessCard({ tenantId }: { readonly tenantId: string }): ReactElement {
  const text = useText();
  const styles = useStyles();
  const readiness = useQuery(read(dashboard.readiness, { params: { tenantId }, quiet: true, background: true }));
  const items = readiness.data?.items ?? [];
  return (
    <Card>
      <Subtitle2 as="h2">{text('dashboard.readiness')}</Subtitle2>
      {readiness.isPending && <LoadingShape rows={4} />}
      {readiness.isError && <FailedState error={readiness.error} onRetry={() => void readiness.refetch()} />}
      {readiness.data !== undefined && items.length === 0 && <Text>{text('dashboard.noRuns')}</Text>}
      {items.length > 0 && (
        // A region that scrolls is reached by the keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls
        <div className={styles.frame} tabIndex={0} role="group" aria-label={text('dashboard.readiness')}>
          <Table size="small" aria-label={text('dashboard.readiness')}>
            <TableHeader>
              <TableRow>
                <TableHeaderCell>{text('common.workload')}</TableHeaderCell>
                <TableHeaderCell>{text('dashboard.columnNewest')}</TableHeaderCell>
                <TableHeaderCell>{text('dashboard.columnDrill')}</TableHeaderCell>
                <TableHeaderCell>{text('dashboard.columnVerified')}</TableHeaderCell>
              </TableRow>
            </TableHeader>
            <TableBody>
              {items.map((item) => (
                <TableRow key={item.workload}>
                  <TableCell>
                    <span className={styles.name}>
                      <WorkloadIcon workload={item.workload} />
                      {text(`common.${item.workload}`)}
                    </span>
                  </TableCell>
                  <TableCell>
                    <Moment at={item.newestPointAt} />
                  </TableCell>
                  <TableCell>
                    <ProofOf proof={item.drill} />
                  </TableCell>
                  <TableCell>
                    <ProofOf proof={item.verification} />
                  </TableCell>
                </TableRow>
              ))}
            </TableBody>
          </Table>
        </div>
      )}
    </Card>
  );
}

function ProofOf({ proof }: { readonly proof: Proof }): ReactElement {
  const text = useText();
  const format = useFormat();
  if (proof === null) {
    return (
      <Badge appearance="tint" color="warning">
        {text('dashboard.never')}
      </Badge>
    );
  }
  return (
    <RouterLink to={`/backup-and-restore/job-monitor/${proof.runId}`}>
      {format.date(proof.at)}{' '}
      <Badge appearance="tint" color={colours[proof.state]}>
        {text(`status.${proof.state}`)}
      </Badge>
    </RouterLink>
  );
}
