import type { ReactElement } from 'react';
import { useNavigate } from 'react-router';
import { useText } from '../../i18n/use-text.ts';
import { Page } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { TenantList } from './tenant-list.tsx';
import { LocationList } from './location-list.tsx';

const tabs = ['tenants', 'locations'] as const;
type TabName = (typeof tabs)[number];

/** One page with two tabs, each with its own address. */
function TenantsAndLocations({ tab }: { readonly tab: TabName }): ReactElement {
  const text = useText();
  const navigate = useNavigate();
  return (
    <Page title={text('tenants.title')} lead={text('tenants.lead')}>
      <Tabs
        names={tabs}
        selected={tab}
        word={(name) => text(`tenants.${name}Tab`)}
        onSelect={(name) => void navigate(`/configuration/${name}`)}
      />
      {tab === 'tenants' ? <TenantList /> : <LocationList />}
    </Page>
  );
}

/** `/configuration/tenants` */
export default function TenantsPage(): ReactElement {
  return <TenantsAndLocations tab="tenants" />;
}

/** `/configuration/locations` */
export function LocationsPage(): ReactElement {
  return <TenantsAndLocations tab="locations" />;
}
