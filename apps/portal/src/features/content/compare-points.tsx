import { Card, Dropdown, Field, Option } from '@fluentui/react-components';
import { discovery } from '@holdfast/contract/discovery';
import type { RestorePoint } from '@holdfast/contract/discovery';
import type { ResponseOf } from '@holdfast/contract/route';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { read } from '../../api/queries.ts';
import type { PhraseKey } from '../../i18n/phrase-key.ts';
import { useCodeText } from '../../i18n/use-code-text.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column, PageQuery } from '../../ui/data-table/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { SourcePlace } from './content.queries.ts';

type Change = ResponseOf<typeof discovery.compare>['items'][number];

const changeNames: Readonly<Record<Change['change'], PhraseKey>> = {
  added: 'restore.added',
  changed: 'restore.changed',
  removed: 'restore.removed',
};
/** As many points as a list can offer without becoming a search of its own. */
const offered = 200;

export interface ComparePointsProps {
  readonly place: SourcePlace;
  readonly points: readonly RestorePoint[];
  readonly point: RestorePoint;
}

/** What was added, changed and deleted between the chosen point and another. */
export function ComparePoints({ place, points, point }: ComparePointsProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const codeText = useCodeText();
  const others = points.filter((one) => one.sequence !== point.sequence).slice(0, offered);
  const [chosen, setChosen] = useState(others[0]?.sequence ?? 0);
  const other = others.find((one) => one.sequence === chosen);
  const [from, to] = [chosen, point.sequence].toSorted((left, right) => left - right) as [number, number];
  const columns: readonly Column<Change>[] = [
    { id: 'path', title: text('monitoring.path'), width: 360, value: (row) => row.path, render: (row) => row.path },
    {
      id: 'change',
      title: text('restore.changeKind'),
      value: (row) => text(changeNames[row.change]),
      render: (row) => text(changeNames[row.change]),
    },
    { id: 'kind', title: text('restore.kind'), value: (row) => codeText(row.kind), render: (row) => codeText(row.kind) },
    {
      id: 'size',
      title: text('restore.size'),
      isNumber: true,
      value: (row) => row.sizeBytes,
      render: (row) => format.bytes(row.sizeBytes),
    },
  ];
  const page = ({ limit, cursor }: PageQuery) =>
    read(discovery.compare, { params: { ...place }, query: { from, to, limit, ...(cursor === undefined ? {} : { cursor }) }, quiet: true });
  return (
    <Card>
      <Field label={text('restore.compareWith')}>
        <Dropdown
          value={format.dateTime(other?.at)}
          selectedOptions={[String(chosen)]}
          onOptionSelect={(_event, { optionValue }) => setChosen(Number(optionValue))}
        >
          {others.map((one) => (
            <Option key={one.sequence} value={String(one.sequence)}>
              {format.dateTime(one.at)}
            </Option>
          ))}
        </Dropdown>
      </Field>
      <DataTable
        id="compare"
        prefix="c-"
        label={text('restore.compare')}
        columns={columns}
        isSearchable={false}
        source={{ kind: 'pages', page }}
        rowKey={(row) => row.nodeId}
        rowName={(row) => row.name}
        empty={<EmptyState text={text('restore.noChanges')} />}
      />
    </Card>
  );
}
