import { screen } from '@testing-library/react';
import { tenants } from '@holdfast/contract/tenants';
import { configuration } from '@holdfast/contract/configuration';
import { expect, test } from 'vitest';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import { aTenant, sampleIds } from '../../testing/samples.ts';
import ConfigurationPage from './configuration-page.tsx';

const both = { enabled: true, protectNewResources: true };

test('each other tenant can be switched to by its name', async () => {
  const other = (tenantId: string, displayName: string) => aTenant({ tenantId, displayName, active: false });
  const api = aSignedInApi()
    .on(tenants.list, { items: [aTenant(), other(sampleIds.run, 'Fabrikam'), other(sampleIds.source, 'Tailspin')] })
    .on(configuration.read, {
      tenantId: sampleIds.tenant,
      tenantName: 'Contoso',
      settings: {
        exchange: { ...both, includeArchiveMailboxes: true, includeRecoverableItems: true },
        onedrive: { ...both, versions: 10 },
        sharepoint: { ...both, includePermissions: true, versions: 10 },
        teams: { ...both, includeChats: true, includePrivateChannels: true },
        excludedFolders: [],
      },
      connection: null,
      users: 25,
      groups: 3,
      usersSynchronisedAt: null,
      version: 1,
    });
  const page = await renderPage(<ConfigurationPage />, { api });
  await screen.findByRole('button', { name: 'Switch to Fabrikam' });
  await page.user.click(screen.getByRole('button', { name: 'Switch to Tailspin' }));
  expect(await screen.findByRole('dialog', { name: 'Switch to "Tailspin"?' })).toBeTruthy();
  await page.checkAccessibility();
});
