import type { ReactElement } from 'react';
import { useNavigate, useParams } from 'react-router';
import { useText } from '../../i18n/use-text.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { ExportList } from '../exports/index.ts';
import { WithTenant } from '../tenants/index.ts';
import { CaseList } from './case-list.tsx';
import { CaseView } from './case-view.tsx';
import { caseBase } from './case-words.ts';

/** `/ediscovery/portal`: the list of cases; below it, the page of each case. */
export default function CasesPage(): ReactElement {
  const text = useText();
  const { '*': rest = '' } = useParams();
  const [caseId = '', part = '', setId = ''] = rest.split('/');
  if (caseId === 'exports') return <ExportsPage />;
  if (caseId !== '' && caseId !== 'new')
    return (
      <WithTenant>{(tenant) => <CaseView key={caseId} tenantId={tenant.tenantId} caseId={caseId} part={part} setId={setId} />}</WithTenant>
    );
  return (
    <Page title={text('shell.ediscovery')} lead={text('cases.lead')}>
      <Lists selected="cases" />
      <WithTenant>{(tenant) => <CaseList tenantId={tenant.tenantId} />}</WithTenant>
    </Page>
  );
}

const lists = ['cases', 'exports'] as const;

/** The cases, and the reader's exports from anywhere. */
function Lists({ selected }: { readonly selected: (typeof lists)[number] }): ReactElement {
  const text = useText();
  const navigate = useNavigate();
  return (
    <Tabs
      names={lists}
      selected={selected}
      word={(name) => text(name === 'cases' ? 'cases.title' : 'exports.title')}
      onSelect={(name) => void navigate(name === 'cases' ? caseBase : `${caseBase}/exports`)}
    />
  );
}

function ExportsPage(): ReactElement {
  const text = useText();
  return (
    <Page title={text('shell.ediscovery')} lead={text('exports.lead')}>
      <Lists selected="exports" />
      <WithTenant>{(tenant) => <ExportList tenantId={tenant.tenantId} empty={<EmptyState text={text('exports.empty')} />} />}</WithTenant>
    </Page>
  );
}
