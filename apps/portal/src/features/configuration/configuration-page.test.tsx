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

test('users count as synchronised when the task has ended, not when it begins', async () => {
  const task = { taskId: sampleIds.run, stage: 'discovering', processed: 0, errors: 0, startedAt: null, endedAt: null, message: null };
  const api = aSignedInApi()
    .on(configuration.read, aConfiguration())
    .on(configuration.synchroniseUsers, { taskId: sampleIds.run })
    .on(tenants.task, { ...task, status: 'running', progress: 5 });
  const page = await renderPage(<ConfigurationPage />, { api });
  await page.user.click(await screen.findByRole('button', { name: 'Synchronise users' }));
  await screen.findByText('Synchronising users has started.');
  expect(screen.queryByText('Users synchronised.')).toBeNull();
  api.on(tenants.task, { ...task, status: 'finished', progress: 100 });
  await page.portal.queries.invalidateQueries();
  expect(await screen.findByText('Users synchronised.')).toBeTruthy();
});
