import { screen, waitFor } from '@testing-library/react';
import { appSetups } from '@holdfast/contract/app-setups';
import type { AppSetup } from '@holdfast/contract/app-setups';
import { tenants } from '@holdfast/contract/tenants';
import type { ConnectionReport } from '@holdfast/contract/tenants';
import { expect, test } from 'vitest';
import { aSignedInApi, renderPage } from '../../../testing/render-page.tsx';
import { aTenant, now, sampleIds } from '../../../testing/samples.ts';
import ConnectPage from './connect-page.tsx';

const path = '/configuration/connect';
const directoryId = '33333333-3333-4333-8333-333333333333';
const applicationId = '44444444-4444-4444-8444-444444444444';

const setup = (given: Partial<AppSetup> = {}): AppSetup => ({
  setupId: sampleIds.run,
  appName: 'Holdfast',
  workloads: ['exchange', 'onedrive', 'sharepoint', 'teams'],
  restores: true,
  credential: 'certificate',
  certificate: 'PEM',
  thumbprint: 'AB',
  certificateExpiresAt: now,
  permissions: ['Mail.ReadWrite', 'Files.ReadWrite.All'].map((permission) => ({
    permission,
    roleId: sampleIds.run,
    group: 'mail',
    workloads: ['exchange'],
    purpose: 'restore',
  })),
  scripts: { azureCli: 'az rest', powerShell: 'Connect-MgGraph' },
  manifest: '{}',
  consentUrl: 'https://login.example/{tenant}/adminconsent?client_id={client}',
  createdAt: now,
  expiresAt: now,
  ...given,
});

const report = (granted: readonly string[], problem: string | null = null): ConnectionReport => ({
  ok: problem === null,
  checkedAt: now,
  organisationName: null,
  problem,
  permissions: ['Mail.ReadWrite', 'Files.ReadWrite.All'].map((permission) => ({
    permission,
    group: 'mail',
    kind: 'application',
    workloads: ['exchange'],
    purpose: 'restore',
    state: granted.includes(permission) ? 'granted' : 'missing',
  })),
  workloads: [],
});

test('everything is chosen at first; the script is shown in both languages, and the ticks tell what was granted', async () => {
  const api = aSignedInApi()
    .on(appSetups.prepare, setup())
    .on(appSetups.check, report(['Mail.ReadWrite']))
    .on(tenants.connect, aTenant());
  const page = await renderPage(<ConnectPage />, { path, pattern: path, api });
  await page.checkAccessibility();
  const guide = screen.getByRole('link', { name: /^Guide with pictures/ });
  expect([guide.getAttribute('href'), guide.getAttribute('target')]).toEqual(['/documentation#connectTenant', '_blank']);
  await page.user.click(screen.getByRole('button', { name: 'Next' }));
  expect((await screen.findByRole('region', { name: 'Azure CLI' })).textContent).toBe('az rest');
  await page.user.click(screen.getByRole('tab', { name: 'PowerShell' }));
  expect(screen.getByRole('region', { name: 'PowerShell' }).textContent).toBe('Connect-MgGraph');
  await page.checkAccessibility();
  await page.user.click(screen.getByRole('button', { name: 'Next' }));
  await page.user.type(await screen.findByRole('textbox', { name: /^Name/ }), 'Fabrikam');
  await page.user.type(screen.getByRole('textbox', { name: /Directory/ }), directoryId);
  expect(screen.getByRole('status').textContent).toBe('0 of 2 permissions granted');
  await page.user.type(screen.getByRole('textbox', { name: /Application/ }), applicationId);
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('1 of 2 permissions granted'));
  expect(screen.getByText('Files.ReadWrite.All').textContent).toContain('Missing');
  const consent = screen.getByRole<HTMLAnchorElement>('link', { name: /consent/ });
  expect(consent.href).toBe(`https://login.example/${directoryId}/adminconsent?client_id=${applicationId}`);
  await page.checkAccessibility();
  await page.user.click(screen.getByRole('button', { name: 'Connect tenant' }));
  await waitFor(() => expect(page.address()).toBe(`/configuration/tenants/${sampleIds.tenant}`));
  const sent = { name: 'Fabrikam', microsoftTenantId: directoryId, clientId: applicationId, setupId: sampleIds.run };
  expect(api.bodies).toContainEqual(expect.objectContaining(sent));
});

test('going back and on again with the same choice makes no second certificate, another choice does', async () => {
  const api = aSignedInApi().on(appSetups.prepare, setup());
  const page = await renderPage(<ConnectPage />, { path, pattern: path, api });
  const press = async (name: string): Promise<void> => await page.user.click(screen.getByRole('button', { name }));
  await press('Next');
  await screen.findByRole('region', { name: 'Azure CLI' });
  await press('Back');
  await press('Next');
  await screen.findByRole('region', { name: 'Azure CLI' });
  expect(api.bodies).toHaveLength(1);
  await press('Back');
  await page.user.click(screen.getByRole('switch', { name: 'Restore as well' }));
  await press('Next');
  await waitFor(() => expect(api.bodies).toHaveLength(2));
  expect(api.bodies.at(-1)).toMatchObject({ restores: false });
});

test('without anything to protect there is no next step', async () => {
  const page = await renderPage(<ConnectPage />, { path, pattern: path });
  for (const name of ['Exchange', 'OneDrive', 'SharePoint', 'Teams']) await page.user.click(screen.getByRole('checkbox', { name }));
  expect(screen.getByRole('button', { name: 'Next' }).getAttribute('aria-disabled')).toBe('true');
});
