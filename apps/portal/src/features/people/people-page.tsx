import { lazy, Suspense } from 'react';
import type { ReactElement } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { Page } from '../../ui/page.tsx';
import { useDetail } from '../../ui/use-detail.ts';
import { WithTenant } from '../tenants/index.ts';
import { PeopleList } from './people-list.tsx';

const PersonPage = lazy(async () => ({ default: (await import('./person-page.tsx')).PersonPage }));

const base = '/people';

/** `/people`: everybody and everything that can be protected, and below it the page of each. */
export default function PeoplePage(): ReactElement {
  const text = useText();
  const detail = useDetail(base);
  const { id } = detail;
  if (detail.mode === 'view' && id !== null) {
    return (
      <WithTenant>
        {(tenant) => (
          <Suspense fallback={<LoadingShape rows={6} />}>
            <PersonPage key={id} tenantId={tenant.tenantId} resourceId={id} />
          </Suspense>
        )}
      </WithTenant>
    );
  }
  return (
    <Page title={text('shell.people')} lead={text('people.lead')}>
      <WithTenant>{(tenant) => <PeopleList tenantId={tenant.tenantId} onOpen={detail.view} />}</WithTenant>
    </Page>
  );
}
