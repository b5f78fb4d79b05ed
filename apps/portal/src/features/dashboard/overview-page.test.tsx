import { screen, within } from '@testing-library/react';
import { dashboard } from '@holdfast/contract/dashboard';
import { discovery } from '@holdfast/contract/discovery';
import { locations } from '@holdfast/contract/locations';
import { tenants } from '@holdfast/contract/tenants';
import { expect, test } from 'vitest';
import type { FakeApi } from '../../testing/fake-api.ts';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import { aLocation, anOverview, aSource, onePage, sampleIds } from '../../testing/samples.ts';
import OverviewPage from './overview-page.tsx';

const second = '01900000-0000-7000-8000-000000000099';

function theApi(given: Parameters<typeof anOverview>[0] = {}): FakeApi {
  return aSignedInApi()
    .on(dashboard.overview, anOverview(given))
    .on(locations.list, { items: [aLocation(), aLocation({ locationId: second, name: 'Elsewhere' })] })
    .on(discovery.sources, ({ params }) =>
      onePage(
        params['locationId'] === second
          ? [aSource({ sourceId: second, name: 'Ben Walters', bytes: 99_000_000 })]
          : [aSource({ name: 'Adele Vance', bytes: 52_428_800 })],
      ),
    );
}

test('the largest mailboxes of all locations stand in their order, each with the way to what is in it', async () => {
  const page = await renderPage(<OverviewPage />, { api: theApi() });
  const table = await screen.findByRole('table', { name: 'The ten largest mailboxes' });
  const names = within(table).getAllByRole('link');
  expect(names.map((link) => link.textContent)).toEqual(['Ben Walters', 'Adele Vance']);
  expect(names[1]?.getAttribute('href')).toBe(`/backup-and-restore/restore?location=${sampleIds.location}&source=${sampleIds.source}`);
  expect(within(table).getByText('50 MB')).toBeTruthy();
  await page.checkAccessibility();
});

test('who may not look into content sees names without a way in', async () => {
  await renderPage(<OverviewPage />, { api: theApi(), role: 'reader' });
  const table = await screen.findByRole('table', { name: 'The ten largest mailboxes' });
  expect(within(table).getByText('Adele Vance')).toBeTruthy();
  expect(within(table).queryByRole('link')).toBeNull();
});

test('what needs attention comes first, with its cause in words', async () => {
  const attention = [{ kind: 'run' as const, code: 'graph.credentials-expired', name: 'Mail every night', link: '/configuration/tenants' }];
  const page = await renderPage(<OverviewPage />, { api: theApi({ attention }) });
  expect(await screen.findByText(/The client secret has expired/)).toBeTruthy();
  await page.user.click(screen.getByRole('button', { name: 'Mail every night' }));
  expect(page.address()).toBe('/configuration/tenants');
});

test('nothing needs attention only where everything has a restore point', async () => {
  const [exchange] = anOverview().workloads;
  if (!exchange) throw new Error('The sample has no workload.');
  const whole = theApi({ attention: [], workloads: [{ ...exchange, unprotected: 0 }] });
  const page = await renderPage(<OverviewPage />, { api: whole });
  expect(await screen.findByText('Nothing needs attention.')).toBeTruthy();
  page.unmount();
  await renderPage(<OverviewPage />, { api: theApi({ attention: [], workloads: [{ ...exchange, unprotected: 1_700 }] }) });
  const link = await screen.findByRole('link', { name: 'Not protected: 1,700' });
  expect(link.getAttribute('href')).toBe('/backup-and-restore/reports?tab=coverage&state=unprotected');
  expect(screen.queryByText('Nothing needs attention.')).toBeNull();
});

test('without a tenant there are three steps to the first backup', async () => {
  const page = await renderPage(<OverviewPage />, { api: theApi().on(tenants.list, { items: [] }), language: 'de' });
  expect(await screen.findByText('Microsoft 365 in drei Schritten verbinden')).toBeTruthy();
  expect(screen.getAllByRole('listitem')).toHaveLength(3);
  await page.checkAccessibility();
});
