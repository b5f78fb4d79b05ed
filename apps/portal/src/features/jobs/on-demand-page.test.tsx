import { screen } from '@testing-library/react';
import { discovery } from '@holdfast/contract/discovery';
import { jobs } from '@holdfast/contract/jobs';
import { locations } from '@holdfast/contract/locations';
import { expect, test } from 'vitest';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import { aJob, aLocation, onePage } from '../../testing/samples.ts';
import OnDemandPage from './on-demand-page.tsx';

const place = { path: '/backup-and-restore/on-demand', pattern: '/backup-and-restore/*' };

test('users and groups that were chosen are backed up once, now; without anybody nothing begins', async () => {
  const adele = { id: 'adele', name: 'Adele', address: '', kind: 'user', protection: 'unprotected', lastPointAt: null } as const;
  const api = aSignedInApi()
    .on(locations.list, { items: [aLocation()] })
    .on(discovery.users, onePage([adele]))
    .on(discovery.groups, onePage([{ ...adele, id: 'sales', name: 'Sales', kind: 'group' as const }]))
    .on(jobs.create, aJob());
  const page = await renderPage(<OnDemandPage />, { ...place, api });
  const start = await screen.findByRole('button', { name: 'Back up now' });
  await page.user.click(start);
  expect(await screen.findByText('Please select users.')).toBeTruthy();
  await page.user.click(await screen.findByRole('checkbox', { name: 'Adele' }));
  await page.user.click(screen.getByRole('tab', { name: 'Groups' }));
  expect(screen.queryByText('Please select users.')).toBeNull();
  await page.user.click(await screen.findByRole('checkbox', { name: 'Sales' }));
  await page.checkAccessibility();
  await page.user.click(start);
  expect(await screen.findByText('The job will start in a few moments.')).toBeTruthy();
  expect(api.bodies.at(-1)).toMatchObject({
    workload: 'exchange',
    schedule: { mode: 'afterCreation' },
    source: { users: [{ id: 'adele' }], groups: [{ id: 'sales' }], sites: [], teams: [] },
  });
  expect(page.address()).toBe('/backup-and-restore/job-monitor');
});

test('a location for archives alone is no place for a backup', async () => {
  const api = aSignedInApi().on(locations.list, { items: [aLocation({ use: 'archive' })] });
  await renderPage(<OnDemandPage />, { ...place, api });
  expect(await screen.findByRole('link', { name: 'Add location' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Back up now' })).toBeNull();
});
