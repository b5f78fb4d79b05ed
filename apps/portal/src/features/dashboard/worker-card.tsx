import { Card, Subtitle2, Text } from '@fluentui/react-components';
import type { ResponseOf } from '@holdfast/contract/route';
import { selection } from '@holdfast/contract/workers';
import { useQuery } from '@tanstack/react-query';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useChosenWorker } from '../../api/portal-context.ts';
import { read } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { FailedState } from '../../ui/empty-state.tsx';
import { Facts, Row } from '../../ui/layout.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { Moment } from '../../ui/moment.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';

type Hour = ResponseOf<typeof selection.workerChecks>['items'][number];

/** How it stands now, and how it stood over all hours. */
function Checked({ name, hours }: { readonly name: string; readonly hours: readonly Hour[] }): ReactElement {
  const text = useText();
  const format = useFormat();
  const lastHour = hours.toSorted((one, other) => other.at.localeCompare(one.at))[0];
  if (lastHour === undefined) return <Text>{text('workers.noChecks')}</Text>;
  const sum = (of: 'reachable' | 'missed'): string => format.count(hours.reduce((total, hour) => total + hour[of], 0));
  return (
    <>
      <Row>
        <Text weight="semibold">{name}</Text>
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
  );
}

/** The checks of the chosen worker over the last 30 days. */
export function useWorkerChecks(): UseQueryResult<ResponseOf<typeof selection.workerChecks>> {
  const worker = useChosenWorker()?.worker;
  const workerIp = worker?.ip ?? '';
  return useQuery({ ...read(selection.workerChecks, { params: { workerIp }, quiet: true }), enabled: worker !== undefined });
}

/** The chosen worker: whether it answered when it was checked. */
export function WorkerCard({ checks }: { readonly checks: ReturnType<typeof useWorkerChecks> }): ReactElement | null {
  const text = useText();
  const worker = useChosenWorker()?.worker;
  if (worker === undefined) return null;
  return (
    <Card>
      <Subtitle2 as="h2">{text('workers.checks')}</Subtitle2>
      {checks.isPending && <LoadingShape rows={2} />}
      {checks.isError && <FailedState error={checks.error} onRetry={() => void checks.refetch()} />}
      {checks.data !== undefined && <Checked name={worker.name} hours={checks.data.items} />}
    </Card>
  );
}
