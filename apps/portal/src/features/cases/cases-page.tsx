import type { ReactElement } from 'react';
import { useParams } from 'react-router';
import { useText } from '../../i18n/use-text.ts';
import { Page } from '../../ui/page.tsx';
import { WithTenant } from '../tenants/index.ts';
import { CaseList } from './case-list.tsx';
import { CaseView } from './case-view.tsx';

/** `/ediscovery/portal`: the list of cases; below it, the page of each case. */
export default function CasesPage(): ReactElement {
  const text = useText();
  const { '*': rest = '' } = useParams();
  const [caseId = '', part = ''] = rest.split('/');
  if (caseId !== '' && caseId !== 'new')
    return <WithTenant>{(tenant) => <CaseView key={caseId} tenantId={tenant.tenantId} caseId={caseId} part={part} />}</WithTenant>;
  return (
    <Page title={text('shell.ediscovery')} lead={text('cases.lead')}>
      <WithTenant>{(tenant) => <CaseList tenantId={tenant.tenantId} />}</WithTenant>
    </Page>
  );
}
