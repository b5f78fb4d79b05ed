import { cases } from '@holdfast/contract/cases';
import { caseStatuses } from '@holdfast/contract/case-values';
import type { CaseSummary } from '@holdfast/contract/case-values';
import type { QueryFor } from '@holdfast/contract/route';
import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { useNavigate } from 'react-router';
import { useMay } from '../../api/portal-context.ts';
import { read } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { CommandBar } from '../../ui/command-bar.tsx';
import { useColumnKinds } from '../../ui/data-table/column-kinds.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column, Filter, PageQuery } from '../../ui/data-table/types.ts';
import { FirstStep } from '../../ui/empty-state.tsx';
import { useDetail } from '../../ui/use-detail.ts';
import { CaseForm } from './case-form.tsx';
import { caseBase, statusKey } from './case-words.ts';

/** The cases that the reader may see. */
export function CaseList({ tenantId }: { readonly tenantId: string }): ReactElement {
  const text = useText();
  const mayManage = useMay('cases.manage');
  const detail = useDetail(caseBase);
  const columns = useColumns();
  const filters: readonly Filter[] = [
    { id: 'status', label: text('common.status'), choices: caseStatuses.map((value) => ({ value, label: text(statusKey[value]) })) },
  ];
  const page = ({ filters: chosen, ...query }: PageQuery) =>
    read(cases.list, { params: { tenantId }, query: { ...chosen, ...query } as QueryFor<typeof cases.list>, quiet: true });
  const open = { id: 'open', label: text('cases.open'), run: detail.create, isPrimary: true };
  return (
    <>
      <CommandBar commands={mayManage ? [open] : []} />
      <DataTable
        id="cases"
        label={text('shell.ediscovery')}
        columns={columns}
        filters={filters}
        source={{ kind: 'pages', page }}
        rowKey={(row) => row.caseId}
        rowName={(row) => row.matter}
        onOpen={(row) => detail.view(row.caseId)}
        empty={<FirstStep text={text('cases.empty')} label={text('cases.open')} may={mayManage} onClick={detail.create} />}
      />
      {detail.mode === 'new' && mayManage && <OpenCase tenantId={tenantId} onClose={detail.close} />}
    </>
  );
}

/** The form goes first: what was entered in it is saved and no reason to ask before the case is shown. */
function OpenCase({ tenantId, onClose }: { readonly tenantId: string; readonly onClose: () => void }): ReactElement | null {
  const navigate = useNavigate();
  const [madeId, setMadeId] = useState<string | null>(null);
  useEffect(() => {
    if (madeId !== null) void navigate(`${caseBase}/${madeId}`, { replace: true });
  }, [madeId, navigate]);
  if (madeId !== null) return null;
  return <CaseForm tenantId={tenantId} before={null} onClose={onClose} onMade={({ caseId }) => setMadeId(caseId)} />;
}

function useColumns(): readonly Column<CaseSummary>[] {
  const text = useText();
  const { words, count, moment } = useColumnKinds<CaseSummary>();
  return [
    words({ id: 'matter', title: text('cases.matter'), sort: 'matter', width: 260 }, (row) => row.matter),
    words({ id: 'reference', title: text('cases.reference'), width: 140 }, (row) => row.reference),
    words({ id: 'status', title: text('common.status'), width: 120 }, (row) => text(statusKey[row.status])),
    ...(['custodians', 'queries', 'holds'] as const).map((id) =>
      count({ id, title: text(`cases.tabs.${id}`), width: 120 }, (row) => row[id]),
    ),
    moment({ id: 'createdAt', title: text('cases.createdAt'), sort: 'createdAt', width: 160 }, (row) => row.createdAt),
  ];
}
