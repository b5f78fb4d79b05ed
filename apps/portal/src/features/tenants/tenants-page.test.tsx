import { screen, waitFor, within } from '@testing-library/react';
import { locations } from '@holdfast/contract/locations';
import { tenants } from '@holdfast/contract/tenants';
import { expect, test } from 'vitest';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import type { RenderedPage, RenderOptions } from '../../testing/render-page.tsx';
import { aLocation, aTenant, now, sampleIds } from '../../testing/samples.ts';
import TenantsPage, { LocationsPage } from './tenants-page.tsx';

const tenantBase = '/configuration/tenants';
const locationBase = '/configuration/locations';

const openTenants = async (options: Partial<RenderOptions> = {}): Promise<RenderedPage> =>
  await renderPage(<TenantsPage />, { path: tenantBase, pattern: `${tenantBase}/*`, ...options });
const openLocations = async (options: Partial<RenderOptions> = {}): Promise<RenderedPage> =>
  await renderPage(<LocationsPage />, { path: locationBase, pattern: `${locationBase}/*`, ...options });

const type = async ({ user }: RenderedPage, label: RegExp, words: string): Promise<void> =>
  await user.type(await screen.findByRole('textbox', { name: label }), words);

test('a tenant opens in a drawer with an address of its own, and without its secret', async () => {
  const page = await openTenants();
  await page.user.click(await screen.findByRole('button', { name: 'Contoso' }));
  expect(page.address()).toBe(`${tenantBase}/${sampleIds.tenant}`);
  const drawer = await screen.findByRole('dialog');
  expect(within(drawer).getByText('22222222-2222-4222-8222-222222222222')).toBeTruthy();
  await page.checkAccessibility();
});

test('a refused client secret is told at its field', async () => {
  const api = aSignedInApi().fail(tenants.connect, 422, {
    code: 'tenants.credential-refused',
    message: 'Microsoft refused the client secret.',
  });
  const page = await openTenants({ api, path: `${tenantBase}/new` });
  await type(page, /^Name/, 'Fabrikam');
  await type(page, /Tenant ID/, '33333333-3333-4333-8333-333333333333');
  await type(page, /Client ID/, '44444444-4444-4444-8444-444444444444');
  await page.user.type(screen.getByLabelText(/Client secret/, { selector: 'input' }), 'wrong');
  await page.user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Connect tenant' }));
  const field = screen.getByLabelText(/Client secret/, { selector: 'input' });
  expect((await screen.findAllByText('Microsoft refused the client secret.')).length).toBeGreaterThan(0);
  expect(field.getAttribute('aria-invalid')).toBe('true');
  await page.checkAccessibility();
});

test('a tenant whose task has ended is read again, without live events too', async () => {
  let status: 'connected' | 'provisioning' | 'provisioned' = 'connected';
  const api = aSignedInApi()
    .on(tenants.list, () => ({ items: [aTenant({ status })] }))
    .on(tenants.provision, () => {
      status = 'provisioning';
      return { taskId: sampleIds.run };
    })
    .on(tenants.task, () => {
      status = 'provisioned';
      const times = { startedAt: now, endedAt: now };
      return {
        taskId: sampleIds.run,
        status: 'finished' as const,
        stage: 'done',
        progress: 100,
        processed: 1,
        errors: 0,
        message: null,
        ...times,
      };
    });
  const page = await openTenants({ api });
  await page.user.click(await screen.findByText('Contoso'));
  await page.user.click(await screen.findByText('Provision'));
  expect(await screen.findByText('Deprovision')).toBeTruthy();
});

test('deleting a tenant asks for its name, and nothing is deleted before it is typed', async () => {
  const api = aSignedInApi().on(tenants.remove, undefined);
  const page = await openTenants({ api, path: `${tenantBase}/${sampleIds.tenant}` });
  await page.user.click(await screen.findByRole('button', { name: 'Delete' }));
  const dialog = (await screen.findByText('Delete tenant "Contoso"?')).closest('[role="alertdialog"], [role="dialog"]') as HTMLElement;
  // Which of the two surfaces is open to readers is settled a moment later than they are drawn.
  const confirm = within(dialog).getByRole('button', { name: 'Delete' });
  await page.user.click(confirm);
  expect(api.calls.some((call) => call.startsWith('DELETE'))).toBe(false);
  await page.user.type(within(dialog).getByRole('textbox'), 'Contoso');
  await page.checkAccessibility();
  await page.user.click(confirm);
  expect(await screen.findByText('Tenant deleted.')).toBeTruthy();
  expect(api.calls.some((call) => call.startsWith('DELETE'))).toBe(true);
});

test('who may not manage tenants reads them and is offered nothing else', async () => {
  await openTenants({ role: 'reader', path: `${tenantBase}/${sampleIds.tenant}` });
  await screen.findByText('22222222-2222-4222-8222-222222222222', { selector: 'dd' });
  for (const name of ['Delete', 'Edit', 'Connect tenant']) expect(screen.queryByRole('button', { name })).toBeNull();
});

test('without a tenant the first step is offered in the list as well', async () => {
  const page = await openTenants({ api: aSignedInApi().on(tenants.list, { items: [] }) });
  const list = await screen.findByRole('region', { name: 'Tenants' });
  expect(await within(list).findByText('Connect the first tenant.')).toBeTruthy();
  await page.checkAccessibility();
  await page.user.click(within(list).getByRole('button', { name: 'Connect tenant' }));
  expect(page.address()).toBe('/configuration/connect');
});

test('a location is tried before it is saved, and each step of the trial is told', async () => {
  const api = aSignedInApi()
    .on(locations.list, { items: [] })
    .on(locations.test, {
      ok: false,
      testedAt: now,
      freeBytes: null,
      objectLock: false,
      steps: [
        { step: 'write', result: 'passed', message: null },
        { step: 'read', result: 'failed', message: 'EACCES' },
      ],
    });
  const page = await openLocations({ api, path: `${locationBase}/new` });
  await type(page, /^Name/, 'Second vault');
  await type(page, /Path|Folder/, '/mnt/vault');
  await page.user.click(screen.getByRole('button', { name: 'Test' }));
  expect(await screen.findByText(/EACCES/)).toBeTruthy();
  expect(api.calls.some((call) => call.startsWith('POST') && call.endsWith('/locations'))).toBe(false);
  await page.checkAccessibility();
});

test('a location that is there is tried again, and its drawer tells what came of it', async () => {
  const api = aSignedInApi()
    .on(locations.list, { items: [aLocation()] })
    .on(locations.testAgain, {
      ok: false,
      testedAt: now,
      freeBytes: null,
      objectLock: false,
      steps: [{ step: 'write', result: 'failed', message: 'vault.access-denied' }],
    });
  const page = await openLocations({ api, path: `${locationBase}/${aLocation().locationId}` });
  await page.user.click(await screen.findByRole('button', { name: 'Test' }));
  expect(await screen.findByText(/The location denies access/)).toBeTruthy();
  await page.checkAccessibility();
});

test('a location whose name is taken says so at the name', async () => {
  const api = aSignedInApi()
    .on(locations.list, { items: [aLocation()] })
    .fail(locations.create, 409, { code: 'locations.name-taken', message: 'A location with this name already exists.' });
  const page = await openLocations({ api, path: `${locationBase}/new` });
  await type(page, /^Name/, 'Vault on this machine');
  await type(page, /Path|Folder/, '/mnt/vault');
  await page.user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Add location' }));
  expect((await screen.findAllByText('A location with this name already exists.')).length).toBeGreaterThan(0);
  expect(screen.getByRole('textbox', { name: /^Name/ }).getAttribute('aria-invalid')).toBe('true');
});

test('locations are German in German', async () => {
  const page = await openLocations({ api: aSignedInApi().on(locations.list, { items: [aLocation()] }), language: 'de' });
  expect(await screen.findByRole('button', { name: 'Vault on this machine' })).toBeTruthy();
  expect(screen.getByText('Sicherung und Archiv')).toBeTruthy();
  await page.checkAccessibility();
});

test('an address that names what is not there says so', async () => {
  const page = await openTenants({ path: `${tenantBase}/${sampleIds.run}` });
  const drawer = await screen.findByRole('dialog', { name: 'Not found' });
  expect(within(drawer).getByText('This no longer exists.')).toBeTruthy();
  await page.user.click(within(drawer).getByRole('button', { name: 'Close' }));
  expect(page.address()).toBe(tenantBase);
});

test('a list that is whole in the browser is sorted by every column, sizes by their bytes', async () => {
  const tested = (freeBytes: number) => ({ ok: true, freeBytes, testedAt: now, objectLock: false, steps: [] });
  const api = aSignedInApi().on(locations.list, {
    items: [
      aLocation({ name: 'Large', lastTest: tested(2_000_000_000) }),
      aLocation({ locationId: sampleIds.run, name: 'Small', lastTest: tested(900_000_000) }),
    ],
  });
  const page = await openLocations({ api });
  await page.user.click(await screen.findByRole('button', { name: 'Free space' }));
  expect(page.address()).toBe(`${locationBase}?sort=free`);
  expect(screen.getAllByRole('button', { name: /^(?:Large|Small)$/ }).map((name) => name.textContent)).toEqual(['Small', 'Large']);
});

test('the progress of a task is found again in the list, and in the drawer that was closed', async () => {
  const api = aSignedInApi()
    .on(tenants.list, { items: [aTenant({ status: 'provisioning', taskId: sampleIds.run })] })
    .on(tenants.task, {
      taskId: sampleIds.run,
      status: 'running',
      stage: 'discovering',
      progress: 40,
      processed: 12,
      errors: 0,
      startedAt: now,
      endedAt: null,
      message: null,
    });
  const page = await openTenants({ api });
  expect(await screen.findByRole('progressbar', { name: /40/ })).toBeTruthy();
  await page.user.click(await screen.findByRole('button', { name: 'Contoso' }));
  const drawer = within(await screen.findByRole('dialog'));
  expect(await drawer.findByRole('progressbar', { name: /40/ })).toBeTruthy();
  await page.user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await page.user.click(screen.getByRole('button', { name: 'Contoso' }));
  expect(await within(await screen.findByRole('dialog')).findByRole('progressbar', { name: /40/ })).toBeTruthy();
});
