import { screen, waitFor, within } from '@testing-library/react';
import { archive } from '@holdfast/contract/archive';
import { archiveCompleteness } from '@holdfast/contract/archive-completeness';
import { discovery } from '@holdfast/contract/discovery';
import { jobs, type Job } from '@holdfast/contract/jobs';
import { locations } from '@holdfast/contract/locations';
import { monitoring } from '@holdfast/contract/monitoring';
import { reporting } from '@holdfast/contract/reporting';
import { expect, test } from 'vitest';
import { anArchive, anArchivedDay, anArchivedMailbox, anArchivedMailboxInDetail } from '../../testing/archive-samples.ts';
import type { FakeApi } from '../../testing/fake-api.ts';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import { aJob, aLocation, aRun, onePage, sampleIds } from '../../testing/samples.ts';
import ArchiveDashboardPage from './archive-dashboard-page.tsx';
import ArchiveJobsPage from './archive-jobs-page.tsx';
import ArchiveMonitorPage from './archive-monitor-page.tsx';
import ArchiveReportsPage from './archive-reports-page.tsx';
import MailboxesPage from './mailboxes-page.tsx';

const mailboxes = { path: '/archive/mailboxes', pattern: '/archive/mailboxes/*' };
const ben = anArchivedMailbox({ mailboxId: '01900000-0000-7000-8000-0000000000b2', name: 'Ben Walters', size: 99_000_000, messages: 3 });

function theApi(): FakeApi {
  return aSignedInApi()
    .on(archive.mailbox, anArchivedMailboxInDetail())
    .on(archive.mailboxes, onePage([anArchivedMailbox()]))
    .on(archive.top, ({ query }) => ({
      items: query.get('by') === 'messages' ? [anArchivedMailbox(), ben] : [ben, anArchivedMailbox()],
    }))
    .on(archive.dashboard, anArchive())
    .on(archiveCompleteness.days, onePage([anArchivedDay()]))
    .on(archiveCompleteness.missing, onePage([]));
}

test('the dashboard of the archive shows what it holds, how far it reaches and who has most', async () => {
  const page = await renderPage(<ArchiveDashboardPage />, { api: theApi() });
  expect(await screen.findByText('380,000')).toBeTruthy();
  expect(screen.getByText('Failed: 2')).toBeTruthy();
  expect(screen.getByText('Not archived').closest('li')?.textContent).toBe('Not archived1');
  const largest = within(screen.getByRole('list', { name: 'The ten largest mailboxes' }));
  expect(largest.getByRole('link', { name: 'Adele Vance' }).getAttribute('href')).toBe(
    `/archive/mailboxes/${anArchivedMailbox().mailboxId}`,
  );
  expect(screen.getByRole('link', { name: 'Archive every night' }).getAttribute('href')).toBe(`/archive/job-monitor/${sampleIds.run}`);
  await page.checkAccessibility();
});

test('the dashboard says that the journal receiver is silent, in an empty archive too, and what is due for deletion', async () => {
  const silent = { receiverSilentSince: '2026-11-20T09:30:00.000Z' };
  const page = await renderPage(<ArchiveDashboardPage />, { api: theApi().on(archive.dashboard, anArchive({ ...silent, due: 12 })) });
  expect(await screen.findByText(/has had no mail since .*2026.*Exchange admin center/)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Archive jobs and journal receiver' }).getAttribute('href')).toBe('/archive/jobs');
  expect(screen.getByRole('link', { name: '12 messages' }).getAttribute('href')).toBe('/archive/deletion-jobs?tab=messages');
  await page.checkAccessibility();
  page.unmount();
  const empty = theApi().on(archive.dashboard, anArchive({ ...silent, mailboxes: 0, lastRun: null, top: [] }));
  const german = await renderPage(<ArchiveDashboardPage />, { api: empty, language: 'de' });
  expect(await screen.findByText(/hat seit .*2026.* keine Nachricht erhalten/)).toBeTruthy();
  german.unmount();
  await renderPage(<ArchiveDashboardPage />, { api: theApi() });
  expect(await screen.findByText('380,000')).toBeTruthy();
  expect(screen.queryByText(/no mail since/)).toBeNull();
  expect(screen.queryByText('Due for deletion')).toBeNull();
});

test('an empty archive says so and leads to the first archive job, but only those who may create one', async () => {
  const empty = theApi().on(archive.dashboard, anArchive({ mailboxes: 0, lastRun: null, top: [] }));
  const page = await renderPage(<ArchiveDashboardPage />, { api: empty, language: 'de' });
  expect(await screen.findByText('Das Archiv ist leer.')).toBeTruthy();
  await page.checkAccessibility();
  await page.user.click(screen.getByRole('button', { name: 'Archivauftrag erstellen' }));
  expect(page.address()).toBe('/archive/jobs/new');
  page.unmount();
  await renderPage(<ArchiveDashboardPage />, { api: empty, role: 'reader' });
  expect(await screen.findByText('The archive is empty.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Create archive job' })).toBeNull();
});

test('an archive whose first run has begun, or has archived nothing, leads to that run and not to another job', async () => {
  const waiting = theApi().on(
    archive.dashboard,
    anArchive({ mailboxes: 0, top: [], lastRun: { ...aRun({ type: 'archive' }), status: 'pending' } }),
  );
  const page = await renderPage(<ArchiveDashboardPage />, { api: waiting });
  expect(await screen.findByText(/is filling the archive for the first time/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Create archive job' })).toBeNull();
  await page.checkAccessibility();
  await page.user.click(screen.getByRole('button', { name: 'Show the run' }));
  expect(page.address()).toBe(`/archive/job-monitor/${sampleIds.run}`);
  page.unmount();
  const failed = theApi().on(
    archive.dashboard,
    anArchive({ mailboxes: 0, top: [], lastRun: { ...aRun({ type: 'archive' }), status: 'failed' } }),
  );
  await renderPage(<ArchiveDashboardPage />, { api: failed });
  expect(await screen.findByText(/archived nothing. Its report says why/)).toBeTruthy();
});

test('mailboxes are asked for by how long they were unused, in the words of the specification', async () => {
  const asked: (string | null)[] = [];
  const api = theApi().on(archive.mailboxes, ({ query }) => {
    asked.push(query.get('unused'));
    return onePage([anArchivedMailbox()]);
  });
  const page = await renderPage(<MailboxesPage />, { ...mailboxes, api });
  const row = within((await screen.findByText('adele@contoso.example')).closest('[role="row"], tr') as HTMLElement);
  expect(row.getByText('1,204')).toBeTruthy();
  expect(row.getByText('Complete')).toBeTruthy();
  await page.user.click(screen.getByRole('combobox', { name: 'Filter by Unused for' }));
  expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual(
    expect.arrayContaining(['30 days', '8 weeks', '6 months']),
  );
  await page.user.click(screen.getByRole('option', { name: '8 weeks' }));
  await waitFor(() => expect(asked).toContain('weeks8'));
  await page.checkAccessibility();
});

test('the ten largest mailboxes are ranked by what is chosen, and open in place', async () => {
  const page = await renderPage(<MailboxesPage />, { ...mailboxes, api: theApi() });
  const list = await screen.findByRole('list', { name: 'The ten largest mailboxes' });
  const names = (): readonly (string | null)[] =>
    within(list)
      .getAllByRole('link')
      .map((link) => link.textContent);
  expect(names()).toEqual(['Ben Walters', 'Adele Vance']);
  await page.user.click(screen.getByRole('tab', { name: 'Messages' }));
  await waitFor(() => expect(names()).toEqual(['Adele Vance', 'Ben Walters']));
  await page.user.click(within(list).getByRole('link', { name: 'Adele Vance' }));
  expect(page.address()).toBe(`/archive/mailboxes/${anArchivedMailbox().mailboxId}`);
});

test('a mailbox says its folders and why not everything is archived, and leads to a search in it alone', async () => {
  const api = theApi()
    .on(archive.mailbox, anArchivedMailboxInDetail({ coverage: 'partly', coverageCode: 'graph.mailbox-closed' }))
    .on(archive.top, { items: [] });
  const page = await renderPage(<MailboxesPage />, { ...mailboxes, path: `${mailboxes.path}/${anArchivedMailbox().mailboxId}`, api });
  const details = within(await screen.findByRole('dialog'));
  expect(await details.findByText('Sent Items')).toBeTruthy();
  expect(details.getByText(/^Partly: .+/)).toBeTruthy();
  // No restore takes an archive as its source.
  expect(details.queryByRole('button', { name: 'Restore' })).toBeNull();
  await page.checkAccessibility();
  await page.user.click(details.getByRole('button', { name: 'Search in this mailbox' }));
  expect(page.address()).toBe('/search?query=mailbox%3Dadele%40contoso.example+AND+workload%3Aexchange');
});

test('what the role does not allow is absent from a mailbox', async () => {
  const path = `${mailboxes.path}/${anArchivedMailbox().mailboxId}`;
  await renderPage(<MailboxesPage />, { ...mailboxes, path, api: theApi(), role: 'reader' });
  const details = within(await screen.findByRole('dialog'));
  expect(await details.findByText('Sent Items')).toBeTruthy();
  // Anybody may search: what is found is decided by whose mailbox it is and by proxy rights.
  expect(details.getByRole('button', { name: 'Search in this mailbox' })).toBeTruthy();
  for (const name of ['Restore', 'Put on hold']) expect(details.queryByRole('button', { name })).toBeNull();
});

test('all mailboxes are downloaded as CSV by the server', async () => {
  const api = theApi();
  const page = await renderPage(<MailboxesPage />, { ...mailboxes, api });
  await page.user.click(await screen.findByRole('button', { name: 'Download CSV' }));
  await waitFor(() =>
    expect(api.bodies).toContainEqual(expect.objectContaining({ address: expect.stringContaining('/archive/mailboxes/csv') })),
  );
});

test('without an archive the list of mailboxes says so, in German too', async () => {
  const api = theApi().on(archive.mailboxes, onePage([])).on(archive.top, { items: [] });
  const page = await renderPage(<MailboxesPage />, { ...mailboxes, api, language: 'de' });
  expect(await screen.findByText('Noch wurde kein Postfach archiviert.')).toBeTruthy();
  await page.checkAccessibility();
});

test('an archive job is created at a location for archives, for mailboxes alone', async () => {
  const api = theApi()
    .on(jobs.list, onePage([]))
    .on(
      discovery.users,
      onePage([
        { id: 'adele', name: 'Adele Vance', address: 'adele@contoso.example', kind: 'user', protection: 'unprotected', lastPointAt: null },
      ]),
    )
    .on(jobs.preview, { resources: 25, estimatedBytes: null, alreadyProtected: 0, pointsToDelete: null, pointsHeld: null, runs: [] })
    .on(locations.list, {
      items: [aLocation({ use: 'backup' }), aLocation({ locationId: sampleIds.run, name: 'For archives', use: 'archive' })],
    });
  const page = await renderPage(<ArchiveJobsPage />, { path: '/archive/jobs', pattern: '/archive/jobs/*', api });
  expect(await screen.findByText('Create the first archive job.')).toBeTruthy();
  await page.checkAccessibility();
  await page.user.click(screen.getAllByRole('button', { name: 'New job' })[0] as HTMLElement);
  await page.user.type(await screen.findByRole('textbox', { name: /Job name/ }), 'Archive of mail');
  expect(screen.queryByRole('radio', { name: 'OneDrive' })).toBeNull();
  const next = async (): Promise<void> => await page.user.click(screen.getByRole('button', { name: 'Next' }));
  await next();
  await page.user.click(await screen.findByRole('button', { name: 'Included content' }));
  const parts = screen.getAllByRole('checkbox').map((part) => part.closest('span')?.textContent);
  expect(parts.slice(0, 2)).toEqual(['Deleted items', 'Junk e-mail']);
  expect(screen.queryByRole('checkbox', { name: 'Calendars' })).toBeNull();
  const exempt = within(screen.getByRole('group', { name: 'Exempt' }));
  await page.user.click(await exempt.findByRole('checkbox', { name: 'Adele Vance (adele@contoso.example)' }));
  await next();
  await page.user.click(await screen.findByRole('combobox', { name: /Location/ }));
  expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual(['For archives']);
  await page.user.click(screen.getByRole('option', { name: 'For archives' }));
  await next();
  await next();
  await page.user.click(await screen.findByRole('button', { name: 'Create job' }));
  await waitFor(() =>
    expect(api.bodies.findLast((body) => (body as { name?: string }).name === 'Archive of mail')).toMatchObject({
      type: 'archive',
      workload: 'exchange',
      locationId: sampleIds.run,
      exempt: [expect.objectContaining({ id: 'adele' })],
    }),
  );
});

test('monitor and reports list every kind of the archive together, one alone where it is chosen, and a report leads to the run on the pages of the archive', async () => {
  const api = theApi()
    .on(monitoring.list, onePage([aRun({ type: 'archive', jobName: 'Archive every night' })]))
    .on(reporting.runs, onePage([aRun({ type: 'archive', jobName: 'Archive every night' })]))
    .on(reporting.accounts, onePage([]));
  const monitor = await renderPage(<ArchiveMonitorPage />, { path: '/archive/job-monitor', pattern: '/archive/job-monitor/*', api });
  expect(await screen.findByText('Archive every night')).toBeTruthy();
  await monitor.user.click(screen.getByRole('combobox', { name: 'Filter by Kind' }));
  expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual([
    'All',
    'Archive',
    'Import',
    'Deletion',
    'Deletion of messages and files',
  ]);
  await monitor.user.click(screen.getByRole('option', { name: 'Import' }));
  await expect.poll(() => api.calls.some((call) => /type=import&/.test(`${call}&`))).toBe(true);
  await monitor.user.click(screen.getByRole('combobox', { name: 'Filter by Kind' }));
  await monitor.user.click(screen.getByRole('option', { name: 'All' }));
  await monitor.checkAccessibility();
  monitor.unmount();
  const reports = await renderPage(<ArchiveReportsPage />, { path: '/archive/reports', pattern: '/archive/reports/*', api });
  await reports.user.click(await screen.findByText('Archive every night'));
  const run = await screen.findByRole('link', { name: 'Open the run' });
  expect(run.getAttribute('href')).toBe(`/archive/job-monitor/${sampleIds.run}`);
  await reports.checkAccessibility();
  const lists = api.calls.filter((call) => /\/(?:monitoring|reporting)\?/.test(call));
  const kindsOf = (call: string): string | null => new URLSearchParams(call.split('?')[1]).get('type');
  expect(lists.length).toBeGreaterThan(1);
  expect(new Set(lists.map(kindsOf))).toEqual(new Set(['archive,import,deletion,erasure', 'import', 'archive,import,deletion']));
});

test('the details of an archive job name who is exempt', async () => {
  const council = { id: 'council', name: 'Works council', address: '' };
  const job: Extract<Job, { type: 'archive' }> = {
    ...aJob({ name: 'Archive every night' }),
    type: 'archive',
    workload: 'exchange',
    exempt: [council],
  };
  const api = theApi()
    .on(jobs.list, onePage([job]))
    .on(jobs.get, job);
  const page = await renderPage(<ArchiveJobsPage />, { path: '/archive/jobs', pattern: '/archive/jobs/*', api });
  await page.user.click(await screen.findByRole('button', { name: 'Archive every night' }));
  const drawer = within(await screen.findByRole('dialog'));
  expect(await drawer.findByText('Exempt')).toBeTruthy();
  expect(drawer.getByText('Works council')).toBeTruthy();
});
