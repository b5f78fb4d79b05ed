import { screen, waitFor, within } from '@testing-library/react';
import { dashboard } from '@holdfast/contract/dashboard';
import type { TopMailbox } from '@holdfast/contract/dashboard';
import { jobs } from '@holdfast/contract/jobs';
import { people } from '@holdfast/contract/people';
import { tenants } from '@holdfast/contract/tenants';
import { expect, test } from 'vitest';
import type { FakeApi } from '../../testing/fake-api.ts';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import { anAttentionEntry, anOverview, aRun, aSource, sampleIds } from '../../testing/samples.ts';
import OverviewPage from './overview-page.tsx';

function aMailbox(changes: Partial<TopMailbox> = {}): TopMailbox {
  const { resourceId, sourceId, address } = aSource();
  return {
    resourceId,
    sourceId,
    locationId: sampleIds.location,
    name: 'Adele Vance',
    address,
    bytes: 52_428_800,
    messages: 7,
    attachments: 2,
    ...changes,
  };
}

function theApi(given: Parameters<typeof anOverview>[0] = {}): FakeApi {
  return aSignedInApi()
    .on(dashboard.overview, anOverview(given))
    .on(people.days, {
      dates: ['2026-11-19', '2026-11-20'],
      rows: [{ resourceId: sampleIds.job, name: 'Adele Vance', days: ['failed', 'safe'] }],
      total: 40,
    })
    .on(dashboard.growth, {
      days: [
        { date: '2026-11-19', sourceBytes: 100, storedBytes: 50 },
        { date: '2026-11-20', sourceBytes: 2_048, storedBytes: 1_024 },
      ],
      locations: [{ locationId: sampleIds.location, locationName: 'Main', storedBytes: 1_024, freeBytes: 4_096, fullInDays: 12 }],
    })
    .on(dashboard.readiness, {
      items: [
        {
          workload: 'exchange',
          newestPointAt: '2026-11-20T21:12:00.000Z',
          drill: null,
          verification: { runId: sampleIds.run, at: '2026-11-09T08:00:00.000Z', state: 'verified', checked: 20 },
        },
      ],
    })
    .on(dashboard.topMailboxes, ({ query }) => {
      const ben = aMailbox({ resourceId: sampleIds.job, name: 'Ben Walters', bytes: 99_000_000, messages: 3 });
      return { items: query.get('by') === 'messages' ? [aMailbox(), ben] : [ben, aMailbox()] };
    });
}

test('the largest mailboxes are ranked by size or messages, each with the way to what is in it', async () => {
  const page = await renderPage(<OverviewPage />, { api: theApi() });
  const list = await screen.findByRole('list', { name: 'The ten largest mailboxes' });
  const names = (): readonly (string | null)[] =>
    within(list)
      .getAllByRole('link')
      .map((link) => link.textContent);
  expect(names()).toEqual(['Ben Walters', 'Adele Vance']);
  const way = within(list).getByRole('link', { name: 'Adele Vance' }).getAttribute('href');
  expect(way).toBe(`/backup-and-restore/restore?location=${sampleIds.location}&source=${sampleIds.source}`);
  expect(within(list).getByText('50 MB')).toBeTruthy();
  expect(within(list).getAllByText(/^Messages: 7 · With attachments: 2$/)).toHaveLength(1);
  await page.user.click(screen.getByRole('tab', { name: 'Messages' }));
  await waitFor(() => expect(names()).toEqual(['Adele Vance', 'Ben Walters']));
  await page.checkAccessibility();
});

test('who may not look into content sees names without a way in', async () => {
  await renderPage(<OverviewPage />, { api: theApi(), role: 'reader' });
  const list = await screen.findByRole('list', { name: 'The ten largest mailboxes' });
  expect(within(list).getByText('Adele Vance')).toBeTruthy();
  expect(within(list).queryByRole('link')).toBeNull();
});

test('a verification that found deviations says on the overview what deviates', async () => {
  const lastVerification = {
    runId: sampleIds.run,
    kind: 'verify' as const,
    at: '2026-11-20T08:00:00.000Z',
    state: 'deviation' as const,
    locationName: 'Main',
    checked: 12,
    checkedBytes: 4_096,
    deviations: 3,
    findings: [{ code: 'vault.journal-missing', count: 3 }],
    remaining: 0,
    kept: 0,
    leftOut: 0,
  };
  const attention = [anAttentionEntry({ kind: 'evidence', code: 'evidence.deviation', name: 'Main', link: '/reports', jobId: null })];
  const page = await renderPage(<OverviewPage />, { api: theApi({ lastVerification, attention }) });
  expect(await screen.findByText('Deviation found')).toBeTruthy();
  expect(screen.getByText(/^The journal of an account is missing: .* \(3\)$/u)).toBeTruthy();
  expect(screen.getByText('A verification or a drill found a deviation.')).toBeTruthy();
  await page.checkAccessibility();
});

test('what needs attention comes first, with its cause in words', async () => {
  const attention = [anAttentionEntry({ code: 'graph.credentials-expired', link: '/configuration/tenants' })];
  const page = await renderPage(<OverviewPage />, { api: theApi({ attention }) });
  expect(await screen.findByText(/The client secret has expired/)).toBeTruthy();
  await page.user.click(screen.getByRole('button', { name: 'Mail every night' }));
  expect(page.address()).toBe('/configuration/tenants');
});

test('blocked mailboxes are one entry that says how many there are and leads to the report', async () => {
  const blocked = anAttentionEntry({
    kind: 'coverage',
    code: 'graph.mailbox-closed',
    name: 'Adele Vance',
    link: '/backup-and-restore/reports?tab=coverage',
    jobId: null,
  });
  const page = await renderPage(<OverviewPage />, { api: theApi({ attention: [{ ...blocked, others: 2 }] }) });
  expect(await screen.findByText(/The app may not open this mailbox/)).toBeTruthy();
  await page.user.click(screen.getByRole('button', { name: 'Adele Vance and 2 others' }));
  expect(page.address()).toBe(blocked.link);
});

test('mailboxes that have an entry of their own are not counted again among what is not protected', async () => {
  const [exchange] = anOverview().workloads;
  if (!exchange) throw new Error('The sample has no workload.');
  const closed = { ...anAttentionEntry({ kind: 'coverage', code: 'graph.mailbox-closed', name: 'Adele Vance', jobId: null }), others: 2 };
  const drives = { ...exchange, workload: 'onedrive' as const, unprotected: 4 };
  const three = theApi({ attention: [closed], workloads: [{ ...exchange, unprotected: 3 }] });
  const page = await renderPage(<OverviewPage />, { api: three });
  expect(await screen.findByRole('button', { name: 'Adele Vance and 2 others' })).toBeTruthy();
  expect(screen.queryByRole('link', { name: /^Not protected: / })).toBeNull();
  page.unmount();
  await renderPage(<OverviewPage />, { api: theApi({ attention: [closed], workloads: [{ ...exchange, unprotected: 5 }, drives] }) });
  expect(await screen.findByRole('link', { name: 'Not protected: 6' })).toBeTruthy();
});

test('what is switched off is in the short list under the name of its workload', async () => {
  const off = { resourceId: null, graphId: '', name: '', address: '', workload: 'teams' as const, path: '', since: null };
  const notProtected = { total: 1, items: [{ ...off, state: 'unprotected' as const, reason: 'coverage.chats-off' }] };
  await renderPage(<OverviewPage />, { api: theApi({ notProtected }) });
  const reason = await screen.findByText('Chats are turned off in the configuration.');
  expect(reason.parentElement?.textContent).toBe('Not protectedTeamsChats are turned off in the configuration.');
});

test('nothing needs attention only where everything has a restore point', async () => {
  const [exchange] = anOverview().workloads;
  if (!exchange) throw new Error('The sample has no workload.');
  const whole = theApi({ attention: [], workloads: [{ ...exchange, unprotected: 0 }] });
  const page = await renderPage(<OverviewPage />, { api: whole });
  expect(await screen.findByText('Nothing needs you.')).toBeTruthy();
  page.unmount();
  await renderPage(<OverviewPage />, { api: theApi({ attention: [], workloads: [{ ...exchange, unprotected: 1_700 }] }) });
  const link = await screen.findByRole('link', { name: 'Not protected: 1,700' });
  expect(link.getAttribute('href')).toBe('/backup-and-restore/reports?tab=coverage&state=unprotected');
  expect(screen.queryByText('Nothing needs you.')).toBeNull();
});

test('without a tenant there are three steps to the first backup', async () => {
  const page = await renderPage(<OverviewPage />, { api: theApi().on(tenants.list, { items: [] }), language: 'de' });
  expect(await screen.findByText('Microsoft 365 in drei Schritten verbinden')).toBeTruthy();
  expect(screen.getAllByRole('listitem')).toHaveLength(3);
  await page.checkAccessibility();
});

test('what needs attention is shown whole when somebody asks for it', async () => {
  const attention = Array.from({ length: 5 }, (_, at) => anAttentionEntry({ name: `Job ${at + 1}` }));
  const page = await renderPage(<OverviewPage />, { api: theApi({ attention }) });
  expect(await screen.findByRole('button', { name: 'Job 3' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Job 5' })).toBeNull();
  await page.user.click(screen.getByRole('button', { name: 'Show all 5' }));
  expect(screen.getByRole('button', { name: 'Job 5' })).toBeTruthy();
});

test('while the first backup runs, what it has not reached yet is no gap, and its pace is shown', async () => {
  const [exchange] = anOverview().workloads;
  if (!exchange) throw new Error('The sample has no workload.');
  const lastRun = aRun({ status: 'running', endedAt: null });
  const first = { ...exchange, protected: 3, unprotected: 49, runs: 1, successful: 0, lastRun, lastSuccessAt: null };
  const other = { ...exchange, workload: 'onedrive' as const, unprotected: 3 };
  const page = await renderPage(<OverviewPage />, { api: theApi({ workloads: [first, other], recentRuns: [lastRun] }) });
  expect(await screen.findByRole('heading', { name: '28 of 80 are safe so far.' })).toBeTruthy();
  expect(screen.getByText('Still without a restore point: 49')).toBeTruthy();
  expect(screen.getByText('3 need you.')).toBeTruthy();
  expect(screen.getByRole('heading', { name: 'The first backup is running' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Not protected: 3' })).toBeTruthy();
  await page.checkAccessibility();
});

test('one sentence says whether all are safe, and what somebody excluded does not count', async () => {
  const [exchange] = anOverview().workloads;
  if (!exchange) throw new Error('The sample has no workload.');
  const page = await renderPage(<OverviewPage />, { api: theApi({ workloads: [{ ...exchange, protected: 25, excluded: 9 }] }) });
  expect(await screen.findByRole('heading', { name: 'All 25 are safe.' })).toBeTruthy();
  page.unmount();
  await renderPage(<OverviewPage />, {
    api: theApi({ workloads: [{ ...exchange, protected: 24, partly: 1, unprotected: 1 }] }),
    language: 'de',
  });
  expect(await screen.findByRole('heading', { name: '24 von 26 sind sicher.' })).toBeTruthy();
  expect(screen.getByText('2 brauchen Ihre Aufmerksamkeit.')).toBeTruthy();
});

test('days, growth and readiness are pictures that say in words what they show', async () => {
  const page = await renderPage(<OverviewPage />, { api: theApi() });
  const rows = await screen.findByRole('list', { name: 'Protection of the last 30 days' });
  expect(within(rows).getByRole('img', { name: 'safe: 1, failed: 1' })).toBeTruthy();
  expect(within(rows).getByRole('link', { name: 'Adele Vance' }).getAttribute('href')).toBe(`/people/${sampleIds.job}`);
  expect(screen.getByRole('link', { name: '39 more' }).getAttribute('href')).toBe('/people?kind=person');
  expect(await screen.findByText('2 KB of source data, 1 KB stored.')).toBeTruthy();
  expect(screen.getByText('Full in 12 days (4 KB free)')).toBeTruthy();
  expect(await screen.findByRole('link', { name: /9 Nov 2026.*Verified/ })).toBeTruthy();
  await page.checkAccessibility();
});

test('a failed job says since when, what it means, and starts again after a question', async () => {
  const started: unknown[] = [];
  const attention = [anAttentionEntry({ code: 'graph.credentials-expired' })];
  const api = theApi({ attention }).on(jobs.start, ({ params }) => {
    started.push(params['jobId']);
    return { taskId: sampleIds.run };
  });
  const page = await renderPage(<OverviewPage />, { api });
  expect(await screen.findByText(/^Since 20 Nov 2026.*Nothing new of it is backed up until then\.$/)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Connect again' })).toBeTruthy();
  await page.user.click(screen.getByRole('button', { name: 'Start again' }));
  const dialog = await screen.findByRole('dialog', { name: 'Start "Mail every night" again?' });
  expect(started).toEqual([]);
  await page.user.click(within(dialog).getByRole('button', { name: 'Start again' }));
  await waitFor(() => expect(started).toEqual([sampleIds.job]));
});
