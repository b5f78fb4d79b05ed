import { screen, within } from '@testing-library/react';
import { dashboard } from '@holdfast/contract/dashboard';
import { jobs } from '@holdfast/contract/jobs';
import { selection } from '@holdfast/contract/workers';
import { expect, test } from 'vitest';
import type { FakeApi } from '../../testing/fake-api.ts';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import { aJob, anOverview, onePage, sampleIds } from '../../testing/samples.ts';
import BackupDashboardPage from './backup-dashboard-page.tsx';

function theApi(): FakeApi {
  const [figures] = anOverview().workloads;
  if (figures === undefined) throw new Error('The sample overview has no workload.');
  return aSignedInApi()
    .on(dashboard.exchange, figures)
    .on(dashboard.onedrive, { ...figures, workload: 'onedrive' })
    .on(dashboard.sharepoint, { ...figures, workload: 'sharepoint' })
    .on(jobs.list, onePage([aJob(), aJob({ jobId: sampleIds.run, name: 'By hand', nextRun: null })]))
    .on(selection.workerChecks, {
      ip: '10.0.0.11',
      items: [
        { at: '2026-11-21T08:00:00.000Z', reachable: 60, missed: 0, load: 0.2 },
        { at: '2026-11-21T09:00:00.000Z', reachable: 28, missed: 2, load: 0.6 },
      ],
    });
}

test('the dashboard tells what runs next and whether the worker answered when it was checked', async () => {
  const page = await renderPage(<BackupDashboardPage />, { api: theApi() });
  expect(await screen.findByRole('link', { name: 'Mail every night' })).toBeTruthy();
  expect(screen.queryByText('By hand')).toBeNull();
  const checks = await screen.findByText('Answered');
  expect(checks.nextElementSibling?.textContent).toBe('88');
  expect(within(checks.parentElement ?? document.body).getByText('60%')).toBeTruthy();
  await page.checkAccessibility();
});
