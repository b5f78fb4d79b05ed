import type { ReactElement } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { Page } from '../../ui/page.tsx';
import { WithTenant } from '../tenants/index.ts';
import { ApprovalList } from './approval-list.tsx';

/** `/configuration/approvals`: what waits for a second person, and what was decided. */
export default function ApprovalsPage(): ReactElement {
  const text = useText();
  return (
    <Page title={text('shell.approvals')} lead={text('approvals.lead')}>
      <WithTenant>{(tenant) => <ApprovalList tenantId={tenant.tenantId} base="/configuration/approvals" />}</WithTenant>
    </Page>
  );
}
