import { compliance } from '@holdfast/contract/compliance';
import type { QueryFor } from '@holdfast/contract/route';
import { ageBuckets, fileKinds, type Growth, type StorageRow } from '@holdfast/contract/compliance-values';
import { byteUnit } from '@holdfast/paper/charts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { read } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { Chart } from '../../ui/chart/chart.tsx';
import { useColumnKinds } from '../../ui/data-table/column-kinds.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column, PageQuery } from '../../ui/data-table/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Row, Split, Stack } from '../../ui/layout.tsx';
import { ReportChoice, useReportChoice } from './report-choices.tsx';
import { ScopeChoices, useReportScope } from './report-scope.tsx';
import { ReportTotals } from './report-totals.tsx';
import { StorageMap } from './storage-map.tsx';

const ways = ['site', 'kind', 'age'] as const;
type Way = (typeof ways)[number];
/** Areas that a map has room for. */
const mapped = 40;

/** What a row is about: the name of a site, or the words of a kind or an age. */
function useRowName(by: Way): (row: StorageRow) => string {
  const text = useText();
  return ({ key, name }) => {
    const kind = fileKinds.find((one) => one === key);
    const age = ageBuckets.find((one) => one === key);
    if (by === 'kind' && kind !== undefined) return text(`compliance.fileKinds.${kind}`);
    return by === 'age' && age !== undefined ? text(`compliance.buckets.${age}`) : name;
  };
}

/** The choices of the report, as the address has them, and the way to change them. */
function useChoices() {
  const [chosenBy, setBy] = useReportChoice('by');
  const [kind, setKind] = useReportChoice('kind');
  const [age, setAge] = useReportChoice('age');
  const [, setSite] = useReportChoice('site');
  const scope = useReportScope();
  const by = ways.find((one) => one === chosenBy) ?? 'site';
  const narrowed = {
    ...scope,
    ...(fileKinds.some((one) => one === kind) ? { kind: kind as (typeof fileKinds)[number] } : {}),
    ...(ageBuckets.some((one) => one === age) ? { age: age as (typeof ageBuckets)[number] } : {}),
  };
  const narrow = { site: setSite, kind: setKind, age: setAge }[by];
  return { by, narrowed, kind, age, setBy, setKind, setAge, narrow };
}

/** What takes up space, by site, kind of file or age, and when it was written. */
export function StorageReport({ tenantId }: { readonly tenantId: string }): ReactElement {
  const text = useText();
  const format = useFormat();
  const { by, narrowed, narrow, ...choices } = useChoices();
  const nameOf = useRowName(by);
  const query = { ...narrowed, by };
  const { words, count, size } = useColumnKinds<StorageRow>();
  const columns: readonly Column<StorageRow>[] = [
    words({ id: 'name', title: text(`compliance.byOne.${by}`), width: 260, ...(by === 'site' ? { sort: 'name' } : {}) }, nameOf),
    count({ id: 'files', title: text('compliance.files'), sort: 'files', width: 110 }, (row) => row.files),
    size({ id: 'bytes', title: text('compliance.size'), width: 120 }, (row) => row.bytes),
    count({ id: 'versions', title: text('compliance.earlierVersions'), width: 150 }, (row) => row.versions),
    size({ id: 'versionBytes', title: text('compliance.versionBytes'), sort: 'versionBytes', width: 190 }, (row) => row.versionBytes),
    size({ id: 'all', title: text('compliance.together'), sort: 'bytes', width: 140 }, (row) => row.bytes + row.versionBytes),
  ];
  const largest = useQuery({
    ...read(compliance.storage, { params: { tenantId }, query: { ...query, limit: mapped }, quiet: true }),
    placeholderData: keepPreviousData,
  });
  const page = ({ filters: _none, ...given }: PageQuery) =>
    read(compliance.storage, { params: { tenantId }, query: { ...given, ...query } as QueryFor<typeof compliance.storage>, quiet: true });
  const areas = (largest.data?.items ?? []).map((row) => {
    const value = row.bytes + row.versionBytes;
    return { label: nameOf(row), shown: format.bytes(value), value, marked: value === 0 ? 0 : row.versionBytes / value };
  });
  const totals = largest.data?.totals;
  return (
    <Stack>
      <Choices tenantId={tenantId} by={by} {...choices} />
      <ReportTotals
        words={
          totals &&
          text('compliance.storageTotals', {
            files: format.count(totals.files),
            size: format.bytes(totals.bytes),
            versions: format.bytes(totals.versionBytes),
          })
        }
      />
      <Split even>
        <StorageMap title={text(`compliance.mapTitles.${by}`)} legend={text('compliance.mapLegend')} areas={areas} />
        <GrowthChart tenantId={tenantId} query={narrowed} />
      </Split>
      <DataTable
        key={by}
        id={`storage-${by}`}
        label={text('compliance.storageTab')}
        columns={columns}
        isSearchable={by === 'site'}
        source={{ kind: 'pages', page }}
        rowKey={(row) => row.key}
        rowName={nameOf}
        onOpen={(row) => narrow(row.key)}
        empty={<EmptyState text={text('compliance.noFiles')} />}
      />
    </Stack>
  );
}

interface ChoicesProps extends Pick<ReturnType<typeof useChoices>, 'by' | 'kind' | 'age' | 'setBy' | 'setKind' | 'setAge'> {
  readonly tenantId: string;
}

function Choices({ tenantId, by, kind, age, setBy, setKind, setAge }: ChoicesProps): ReactElement {
  const text = useText();
  const any = { value: '', label: text('compliance.anySite') };
  return (
    <Row>
      <ReportChoice
        label={text('compliance.by')}
        value={by}
        choices={ways.map((value) => ({ value, label: text(`compliance.ways.${value}`) }))}
        onChange={setBy}
      />
      <ScopeChoices tenantId={tenantId} />
      <ReportChoice
        label={text('compliance.byOne.kind')}
        value={kind}
        choices={[any, ...fileKinds.map((value) => ({ value, label: text(`compliance.fileKinds.${value}`) }))]}
        onChange={setKind}
      />
      <ReportChoice
        label={text('compliance.byOne.age')}
        value={age}
        choices={[any, ...ageBuckets.map((value) => ({ value, label: text(`compliance.buckets.${value}`) }))]}
        onChange={setAge}
      />
    </Row>
  );
}

/** The sums up to each month: what is stored today, as it came to be. */
function grown({ before, months }: Growth): { readonly month: string; readonly values: readonly [number, number] }[] {
  let [bytes, versionBytes] = [before.bytes, before.versionBytes];
  return months.map((one) => {
    bytes += one.bytes;
    versionBytes += one.versionBytes;
    return { month: one.month, values: [bytes, versionBytes] };
  });
}

function GrowthChart({ tenantId, query }: { readonly tenantId: string; readonly query: QueryFor<typeof compliance.growth> }): ReactElement {
  const text = useText();
  const format = useFormat();
  const growth = useQuery({
    ...read(compliance.growth, { params: { tenantId }, query, quiet: true }),
    placeholderData: keepPreviousData,
  });
  return (
    <Chart
      title={text('compliance.growthTitle')}
      pointTitle={text('compliance.month')}
      series={[
        { name: text('compliance.currentVersions'), colour: 'brand' },
        { name: text('compliance.earlierVersions'), colour: 'warning' },
      ]}
      points={(growth.data === undefined ? [] : grown(growth.data)).map(({ month, values }) => ({ label: month, values }))}
      format={(value) => format.bytes(value)}
      unit={byteUnit}
    />
  );
}
