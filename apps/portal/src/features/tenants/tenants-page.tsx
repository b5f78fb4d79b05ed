import { Tab, TabList } from '@fluentui/react-components';
import type { ReactElement } from 'react';
import { useNavigate } from 'react-router';
import { useText } from '../../i18n/use-text.ts';
import { Page } from '../../ui/page.tsx';
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
      <TabList selectedValue={tab} onTabSelect={(_event, { value }) => void navigate(`/configuration/${String(value)}`)}>
        {tabs.map((name) => (
          <Tab key={name} value={name}>
            {text(`tenants.${name}Tab`)}
          </Tab>
        ))}
      </TabList>
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
