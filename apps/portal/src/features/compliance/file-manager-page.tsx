import { discovery } from '@holdfast/contract/discovery';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useSearchParams } from 'react-router';
import { read } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { FailedState } from '../../ui/empty-state.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { Page } from '../../ui/page.tsx';
import { WithTenant } from '../tenants/index.ts';
import type { SitePlace } from './folder-address.ts';
import { FolderView } from './folder-view.tsx';
import { SiteList } from './site-list.tsx';

/** `/compliance`: sites and OneDrives as they were at any restore point. */
export default function FileManagerPage(): ReactElement {
  const text = useText();
  return (
    <Page title={text('shell.managedFiles')} lead={text('compliance.filesLead')}>
      <WithTenant>{(tenant) => <Chosen tenantId={tenant.tenantId} />}</WithTenant>
    </Page>
  );
}

/** The address names the site, the folder and the time, so that reload and back work. */
function Chosen({ tenantId }: { readonly tenantId: string }): ReactElement {
  const [params, setParams] = useSearchParams();
  const locationId = params.get('location');
  const sourceId = params.get('source');
  if (locationId === null || sourceId === null) {
    return <SiteList tenantId={tenantId} onOpen={(site) => setParams({ location: site.locationId, source: site.sourceId })} />;
  }
  return <Site key={sourceId} place={{ tenantId, locationId, sourceId }} />;
}

function Site({ place }: { readonly place: SitePlace }): ReactElement {
  const source = useQuery({ ...read(discovery.source, { params: { ...place }, quiet: true }), staleTime: 60_000 });
  if (source.isError) return <FailedState error={source.error} onRetry={() => void source.refetch()} />;
  return source.data === undefined ? <LoadingShape rows={6} /> : <FolderView place={place} site={source.data} />;
}
