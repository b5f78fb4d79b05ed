import { Button, Card, Checkbox } from '@fluentui/react-components';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useFormat, useText } from '../i18n/use-text.ts';
import { useColumnKinds } from '../ui/data-table/column-kinds.tsx';
import { DataTable } from '../ui/data-table/data-table.tsx';
import type { Column, RowSource } from '../ui/data-table/types.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { StatusBadge } from '../ui/status-badge.tsx';
import type { Status } from '../ui/status-badge.tsx';
import { TileGrid } from '../ui/tile-grid.tsx';
import { VirtualList } from '../ui/virtual-list.tsx';
import { Specimen } from './specimen.tsx';

interface Sample {
  readonly id: string;
  readonly name: string;
  readonly status: Status;
  readonly items: number;
  readonly bytes: number;
  readonly at: string | null;
}

const states = ['successful', 'running', 'defective', 'failed', 'scheduled'] as const satisfies readonly Status[];

const samples: readonly Sample[] = Array.from({ length: 120 }, (_empty, row) => ({
  id: `row-${row}`,
  name: row % 7 === 3 ? `Quarterly-figures-and-forecasts-of-the-whole-group-${row}` : `Mailbox ${row + 1}`,
  status: states[row % states.length] ?? 'successful',
  items: row * 379,
  bytes: row ** 3 * 4_096,
  at: row % 9 === 8 ? null : `2026-11-${String((row % 20) + 1).padStart(2, '0')}T21:00:00Z`,
}));

/** As many as fit on a screen beside everything else. */
const few = samples.slice(0, 12);

/** The table in each of its states, and the long list. */
export function Lists(): ReactElement {
  return (
    <>
      <Specimen name="DataTable, ExportMenu">
        <SampleTable id="kit-full" source={{ kind: 'list', rows: few }} />
      </Specimen>
      <Specimen name="DataTable empty">
        <SampleTable id="kit-empty" prefix="e-" source={{ kind: 'list', rows: [] }} />
      </Specimen>
      <Specimen name="DataTable loading">
        <SampleTable id="kit-loading" prefix="l-" source={{ kind: 'list', rows: undefined }} />
      </Specimen>
      <Specimen name="DataTable failed">
        <SampleTable
          id="kit-failed"
          prefix="f-"
          source={{ kind: 'list', rows: undefined, error: new Error('HTTP 500'), retry: () => undefined }}
        />
      </Specimen>
      <Specimen name="VirtualList">
        <LongList />
      </Specimen>
      <Specimen name="TileGrid">
        <Tiles />
      </Specimen>
    </>
  );
}

function RemoveButton({ count, onClick }: { readonly count: number; readonly onClick: () => void }): ReactElement {
  const text = useText();
  return <Button onClick={onClick}>{`${text('common.remove')} (${count})`}</Button>;
}

const renderRemove = (rows: readonly Sample[], clear: () => void): ReactElement => <RemoveButton count={rows.length} onClick={clear} />;

function SampleTable({
  id,
  source,
  prefix,
}: {
  readonly id: string;
  readonly source: RowSource<Sample>;
  readonly prefix?: string;
}): ReactElement {
  const text = useText();
  const columns = useSampleColumns();
  return (
    <DataTable
      id={id}
      label={`${text('restore.sources')} (${id})`}
      columns={columns}
      filters={[
        { id: 'status', label: text('common.status'), choices: states.map((value) => ({ value, label: text(`status.${value}`) })) },
      ]}
      source={source}
      rowKey={(row) => row.id}
      rowName={(row) => row.name}
      onOpen={() => undefined}
      news={(before, now) => (before.status === now.status ? null : now.name)}
      empty={<EmptyState text={text('restore.empty')} />}
      selectionCommands={renderRemove}
      {...(prefix === undefined ? {} : { prefix })}
    />
  );
}

function useSampleColumns(): readonly Column<Sample>[] {
  const text = useText();
  const kinds = useColumnKinds<Sample>();
  return [
    kinds.words({ id: 'name', title: text('common.name'), sort: 'name', width: 240 }, (row) => row.name),
    {
      id: 'status',
      title: text('common.status'),
      sort: 'status',
      value: (row) => text(`status.${row.status}`),
      render: (row) => <StatusBadge status={row.status} />,
    },
    kinds.count({ id: 'items', title: text('restore.items'), sort: 'items' }, (row) => row.items),
    kinds.size({ id: 'bytes', title: text('restore.size'), sort: 'bytes' }, (row) => row.bytes),
    kinds.moment({ id: 'at', title: text('restore.newest'), sort: 'at' }, (row) => row.at),
  ];
}

function LongList(): ReactElement {
  const text = useText();
  const format = useFormat();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string): void => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };
  return (
    <VirtualList
      label={text('restore.contents')}
      rows={samples}
      total={samples.length}
      height={240}
      rowKey={(row) => row.id}
      onNearEnd={() => undefined}
      onOpen={(row) => toggle(row.id)}
      onSelect={(row) => toggle(row.id)}
      render={(row, tabIndex) => (
        <>
          <span role="gridcell">
            <Checkbox
              tabIndex={tabIndex}
              aria-label={text('restore.selectItem', { name: row.name })}
              checked={chosen.has(row.id)}
              onChange={() => toggle(row.id)}
            />
          </span>
          <span role="gridcell" style={{ flexGrow: 1, minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>
            {row.name}
          </span>
          <span role="gridcell">{format.bytes(row.bytes)}</span>
        </>
      )}
    />
  );
}

function Tiles(): ReactElement {
  return (
    <TileGrid
      label={`${useText()('restore.contents')} (TileGrid)`}
      tiles={samples}
      total={samples.length}
      height={240}
      tileHeight={96}
      tileKey={(tile) => tile.id}
      onNearEnd={() => undefined}
      onOpen={() => undefined}
      onSelect={() => undefined}
      render={(tile) => <Card>{tile.name}</Card>}
    />
  );
}
