import { retention, retentionStatuses } from '@holdfast/contract/retention';
import type { Policy } from '@holdfast/contract/retention';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { read } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { CommandBar } from '../../ui/command-bar.tsx';
import { useColumnKinds } from '../../ui/data-table/column-kinds.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column, Filter } from '../../ui/data-table/types.ts';
import { MissingDetail } from '../../ui/detail-drawer.tsx';
import { FirstStep } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { useDetail } from '../../ui/use-detail.ts';
import { WithTenant } from '../tenants/index.ts';
import { DepartureList } from './departure-list.tsx';
import { EventList } from './event-list.tsx';
import { PolicyDetails } from './policy-details.tsx';
import { PolicyForm } from './policy-form.tsx';
import { useRetentionWords } from './retention-words.ts';

/** `/configuration/retention`: how long archived messages and files are kept at least, and the events that start periods. */
export default function RetentionPage(): ReactElement {
  const text = useText();
  return (
    <Page title={text('shell.retention')} lead={text('retention.lead')}>
      <WithTenant>
        {(tenant) => (
          <>
            <PolicyList tenantId={tenant.tenantId} />
            <EventList tenantId={tenant.tenantId} />
            <DepartureList tenantId={tenant.tenantId} />
          </>
        )}
      </WithTenant>
    </Page>
  );
}

function PolicyList({ tenantId }: { readonly tenantId: string }): ReactElement {
  const text = useText();
  const detail = useDetail('/configuration/retention');
  const list = useQuery(read(retention.list, { params: { tenantId }, quiet: true }));
  const columns = useColumns();
  const open = list.data?.items.find((one) => one.policyId === detail.id);
  const filters: readonly Filter[] = [
    {
      id: 'status',
      label: text('common.status'),
      choices: retentionStatuses.map((value) => ({ value, label: text(`retention.statuses.${value}`) })),
    },
  ];
  return (
    <>
      <CommandBar commands={[{ id: 'create', label: text('retention.create'), run: detail.create, isPrimary: true }]} />
      <DataTable
        id="retention-policies"
        label={text('shell.retention')}
        columns={columns}
        filters={filters}
        source={{ kind: 'list', rows: list.data?.items, error: list.error, retry: () => void list.refetch() }}
        rowKey={(one) => one.policyId}
        rowName={(one) => one.name}
        onOpen={(one) => detail.view(one.policyId)}
        empty={<FirstStep text={text('retention.empty')} label={text('retention.create')} may onClick={detail.create} />}
      />
      {detail.mode === 'new' && <PolicyForm tenantId={tenantId} policy={null} onSaved={detail.view} onClose={detail.close} />}
      {detail.mode === 'edit' && open !== undefined && (
        <PolicyForm tenantId={tenantId} policy={open} onSaved={detail.view} onClose={() => detail.view(open.policyId)} />
      )}
      {detail.mode === 'view' && open !== undefined && (
        <PolicyDetails
          key={open.policyId}
          tenantId={tenantId}
          policy={open}
          onEdit={() => detail.edit(open.policyId)}
          onClose={detail.close}
        />
      )}
      <MissingDetail detail={detail} ids={list.data?.items.map((one) => one.policyId)} />
    </>
  );
}

function useColumns(): readonly Column<Policy>[] {
  const text = useText();
  const retentionWords = useRetentionWords();
  const { words, count, size, moment } = useColumnKinds<Policy>();
  return [
    words({ id: 'name', title: text('common.name'), sort: 'name', width: 200 }, (row) => row.name),
    words({ id: 'status', title: text('common.status'), sort: 'status', width: 200 }, (row) => text(`retention.statuses.${row.status}`)),
    words({ id: 'period', title: text('retention.period'), width: 320 }, retentionWords.period),
    words({ id: 'scope', title: text('retention.scope'), width: 260 }, retentionWords.scope),
    count({ id: 'messages', title: text('retention.amountKept'), width: 130 }, (row) => row.preview?.kept.messages ?? null),
    size({ id: 'size', title: text('retention.keptSize'), width: 120 }, (row) => row.preview?.kept.bytes ?? null),
    words({ id: 'until', title: text('retention.keptUntil'), width: 160 }, (row) =>
      row.preview === null ? '' : retentionWords.until(row.preview),
    ),
    words({ id: 'creator', title: text('retention.creator'), width: 220 }, (row) => row.creator),
    moment({ id: 'activatedAt', title: text('retention.activatedAt'), sort: 'activatedAt' }, (row) => row.activatedAt),
  ];
}
