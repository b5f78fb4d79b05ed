import { compliance } from '@holdfast/contract/compliance';
import type { QueryFor, ResponseOf } from '@holdfast/contract/route';
import { sensitiveKinds, type SensitiveRow } from '@holdfast/contract/compliance-values';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useMay } from '../../api/portal-context.ts';
import { read } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { useColumnKinds } from '../../ui/data-table/column-kinds.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column, Filter, PageQuery } from '../../ui/data-table/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { RouterLink } from '../../ui/router-link.tsx';
import { useFileColumns } from './file-column.tsx';
import { ScopeChoices, useReportScope } from './report-scope.tsx';
import { ReportTop, topRows } from './report-top.tsx';
import { ReportTotals } from './report-totals.tsx';
import { SensitiveConversations } from './sensitive-conversations.tsx';

/** What the search takes for all mail and chat messages with such numbers. */
const everyNumber = `(kind:email OR kind:im) AND (${sensitiveKinds.map((kind) => `sensitive:${kind.toLowerCase()}`).join(' OR ')})`;

type Totals = ResponseOf<typeof compliance.sensitive>['totals'];

/** How many different numbers a file holds. */
const numbersIn = (row: SensitiveRow): number => row.found.reduce((sum, { count }) => sum + count, 0);

function useColumns(): readonly Column<SensitiveRow>[] {
  const text = useText();
  const format = useFormat();
  const { words, moment } = useColumnKinds<SensitiveRow>();
  const found = (row: SensitiveRow): string =>
    row.found.map(({ kind, count, sample }) => `${text(`compliance.sensitive.${kind}`)}: ${format.count(count)} (${sample})`).join(', ');
  return [
    ...useFileColumns<SensitiveRow>({ name: 'name' }),
    words({ id: 'audience', title: text('compliance.audience'), sort: 'audience', width: 200 }, (row) =>
      row.audience === null ? text('compliance.audienceNone') : text(`compliance.audiences.${row.audience}`),
    ),
    words({ id: 'found', title: text('compliance.found'), sort: 'count', width: 320 }, found),
    moment({ id: 'modifiedAt', title: text('compliance.modified'), width: 150 }, (row) => row.modifiedAt),
  ];
}

function useFilters(): readonly Filter[] {
  const text = useText();
  return [
    {
      id: 'exposed',
      label: text('compliance.audience'),
      choices: [
        { value: 'true', label: text('compliance.exposed') },
        { value: 'false', label: text('compliance.audienceNone') },
      ],
    },
    {
      id: 'kind',
      label: text('compliance.found'),
      choices: sensitiveKinds.map((value) => ({ value, label: text(`compliance.sensitive.${value}`) })),
    },
  ];
}

/** Mail and chat messages with such numbers are found by the search. */
function MessagesLink({ totals }: { readonly totals: Totals | undefined }): ReactElement | null {
  const text = useText();
  const format = useFormat();
  const maySearch = useMay('search.run');
  if (!maySearch || totals === undefined || totals.mails + totals.chats === 0) return null;
  return (
    <RouterLink to={`/search?query=${encodeURIComponent(everyNumber)}`}>
      {text('compliance.sensitiveMessages', { mails: format.count(totals.mails), chats: format.count(totals.chats) })}
    </RouterLink>
  );
}

/** Files with personal or payment numbers, what most people can open first, and chats and channels with such numbers. */
export function SensitiveReport({ tenantId }: { readonly tenantId: string }): ReactElement {
  const text = useText();
  const format = useFormat();
  const columns = useColumns();
  const filters = useFilters();
  const chosen = useReportScope();
  const sums = useQuery(
    read(compliance.sensitive, { params: { tenantId }, query: { ...chosen, limit: topRows, sort: '-count' }, quiet: true }),
  );
  const { files = 0, exposed = 0, unread = 0 } = sums.data?.totals ?? {};
  const said = [
    text('compliance.sensitiveTotals', { files: format.count(files), exposed: format.count(exposed) }),
    ...(unread === 0 ? [] : [text('compliance.sensitiveUnread', { count: unread })]),
  ];
  const page = ({ filters: narrowed, ...query }: PageQuery) =>
    read(compliance.sensitive, {
      params: { tenantId },
      query: { ...narrowed, ...query, ...chosen } as QueryFor<typeof compliance.sensitive>,
      quiet: true,
    });
  return (
    <Stack>
      <Row>
        <ScopeChoices tenantId={tenantId} />
      </Row>
      <ReportTotals words={sums.data && said.join(' ')} />
      <MessagesLink totals={sums.data?.totals} />
      <ReportTop
        title={text('compliance.topSensitive')}
        bars={sums.data?.items.map((row) => ({
          id: `${row.sourceId} ${row.nodeId}`,
          name: row.name,
          value: numbersIn(row),
          words: format.count(numbersIn(row)),
          hint: [row.siteName, row.path].filter((part) => part !== '').join('/'),
        }))}
      />
      <DataTable
        id="sensitive-files"
        label={text('compliance.sensitiveTab')}
        columns={columns}
        filters={filters}
        source={{ kind: 'pages', page }}
        rowKey={(row) => `${row.sourceId} ${row.nodeId}`}
        rowName={(row) => row.name}
        empty={<EmptyState text={text('compliance.noSensitive')} />}
      />
      {chosen.siteId === undefined && chosen.ownerId === undefined && <SensitiveConversations tenantId={tenantId} />}
    </Stack>
  );
}
