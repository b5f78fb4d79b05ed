import type { ReactElement } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { CommandBar } from '../../ui/command-bar.tsx';
import { MissingDetail } from '../../ui/detail-drawer.tsx';
import { Page } from '../../ui/page.tsx';
import { useDetail } from '../../ui/use-detail.ts';
import { WithTenant } from '../tenants/index.ts';
import { HoldDetails } from './hold-details.tsx';
import { HoldForm } from './hold-form.tsx';
import { HoldTable, useHolds } from './hold-table.tsx';

/** `/configuration/holds`: what nobody deletes, and why. */
export default function HoldsPage(): ReactElement {
  const text = useText();
  return (
    <Page title={text('shell.holds')} lead={text('holds.lead')}>
      <WithTenant>{(tenant) => <HoldList tenantId={tenant.tenantId} />}</WithTenant>
    </Page>
  );
}

function HoldList({ tenantId }: { readonly tenantId: string }): ReactElement {
  const text = useText();
  const detail = useDetail('/configuration/holds');
  const { list, guarded } = useHolds(tenantId);
  const open = list.data?.items.find((one) => one.holdId === detail.id);
  return (
    <>
      <CommandBar commands={[{ id: 'place', label: text('holds.placePeriod'), run: detail.create, isPrimary: true }]} />
      <HoldTable tenantId={tenantId} onOpen={detail.view} />
      {detail.mode === 'new' && <HoldForm tenantId={tenantId} resource={null} onClose={detail.close} />}
      {detail.mode === 'view' && open !== undefined && (
        <HoldDetails tenantId={tenantId} hold={open} guarded={guarded.get(open.holdId)} onClose={detail.close} />
      )}
      <MissingDetail detail={detail} ids={list.data?.items.map((one) => one.holdId)} />
    </>
  );
}
