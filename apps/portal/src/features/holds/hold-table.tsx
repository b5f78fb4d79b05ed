import { holds, holdStatuses } from '@holdfast/contract/holds';
import type { GuardedByHold, Hold } from '@holdfast/contract/holds';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { read } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { useColumnKinds } from '../../ui/data-table/column-kinds.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column, Filter } from '../../ui/data-table/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Moment } from '../../ui/moment.tsx';
import { NarrowedByLink } from '../../ui/narrowed-by-link.tsx';
import { usePeriodWords } from '../../ui/period-of-link.ts';
import { isCounted, useCountedHolds } from './counted-holds.ts';
import { useHoldWords } from './hold-words.ts';

/** The holds of a tenant, and what each in force guards now. */
export function useHolds(tenantId: string) {
  const list = useQuery(read(holds.list, { params: { tenantId }, quiet: true }));
  const figures = useQuery(read(holds.guarded, { params: { tenantId }, quiet: true }));
  return { list, guarded: new Map(figures.data?.items.map((one) => [one.holdId, one])) };
}

const COUNTED = {
  active: 'periodReports.holdsActive',
  placed: 'periodReports.holdsPlaced',
  released: 'periodReports.holdsReleased',
} as const;

export interface HoldTableProps {
  readonly tenantId: string;
  readonly onOpen: (holdId: string) => void;
}

/** Every hold, those that have ended too. */
export function HoldTable({ tenantId, onOpen }: HoldTableProps): ReactElement {
  const text = useText();
  const { list, guarded } = useHolds(tenantId);
  const columns = useColumns(guarded);
  const asked = useCountedHolds();
  const periodWords = usePeriodWords();
  const rows = asked === null ? list.data?.items : list.data?.items.filter((one) => isCounted(one, asked));
  const filters: readonly Filter[] = [
    { id: 'status', label: text('common.status'), choices: holdStatuses.map((value) => ({ value, label: text(`holds.${value}`) })) },
  ];
  return (
    <>
      {asked !== null && (
        <NarrowedByLink
          text={`${text(COUNTED[asked.counted])}: ${text('periodReports.period', periodWords(asked.period))}`}
          names={['counted', 'from', 'to']}
        />
      )}
      <DataTable
        id="holds"
        label={text('shell.holds')}
        columns={columns}
        filters={filters}
        source={{ kind: 'list', rows, error: list.error, retry: () => void list.refetch() }}
        rowKey={(one) => one.holdId}
        rowName={(one) => one.name}
        onOpen={(one) => onOpen(one.holdId)}
        empty={<EmptyState text={text(asked === null ? 'holds.empty' : 'kit.noMatches')} />}
      />
    </>
  );
}

function useColumns(guarded: ReadonlyMap<string, GuardedByHold>): readonly Column<Hold>[] {
  const text = useText();
  const format = useFormat();
  const words = useHoldWords();
  const { count, size } = useColumnKinds<Hold>();
  const figure = (name: 'points' | 'items' | 'bytes') => (row: Hold) => guarded.get(row.holdId)?.[name] ?? null;
  return [
    { id: 'name', title: text('common.name'), sort: 'name', width: 190, value: (row) => row.name, render: (row) => row.name },
    {
      id: 'status',
      title: text('common.status'),
      sort: 'status',
      width: 150,
      value: (row) => text(`holds.${row.status}`),
      render: (row) => text(`holds.${row.status}`),
    },
    { id: 'on', title: text('holds.on'), width: 220, value: words.on, render: words.on },
    { id: 'period', title: text('holds.period'), width: 270, value: words.period, render: words.period },
    count({ id: 'points', title: text('restore.points'), width: 100 }, figure('points')),
    count({ id: 'items', title: text('holds.items'), width: 110 }, figure('items')),
    size({ id: 'size', title: text('holds.bytes'), width: 120 }, figure('bytes')),
    { id: 'reason', title: text('holds.reason'), width: 220, value: (row) => row.reason, render: (row) => row.reason },
    {
      id: 'placer',
      title: text('holds.placer'),
      sort: 'placer',
      width: 220,
      isExtra: true,
      value: (row) => row.placer,
      render: (row) => row.placer,
    },
    {
      id: 'placedAt',
      title: text('holds.placedAt'),
      sort: 'placedAt',
      width: 140,
      value: (row) => format.iso(row.placedAt),
      render: (row) => <Moment at={row.placedAt} />,
    },
  ];
}
