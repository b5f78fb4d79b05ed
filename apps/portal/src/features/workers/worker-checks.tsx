import { Subtitle2 } from '@fluentui/react-components';
import { selection } from '@holdfast/contract/workers';
import type { ResponseOf } from '@holdfast/contract/route';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { read } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column } from '../../ui/data-table/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Stack } from '../../ui/layout.tsx';

type Hour = ResponseOf<typeof selection.workerChecks>['items'][number];

export interface DayOfChecks {
  /** The start of its first hour. */
  readonly at: string;
  readonly reachable: number;
  readonly missed: number;
  readonly load: number;
}

/** Hours added up by day of the reader's clock, newest first. */
export function daysOf(hours: readonly Hour[], dayOf: (at: string) => string): readonly DayOfChecks[] {
  const days = new Map<string, DayOfChecks>();
  for (const { at, reachable, missed, load } of hours) {
    const day = dayOf(at);
    const known = days.get(day) ?? { at, reachable: 0, missed: 0, load: 0 };
    days.set(day, {
      at: known.at,
      reachable: known.reachable + reachable,
      missed: known.missed + missed,
      load: Math.max(known.load, load),
    });
  }
  return [...days.values()].toSorted((one, other) => other.at.localeCompare(one.at));
}

/** Once a minute it is noted whether a worker had been heard of in time. */
export function WorkerChecks({ ip }: { readonly ip: string }): ReactElement {
  const text = useText();
  const format = useFormat();
  const columns = useColumns();
  const checks = useQuery(read(selection.workerChecks, { params: { workerIp: ip }, quiet: true }));
  return (
    <Stack>
      <Subtitle2 as="h3">{text('workers.checks')}</Subtitle2>
      <DataTable
        id="worker-checks"
        prefix="c-"
        label={text('workers.checks')}
        columns={columns}
        isSearchable={false}
        source={{
          kind: 'list',
          rows: checks.data && daysOf(checks.data.items, (at) => format.date(at)),
          error: checks.error,
          retry: () => void checks.refetch(),
        }}
        rowKey={(day) => day.at}
        rowName={(day) => format.date(day.at)}
        empty={<EmptyState text={text('workers.noChecks')} />}
      />
    </Stack>
  );
}

function useColumns(): readonly Column<DayOfChecks>[] {
  const text = useText();
  const format = useFormat();
  return [
    { id: 'day', title: text('workers.day'), value: (day) => day.at.slice(0, 10), render: (day) => format.date(day.at) },
    {
      id: 'reachable',
      title: text('workers.answered'),
      isNumber: true,
      value: (day) => day.reachable,
      render: (day) => format.count(day.reachable),
    },
    { id: 'missed', title: text('workers.missed'), isNumber: true, value: (day) => day.missed, render: (day) => format.count(day.missed) },
    { id: 'load', title: text('workers.highestLoad'), isNumber: true, value: (day) => day.load, render: (day) => format.percent(day.load) },
  ];
}
