import { Field, SpinButton, Text } from '@fluentui/react-components';
import { compliance } from '@holdfast/contract/compliance';
import type { QueryFor } from '@holdfast/contract/route';
import type { WasteRow } from '@holdfast/contract/compliance-values';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { read } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column, PageQuery } from '../../ui/data-table/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { Size } from '../../ui/moment.tsx';
import { CleanUps } from './clean-ups.tsx';
import { useFileColumns } from './file-column.tsx';
import { ReportChoice, useReportChoice } from './report-choices.tsx';
import { ReportTop, topRows } from './report-top.tsx';
import { ScopeChoices, useReportScope } from './report-scope.tsx';

type Rule = Pick<QueryFor<typeof compliance.waste>, 'by' | 'newest' | 'days' | 'siteId' | 'ownerId'>;
const usualNewest = 50;
const usualDays = 90;

function useSums(): readonly Column<WasteRow>[] {
  const text = useText();
  const format = useFormat();
  return [
    {
      id: 'versions',
      title: text('compliance.earlierVersions'),
      sort: 'versions',
      isNumber: true,
      width: 140,
      value: (row) => row.versions,
      render: (row) => format.count(row.versions),
    },
    {
      id: 'versionBytes',
      title: text('compliance.size'),
      sort: 'versionBytes',
      isNumber: true,
      width: 120,
      value: (row) => row.versionBytes,
      render: (row) => <Size bytes={row.versionBytes} />,
    },
    {
      id: 'freedVersions',
      title: text('compliance.freedVersions'),
      isNumber: true,
      width: 170,
      value: (row) => row.freedVersions,
      render: (row) => format.count(row.freedVersions),
    },
    {
      id: 'freedBytes',
      title: text('compliance.freed'),
      sort: 'freedBytes',
      isNumber: true,
      width: 140,
      value: (row) => row.freedBytes,
      render: (row) => <Size bytes={row.freedBytes} />,
    },
    {
      id: 'heldBytes',
      title: text('compliance.heldBytes'),
      isNumber: true,
      width: 150,
      value: (row) => row.heldBytes,
      render: (row) => <Size bytes={row.heldBytes} />,
    },
    {
      id: 'notKept',
      title: text('compliance.notKept'),
      isNumber: true,
      width: 140,
      value: (row) => row.notKept,
      render: (row) => format.count(row.notKept),
    },
  ];
}

/** The rule of the clean-up, as the address has it. */
function useRule(): { readonly rule: Rule; readonly newest: number; readonly days: number; readonly by: 'site' | 'file' } {
  const [by] = useReportChoice('by');
  const scope = useReportScope();
  const [newestText] = useReportChoice('newest');
  const [daysText] = useReportChoice('days');
  const newest = newestText === '' ? usualNewest : Number(newestText);
  const days = daysText === '' ? usualDays : Number(daysText);
  const shown = by === 'file' ? 'file' : 'site';
  return { rule: { by: shown, newest, days, ...scope }, newest, days, by: shown };
}

/** What earlier versions take, and what a rule would free. */
export function WasteReport({ tenantId }: { readonly tenantId: string }): ReactElement {
  const text = useText();
  const { rule, by, newest, days } = useRule();
  const files = useFileColumns<WasteRow>();
  const sums = useSums();
  const site: Column<WasteRow> = {
    id: 'siteName',
    title: text('compliance.site'),
    sort: 'name',
    width: 240,
    value: (row) => row.siteName,
    render: (row) => row.siteName,
  };
  const page = ({ filters: _none, ...query }: PageQuery) =>
    read(compliance.waste, { params: { tenantId }, query: { ...query, ...rule } as QueryFor<typeof compliance.waste>, quiet: true });
  return (
    <Stack>
      <RuleForm tenantId={tenantId} />
      <WasteTotals tenantId={tenantId} rule={rule} />
      <DataTable
        key={by}
        id={`waste-${by}`}
        label={text('compliance.wasteTab')}
        columns={by === 'file' ? [...files, ...sums] : [site, ...sums]}
        source={{ kind: 'pages', page }}
        rowKey={(row) => `${row.sourceId} ${row.nodeId ?? ''}`}
        rowName={(row) => row.name || row.siteName}
        empty={<EmptyState text={text('compliance.noWaste')} />}
      />
      <CleanUps tenantId={tenantId} rule={{ newest, days, siteId: rule.siteId ?? null, ownerId: rule.ownerId ?? null }} />
    </Stack>
  );
}

function RuleForm({ tenantId }: { readonly tenantId: string }): ReactElement {
  const text = useText();
  const { newest, days } = useRule();
  const [by, setBy] = useReportChoice('by');
  const [, setNewest] = useReportChoice('newest');
  const [, setDays] = useReportChoice('days');
  const ways = [
    { value: '', label: text('compliance.bySite') },
    { value: 'file', label: text('compliance.byFile') },
  ];
  const numbered = (
    label: string,
    value: number,
    limits: { min: number; max: number },
    onChange: (value: string) => void,
  ): ReactElement => (
    <Field label={label}>
      <SpinButton
        value={value}
        {...limits}
        onChange={(_event, { value: chosen, displayValue }) => {
          const next = chosen ?? Number(displayValue);
          if (Number.isInteger(next) && next >= limits.min && next <= limits.max) onChange(String(next));
        }}
      />
    </Field>
  );
  return (
    <Stack>
      <Row>
        <ReportChoice label={text('compliance.by')} value={by} choices={ways} onChange={setBy} />
        <ScopeChoices tenantId={tenantId} />
        {numbered(text('compliance.keepNewest'), newest, { min: 0, max: 50_000 }, setNewest)}
        {numbered(text('compliance.keepDays'), days, { min: 1, max: 36_500 }, setDays)}
      </Row>
      <Text size={200}>{text('compliance.keepHint')}</Text>
    </Stack>
  );
}

function WasteTotals({ tenantId, rule }: { readonly tenantId: string; readonly rule: Rule }): ReactElement | null {
  const text = useText();
  const format = useFormat();
  const found = useQuery({
    ...read(compliance.waste, { params: { tenantId }, query: { ...rule, limit: topRows, sort: '-freedBytes' }, quiet: true }),
    placeholderData: keepPreviousData,
  });
  if (found.data === undefined) return null;
  const { versions, versionBytes, freedVersions, freedBytes, heldBytes, notKept } = found.data.totals;
  const words = [
    text('compliance.wasteTotals', {
      versions: format.count(versions),
      size: format.bytes(versionBytes),
      freedVersions: format.count(freedVersions),
      freed: format.bytes(freedBytes),
    }),
    ...(heldBytes === 0 ? [] : [text('compliance.wasteHeld', { size: format.bytes(heldBytes) })]),
    ...(notKept === 0 ? [] : [text('compliance.wasteNotKept', { count: notKept })]),
  ];
  return (
    <>
      <Text role="status" weight="semibold">
        {words.join(' ')}
      </Text>
      <ReportTop
        title={text('compliance.topWaste')}
        bars={found.data.items.map((row) => ({
          id: `${row.sourceId} ${row.nodeId ?? ''}`,
          name: row.name || row.siteName,
          value: row.freedBytes,
          words: format.bytes(row.freedBytes),
        }))}
      />
    </>
  );
}
