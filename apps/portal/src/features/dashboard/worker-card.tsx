import { Card, Subtitle2, Text } from '@fluentui/react-components';
import { selection } from '@holdfast/contract/workers';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useChosenWorker } from '../../api/portal-context.ts';
import { read } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { FailedState } from '../../ui/empty-state.tsx';
import { Facts, Row } from '../../ui/layout.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { Moment } from '../../ui/moment.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';

/** The chosen worker: whether it answered when it was checked, over the last 30 days. */
export function WorkerCard(): ReactElement | null {
  const text = useText();
  const format = useFormat();
  const worker = useChosenWorker()?.worker;
  const workerIp = worker?.ip ?? '';
  const checks = useQuery({ ...read(selection.workerChecks, { params: { workerIp }, quiet: true }), enabled: worker !== undefined });
  if (worker === undefined) return null;
  const hours = checks.data?.items ?? [];
  const sum = (of: 'reachable' | 'missed'): string => format.count(hours.reduce((total, hour) => total + hour[of], 0));
  const lastHour = hours.toSorted((one, other) => other.at.localeCompare(one.at))[0];
  return (
    <Card>
      <Subtitle2 as="h2">{text('workers.checks')}</Subtitle2>
      {checks.isPending && <LoadingShape rows={2} />}
      {checks.isError && <FailedState error={checks.error} onRetry={() => void checks.refetch()} />}
      {checks.data !== undefined && lastHour === undefined && <Text>{text('workers.noChecks')}</Text>}
      {lastHour !== undefined && (
        <>
          <Row>
            <Text weight="semibold">{worker.name}</Text>
            <StatusBadge status={lastHour.reachable > 0 ? 'reachable' : 'unreachable'} />
            <Moment at={lastHour.at} />
          </Row>
          <Facts
            items={[
              [text('workers.answered'), sum('reachable')],
              [text('workers.missed'), sum('missed')],
              [text('workers.highestLoad'), format.percent(Math.max(...hours.map(({ load }) => load)))],
            ]}
          />
        </>
      )}
    </Card>
  );
}
