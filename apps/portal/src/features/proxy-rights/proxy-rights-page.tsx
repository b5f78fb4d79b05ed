import { proxyRights, proxyRightStates } from '@holdfast/contract/proxy-rights';
import type { ProxyRight } from '@holdfast/contract/proxy-rights';
import type { QueryFor } from '@holdfast/contract/route';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { read } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { CommandBar } from '../../ui/command-bar.tsx';
import { useColumnKinds } from '../../ui/data-table/column-kinds.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column, Filter, PageQuery } from '../../ui/data-table/types.ts';
import { MissingDetail } from '../../ui/detail-drawer.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { useDetail } from '../../ui/use-detail.ts';
import { AuditorList } from '../auditor-access/index.ts';
import { useLocations, WithTenant } from '../tenants/index.ts';
import { ExemptList } from './exempt-list.tsx';
import { RightDetails } from './right-details.tsx';
import { RightForm } from './right-form.tsx';
import { useRightWords } from './right-words.ts';

/** `/archive/proxy-rights`: who may open whose content, for what and until when. */
export default function ProxyRightsPage(): ReactElement {
  const text = useText();
  return (
    <Page title={text('shell.proxyRights')} lead={text('proxyRights.lead')}>
      <WithTenant>{(tenant) => <RightList tenantId={tenant.tenantId} />}</WithTenant>
    </Page>
  );
}

function RightList({ tenantId }: { readonly tenantId: string }): ReactElement {
  const text = useText();
  const detail = useDetail('/archive/proxy-rights');
  const location = useLocations(tenantId).data?.items[0];
  const columns = useColumns();
  const open = useQuery({
    ...read(proxyRights.get, { params: { tenantId, proxyRightId: detail.id ?? '' }, quiet: true }),
    enabled: detail.mode === 'view',
  });
  const filters: readonly Filter[] = [
    {
      id: 'state',
      label: text('common.status'),
      choices: proxyRightStates.map((value) => ({ value, label: text(`proxyRights.states.${value}`) })),
    },
  ];
  const page = ({ filters: chosen, ...query }: PageQuery) =>
    read(proxyRights.list, { params: { tenantId }, query: { ...query, ...chosen } as QueryFor<typeof proxyRights.list>, quiet: true });
  return (
    <>
      <CommandBar
        commands={location === undefined ? [] : [{ id: 'grant', label: text('proxyRights.grant'), run: detail.create, isPrimary: true }]}
      />
      <DataTable
        id="proxy-rights"
        label={text('shell.proxyRights')}
        columns={columns}
        filters={filters}
        source={{ kind: 'pages', page }}
        rowKey={(one) => one.proxyRightId}
        rowName={(one) => one.holder.name}
        onOpen={(one) => detail.view(one.proxyRightId)}
        empty={<EmptyState text={text('proxyRights.empty')} />}
      />
      {detail.mode === 'new' && location !== undefined && (
        <RightForm tenantId={tenantId} locationId={location.locationId} onClose={detail.close} />
      )}
      {detail.mode === 'view' && open.data !== undefined && <RightDetails tenantId={tenantId} right={open.data} onClose={detail.close} />}
      {detail.mode === 'view' && <MissingDetail detail={detail} ids={open.isError ? [] : undefined} />}
      <ExemptList tenantId={tenantId} locationId={location?.locationId} />
      <AuditorList tenantId={tenantId} />
    </>
  );
}

function useColumns(): readonly Column<ProxyRight>[] {
  const text = useText();
  const { words, moment } = useColumnKinds<ProxyRight>();
  const rightWords = useRightWords();
  return [
    words({ id: 'holder', title: text('proxyRights.holder'), sort: 'holder', width: 240 }, rightWords.holder),
    words({ id: 'target', title: text('proxyRights.target'), sort: 'target', width: 240 }, rightWords.target),
    words({ id: 'state', title: text('common.status'), width: 120 }, (row) => text(`proxyRights.states.${row.state}`)),
    words({ id: 'may', title: text('proxyRights.may'), width: 220 }, rightWords.may),
    words({ id: 'items', title: text('proxyRights.items'), width: 200 }, rightWords.items),
    moment({ id: 'accessTo', title: text('proxyRights.accessTo'), sort: 'accessTo' }, (row) => row.accessTo),
    words({ id: 'purpose', title: text('proxyRights.purpose'), width: 260 }, (row) => row.purpose),
    words({ id: 'granter', title: text('proxyRights.granter'), width: 220 }, (row) => row.granter),
    moment({ id: 'grantedAt', title: text('proxyRights.grantedAt'), sort: 'grantedAt' }, (row) => row.grantedAt),
  ];
}
