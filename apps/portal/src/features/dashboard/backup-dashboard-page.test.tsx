import { screen, within } from '@testing-library/react';
import { dashboard } from '@holdfast/contract/dashboard';
import { selection } from '@holdfast/contract/workers';
import { expect, test } from 'vitest';
import type { FakeApi } from '../../testing/fake-api.ts';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import { aJob, anOverview } from '../../testing/samples.ts';
import BackupDashboardPage from './backup-dashboard-page.tsx';

function theApi(): FakeApi {
  const [figures] = anOverview().workloads;
  if (figures === undefined) throw new Error('The sample overview has no workload.');
  return aSignedInApi()
    .on(dashboard.backup, {
      workloads: [figures, { ...figures, workload: 'onedrive' }, { ...figures, workload: 'sharepoint' }],
      nextRuns: [aJob()],
    })
    .on(selection.workerChecks, {
      ip: '10.0.0.11',
      items: [
        { at: '2026-11-21T08:00:00.000Z', reachable: 60, missed: 0, load: 0.2 },
        { at: '2026-11-21T09:00:00.000Z', reachable: 28, missed: 2, load: 0.6 },
      ],
    });
}

test('the dashboard tells what runs next and whether the worker answered when it was checked', async () => {
  const api = theApi();
  const page = await renderPage(<BackupDashboardPage />, { api });
  expect(await screen.findByRole('link', { name: 'Mail every night' })).toBeTruthy();
  const checks = await screen.findByText('Answered');
  expect(checks.nextElementSibling?.textContent).toBe('88');
  expect(within(checks.parentElement ?? document.body).getByText('60%')).toBeTruthy();
  await page.checkAccessibility();
});

test('the dashboard asks for the figures in one call and for the checks beside it', async () => {
  const api = theApi();
  await renderPage(<BackupDashboardPage />, { api });
  await screen.findByText('Answered');
  const asked = api.calls.map((call) => call.split('?')[0]?.split('/').slice(-2).join('/'));
  expect(new Set(asked)).toEqual(new Set(['api/Tenants', 'dashboard/backup', 'checks/10.0.0.11']));
});
