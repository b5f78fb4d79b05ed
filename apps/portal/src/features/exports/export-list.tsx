import { isUnderWay } from '@holdfast/contract/run-status';
import { exports } from '@holdfast/contract/exports';
import type { ContentExport } from '@holdfast/contract/exports';
import type { QueryFor } from '@holdfast/contract/route';
import { useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { read } from '../../api/queries.ts';
import { useCodeText } from '../../i18n/use-code-text.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { useColumnKinds } from '../../ui/data-table/column-kinds.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column, PageQuery } from '../../ui/data-table/types.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { ExportDetails } from './export-details.tsx';
import { pollMs } from './poll-interval.ts';

interface ExportListProps {
  readonly tenantId: string;
  /** Those of a case, whoever made them; without it the reader's own. */
  readonly caseId?: string;
  readonly empty: ReactNode;
}

/** Exports with how far each has got. */
export function ExportList({ tenantId, caseId, empty }: ExportListProps): ReactElement {
  const text = useText();
  const [opened, setOpened] = useState<ContentExport | null>(null);
  const columns = useColumns();
  const page = ({ filters: _none, ...query }: PageQuery) =>
    read(exports.list, {
      params: { tenantId },
      query: { ...query, ...(caseId === undefined ? {} : { caseId }) } as QueryFor<typeof exports.list>,
      quiet: true,
      background: true,
    });
  return (
    <>
      <DataTable
        id="exports"
        prefix="e-"
        label={text('exports.title')}
        columns={columns}
        source={{ kind: 'pages', page, refetchMs: pollMs * 2 }}
        rowKey={(row) => row.exportId}
        rowName={(row) => row.name}
        onOpen={setOpened}
        empty={empty}
      />
      {opened !== null && (
        <ExportDetails tenantId={tenantId} exportId={opened.exportId} name={opened.name} onClose={() => setOpened(null)} />
      )}
    </>
  );
}

function useColumns(): readonly Column<ContentExport>[] {
  const text = useText();
  const format = useFormat();
  const codeText = useCodeText();
  const { words, count, size, moment } = useColumnKinds<ContentExport>();
  const detail = (row: ContentExport): string | undefined => {
    if (row.code !== null) return codeText(row.code);
    return isUnderWay(row) ? text('exports.reading', { read: format.count(row.read), files: format.count(row.files) }) : undefined;
  };
  return [
    words({ id: 'name', title: text('common.name'), width: 220 }, (row) => row.name),
    {
      id: 'status',
      title: text('common.status'),
      width: 200,
      value: (row) => text(`status.${row.status}`),
      render: (row) => <StatusBadge status={row.status} detail={detail(row)} />,
    },
    words({ id: 'query', title: text('exports.query'), width: 240 }, (row) => row.query),
    words({ id: 'format', title: text('exports.format'), width: 130 }, (row) => text(`exports.formatShort.${row.format}`)),
    count({ id: 'items', title: text('exports.items'), width: 110 }, (row) => row.items),
    size({ id: 'size', title: text('exports.size'), width: 110 }, (row) => row.bytes),
    count({ id: 'failed', title: text('exports.failed'), width: 130 }, (row) => row.failed),
    moment({ id: 'createdAt', title: text('exports.createdAt'), sort: 'createdAt', width: 150 }, (row) => row.createdAt),
    moment({ id: 'expiresAt', title: text('exports.expiresAt'), width: 180 }, (row) => row.expiresAt),
    words({ id: 'owner', title: text('exports.owner'), width: 200 }, (row) => row.owner),
  ];
}
