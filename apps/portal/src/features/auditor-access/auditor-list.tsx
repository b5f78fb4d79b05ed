import { Subtitle2, Text } from '@fluentui/react-components';
import { auditorAccesses, auditorAccessStates } from '@holdfast/contract/auditor-access';
import type { AuditorAccess } from '@holdfast/contract/auditor-access';
import type { QueryFor } from '@holdfast/contract/route';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { read } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { CommandBar } from '../../ui/command-bar.tsx';
import { useColumnKinds } from '../../ui/data-table/column-kinds.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column, Filter, PageQuery } from '../../ui/data-table/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Stack } from '../../ui/layout.tsx';
import { AuditorDetails } from './auditor-details.tsx';
import { AuditorForm } from './auditor-form.tsx';

/** What auditors may read, and until when. */
export function AuditorList({ tenantId }: { readonly tenantId: string }): ReactElement {
  const text = useText();
  const columns = useColumns();
  const [isGranting, setGranting] = useState(false);
  const [open, setOpen] = useState<AuditorAccess | null>(null);
  const filters: readonly Filter[] = [
    {
      id: 'state',
      label: text('common.status'),
      choices: auditorAccessStates.map((value) => ({ value, label: text(`auditorAccess.states.${value}`) })),
    },
  ];
  const page = ({ filters: chosen, ...query }: PageQuery) =>
    read(auditorAccesses.list, {
      params: { tenantId },
      query: { ...query, ...chosen } as QueryFor<typeof auditorAccesses.list>,
      quiet: true,
    });
  return (
    <Stack>
      <Subtitle2 as="h2">{text('auditorAccess.title')}</Subtitle2>
      <Text>{text('auditorAccess.lead')}</Text>
      <CommandBar commands={[{ id: 'let-in', label: text('auditorAccess.grant'), run: () => setGranting(true) }]} />
      <DataTable
        id="auditor-accesses"
        prefix="auditors"
        label={text('auditorAccess.title')}
        columns={columns}
        filters={filters}
        source={{ kind: 'pages', page }}
        rowKey={(one) => one.accessId}
        rowName={(one) => one.auditor}
        onOpen={setOpen}
        empty={<EmptyState text={text('auditorAccess.empty')} />}
      />
      {isGranting && <AuditorForm tenantId={tenantId} onClose={() => setGranting(false)} />}
      {open !== null && <AuditorDetails tenantId={tenantId} access={open} onClose={() => setOpen(null)} />}
    </Stack>
  );
}

function useColumns(): readonly Column<AuditorAccess>[] {
  const text = useText();
  const { words, moment } = useColumnKinds<AuditorAccess>();
  return [
    words({ id: 'auditor', title: text('auditorAccess.auditor'), sort: 'auditor', width: 240 }, (row) => row.auditor),
    words({ id: 'state', title: text('common.status'), width: 140 }, (row) => text(`auditorAccess.states.${row.state}`)),
    words({ id: 'source', title: text('auditorAccess.source'), width: 220 }, (row) => row.source.name),
    words({ id: 'purpose', title: text('auditorAccess.purpose'), width: 260 }, (row) => row.purpose),
    moment({ id: 'accessTo', title: text('auditorAccess.accessTo'), sort: 'accessTo' }, (row) => row.accessTo),
    words({ id: 'granter', title: text('auditorAccess.granter'), width: 220 }, (row) => row.granter),
    moment({ id: 'grantedAt', title: text('auditorAccess.grantedAt'), sort: 'grantedAt' }, (row) => row.grantedAt),
  ];
}
