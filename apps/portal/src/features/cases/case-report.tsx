import { Subtitle2, Text } from '@fluentui/react-components';
import type { CaseReport } from '@holdfast/contract/case-values';
import { cases } from '@holdfast/contract/cases';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { usePortal } from '../../api/portal-context.ts';
import { keyOf } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { useColumnKinds } from '../../ui/data-table/column-kinds.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column } from '../../ui/data-table/types.ts';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { EmptyState, FailedState } from '../../ui/empty-state.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { Coverage } from '../search/index.ts';
import type { CaseProps } from './case-props.ts';

/** What the queries of a case find together and alone. Each look is logged, so that it is taken once. */
export function CaseReportDrawer({ tenantId, of, onClose }: CaseProps & { readonly onClose: () => void }): ReactElement {
  const text = useText();
  const { client } = usePortal();
  const params = { tenantId, caseId: of.caseId };
  const report = useQuery({
    queryKey: [...keyOf(cases.report), params, of.queries.map(({ query }) => query)],
    queryFn: () => client.send(cases.report, { params, quiet: true }),
    staleTime: 'static',
    meta: { quiet: true },
  });
  return (
    <DetailDrawer title={text('cases.reportTitle')} isWide onClose={onClose}>
      {report.isPending && <LoadingShape rows={6} />}
      {report.isError && <FailedState error={report.error} onRetry={() => void report.refetch()} />}
      {report.data !== undefined && <Report report={report.data} />}
    </DetailDrawer>
  );
}

function Report({ report }: { readonly report: CaseReport }): ReactElement {
  const text = useText();
  const format = useFormat();
  return (
    <Stack loose>
      <Text>{text('cases.reportLead')}</Text>
      <Text weight="semibold">{text('cases.reportAll', { hits: format.count(report.hits), size: format.bytes(report.bytes) })}</Text>
      {report.coverage !== null && <Coverage total={report.hits} coverage={report.coverage} />}
      <DataTable
        id="case-report-queries"
        prefix="rq-"
        label={text('cases.reportTitle')}
        columns={useQueryColumns()}
        source={{ kind: 'list', rows: report.queries }}
        rowKey={(row) => row.queryId}
        rowName={(row) => row.name}
        empty={<EmptyState text={text('cases.noQueries')} />}
      />
      <Subtitle2 as="h3">{text('cases.byPart')}</Subtitle2>
      <DataTable
        id="case-report-parts"
        prefix="rp-"
        label={text('cases.byPart')}
        columns={usePartColumns()}
        source={{ kind: 'list', rows: report.queries.flatMap(({ name, parts }) => parts.map((part) => ({ ...part, query: name }))) }}
        rowKey={(row) => `${row.query} ${row.readAs}`}
        rowName={(row) => row.readAs}
        empty={<EmptyState text={text('cases.noParts')} />}
      />
      <Subtitle2 as="h3">{text('cases.byResource')}</Subtitle2>
      <DataTable
        id="case-report-resources"
        prefix="rr-"
        label={text('cases.byResource')}
        columns={useResourceColumns()}
        source={{ kind: 'list', rows: report.resources }}
        rowKey={(row) => row.resourceId}
        rowName={(row) => row.name}
        empty={<EmptyState text={text('search.none')} />}
      />
    </Stack>
  );
}

type QueryRow = CaseReport['queries'][number];
type ResourceRow = CaseReport['resources'][number];

function useQueryColumns(): readonly Column<QueryRow>[] {
  const text = useText();
  const { words, count, size } = useColumnKinds<QueryRow>();
  return [
    words({ id: 'name', title: text('cases.queryName'), sort: 'name', width: 180 }, (row) => row.name),
    words({ id: 'query', title: text('cases.query'), width: 240 }, (row) => row.readAs),
    count({ id: 'hits', title: text('cases.hits'), width: 110 }, (row) => row.hits),
    count({ id: 'unique', title: text('cases.unique'), width: 150 }, (row) => row.unique),
    count({ id: 'family', title: text('cases.family'), width: 150 }, (row) => row.family),
    size({ id: 'size', title: text('cases.size'), width: 110 }, (row) => row.bytes),
  ];
}

type PartRow = QueryRow['parts'][number] & { readonly query: string };

function usePartColumns(): readonly Column<PartRow>[] {
  const text = useText();
  const { words, count } = useColumnKinds<PartRow>();
  return [
    words({ id: 'query', title: text('cases.queryName'), sort: 'query', width: 180 }, (row) => row.query),
    words({ id: 'part', title: text('cases.part'), width: 240 }, (row) => row.readAs),
    count({ id: 'hits', title: text('cases.hits'), width: 110 }, (row) => row.hits),
    count({ id: 'unique', title: text('cases.partUnique'), width: 170 }, (row) => row.unique),
    count({ id: 'family', title: text('cases.family'), width: 150 }, (row) => row.family),
  ];
}

function useResourceColumns(): readonly Column<ResourceRow>[] {
  const text = useText();
  const { words, count, size } = useColumnKinds<ResourceRow>();
  return [
    words({ id: 'name', title: text('cases.resource'), sort: 'name', width: 300 }, ({ name, address }) =>
      name === '' || name === address ? address : `${name} (${address})`,
    ),
    count({ id: 'hits', title: text('cases.hits'), width: 110 }, (row) => row.hits),
    size({ id: 'size', title: text('cases.size'), width: 110 }, (row) => row.bytes),
  ];
}
