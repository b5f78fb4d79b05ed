import { procedures } from '@holdfast/contract/procedures';
import type { ProcedureVersion } from '@holdfast/contract/procedures';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useSearchParams } from 'react-router';
import { useMay } from '../../api/portal-context.ts';
import { read, useChange } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { CommandBar } from '../../ui/command-bar.tsx';
import { useColumnKinds } from '../../ui/data-table/column-kinds.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { PageQuery } from '../../ui/data-table/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ProcedureSections } from './procedure-sections.tsx';
import { ProcedureView } from './procedure-view.tsx';

interface ProceduresProps {
  readonly tenantId: string;
}

/** The versions of the procedure documentation, or the one that the address names. */
export function Procedures({ tenantId }: ProceduresProps): ReactElement {
  const [params, setParams] = useSearchParams();
  const number = Number(params.get('version'));
  const open = (wanted: number | null): void => setParams({ tab: 'procedure', ...(wanted === null ? {} : { version: String(wanted) }) });
  if (Number.isSafeInteger(number) && number > 0) return <ProcedureView tenantId={tenantId} number={number} onClose={() => open(null)} />;
  return <Versions tenantId={tenantId} onOpen={open} />;
}

function Versions({ tenantId, onOpen }: ProceduresProps & { readonly onOpen: (number: number) => void }): ReactElement {
  const text = useText();
  const mayManage = useMay('configuration.manage');
  const [isEditing, setEditing] = useState(false);
  const make = useChange(procedures.make, { success: 'procedures.created' });
  const { words, count, moment } = useColumnKinds<ProcedureVersion>();
  const columns = [
    words({ id: 'number', title: text('procedures.version'), sort: 'number', width: 110 }, (row) => String(row.number)),
    moment({ id: 'madeAt', title: text('periodReports.madeAt'), width: 170 }, (row) => row.madeAt),
    words({ id: 'maker', title: text('periodReports.maker'), width: 240 }, (row) => row.maker),
    count({ id: 'changes', title: text('procedures.changeCount'), width: 130 }, (row) => row.changes),
    words({ id: 'hash', title: text('procedures.hash'), width: 360 }, (row) => row.hash),
  ];
  const page = ({ filters: _none, search: _words, ...query }: PageQuery) =>
    read(procedures.list, { params: { tenantId }, query: query as never, quiet: true });
  const commands = [
    {
      id: 'create',
      label: text('procedures.create'),
      isPrimary: true,
      isDisabled: make.isPending,
      run: () => make.mutate({ params: { tenantId }, body: {} }, { onSuccess: ({ number }) => onOpen(number) }),
    },
    { id: 'sections', label: text('procedures.ownSections'), run: () => setEditing(true) },
  ];
  return (
    <>
      <CommandBar commands={mayManage ? commands : []} />
      <DataTable
        id="procedures"
        label={text('procedures.tab')}
        columns={columns}
        isSearchable={false}
        source={{ kind: 'pages', page }}
        rowKey={(row) => String(row.number)}
        rowName={(row) => text('procedures.versionOf', { number: String(row.number) })}
        onOpen={(row) => onOpen(row.number)}
        empty={<EmptyState text={text('procedures.empty')} />}
      />
      {isEditing && <ProcedureSections tenantId={tenantId} onClose={() => setEditing(false)} />}
    </>
  );
}
