import { screen, waitFor, within } from '@testing-library/react';
import { dashboard } from '@holdfast/contract/dashboard';
import { expect, test } from 'vitest';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import { anOverview, onePage, sampleIds } from '../../testing/samples.ts';
import TeamsDashboardPage from './teams-dashboard-page.tsx';

test('each unused filter leads to the teams that it counts', async () => {
  const [figures] = anOverview().workloads;
  if (!figures) throw new Error('The sample has no workload.');
  const unused = { days30: 2, weeks8: 1, months6: 1 };
  const team = { resourceId: sampleIds.job, sourceId: sampleIds.source, locationId: sampleIds.location, address: 'sales@contoso.example' };
  const sales = { ...team, name: 'Sales', lastActivityAt: null };
  const all = [sales, { ...sales, resourceId: sampleIds.run, name: 'Board', lastActivityAt: '2026-11-20T10:00:00.000Z' }];
  const api = aSignedInApi()
    .on(dashboard.teams, { ...figures, workload: 'teams', teams: 3, channels: 9, messages: 40, files: 6, chats: 0, unused })
    .on(dashboard.teamActivity, ({ query }) => onePage(query.get('unused') === 'weeks8' ? [sales] : all));
  const page = await renderPage(<TeamsDashboardPage />, { path: '/teams/dashboard', pattern: '/teams/dashboard', api });
  const table = within(await screen.findByRole('region', { name: 'Teams' }).catch(() => document.body));
  expect(await table.findByRole('link', { name: 'Board' })).toBeTruthy();
  expect(table.getByText('Never')).toBeTruthy();
  await page.user.click(screen.getByRole('link', { name: '8 weeks' }));
  expect(page.address()).toBe('/teams/dashboard?unused=weeks8');
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Board' })).toBeNull());
  expect(screen.getByRole('link', { name: 'Sales' })).toBeTruthy();
  await page.checkAccessibility();
});
