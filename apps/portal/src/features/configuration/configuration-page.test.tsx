import { screen } from '@testing-library/react';
import { tenants } from '@holdfast/contract/tenants';
import { configuration } from '@holdfast/contract/configuration';
import { expect, test } from 'vitest';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import { aConfiguration, aTenant, sampleIds } from '../../testing/samples.ts';
import ConfigurationPage from './configuration-page.tsx';

test('each other tenant can be switched to by its name', async () => {
  const other = (tenantId: string, displayName: string) => aTenant({ tenantId, displayName, active: false });
  const api = aSignedInApi()
    .on(tenants.list, { items: [aTenant(), other(sampleIds.run, 'Fabrikam'), other(sampleIds.source, 'Tailspin')] })
    .on(configuration.read, aConfiguration());
  const page = await renderPage(<ConfigurationPage />, { api });
  await screen.findByRole('button', { name: 'Switch to Fabrikam' });
  await page.user.click(screen.getByRole('button', { name: 'Switch to Tailspin' }));
  expect(await screen.findByRole('dialog', { name: 'Switch to "Tailspin"?' })).toBeTruthy();
  await page.checkAccessibility();
});
