import { screen, within } from '@testing-library/react';
import { jobs, jobSource } from '@holdfast/contract/jobs';
import { expect, test } from 'vitest';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import { aJob, aRestoreJob, onePage, sampleIds } from '../../testing/samples.ts';
import BackupJobsPage from './jobs-page.tsx';

const place = { path: '/backup-and-restore/backup-jobs', pattern: '/backup-and-restore/backup-jobs/*' };

test('a finished job is started again after its confirmation, with the words of the specification', async () => {
  const api = aSignedInApi()
    .on(jobs.list, onePage([aJob()]))
    .on(jobs.start, { taskId: aJob().jobId });
  const page = await renderPage(<BackupJobsPage />, { ...place, api });
  await page.user.click(await screen.findByRole('button', { name: 'Actions for Mail every night' }));
  await page.user.click(await screen.findByRole('menuitem', { name: 'Start again' }));
  const dialog = await screen.findByRole('dialog');
  expect(within(dialog).getByText('Start "Mail every night" again?')).toBeTruthy();
  await page.user.click(within(dialog).getByRole('button', { name: 'Start again' }));
  expect(await screen.findByText('The job will start in a few moments.')).toBeTruthy();
  expect(api.calls.some((call) => call.startsWith('POST') && call.endsWith('/start'))).toBe(true);
});

test('a job that has already been started is refused with the message of the server', async () => {
  const api = aSignedInApi()
    .on(jobs.list, onePage([aJob({ lastRun: null, status: 'scheduled' })]))
    .fail(jobs.start, 409, { code: 'jobs.already-running', message: 'The job has already been started.' });
  const page = await renderPage(<BackupJobsPage />, { ...place, api });
  await page.user.click(await screen.findByRole('button', { name: 'Actions for Mail every night' }));
  await page.user.click(await screen.findByRole('menuitem', { name: 'Start' }));
  await page.user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Start' }));
  expect(await screen.findByText('The job has already been started.')).toBeTruthy();
});

test('the arrows lead from one row to the next and back, and end at the last', async () => {
  const api = aSignedInApi().on(
    jobs.list,
    onePage([aJob({ name: 'First' }), aJob({ name: 'Second', jobId: sampleIds.run }), aJob({ name: 'Third', jobId: sampleIds.source })]),
  );
  const page = await renderPage(<BackupJobsPage />, { ...place, api });
  (await screen.findByRole('button', { name: 'First' })).focus();
  await page.user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}{ArrowUp}');
  expect(document.activeElement?.textContent).toBe('Second');
});

test('what the role does not allow is absent', async () => {
  const api = aSignedInApi().on(jobs.list, onePage([aJob()]));
  await renderPage(<BackupJobsPage />, { ...place, api, role: 'reader' });
  await screen.findByText('Mail every night');
  expect(screen.queryByRole('button', { name: 'New job' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Actions for Mail every night' })).toBeNull();
});

test('without a job the page says how to begin', async () => {
  const page = await renderPage(<BackupJobsPage />, { ...place, api: aSignedInApi().on(jobs.list, onePage([])) });
  expect(await screen.findByText('Create the first backup job.')).toBeTruthy();
  await page.checkAccessibility();
});

test('a list that can not be loaded shows why, with the request id and a way to retry', async () => {
  const api = aSignedInApi().fail(jobs.list, 500, { message: 'Broken', requestId: 'req-9' });
  const page = await renderPage(<BackupJobsPage />, { ...place, api });
  expect(await screen.findByText(/req-9/)).toBeTruthy();
  api.on(jobs.list, onePage([aJob()]));
  await page.user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('Mail every night')).toBeTruthy();
});

test('the details of a job name whom it leaves out', async () => {
  const guests = { id: 'guests', name: 'Guests', address: '' };
  const job = aJob({ source: jobSource.parse({ everyone: true, excluded: [guests] }) });
  const api = aSignedInApi()
    .on(jobs.list, onePage([job]))
    .on(jobs.get, job);
  const page = await renderPage(<BackupJobsPage />, { ...place, api });
  await page.user.click(await screen.findByRole('button', { name: 'Mail every night' }));
  const drawer = within(await screen.findByRole('dialog'));
  expect(await drawer.findByText('Excluded')).toBeTruthy();
  expect(drawer.getByText('Guests')).toBeTruthy();
});

test('filters stand in the address and go to the server', async () => {
  const api = aSignedInApi().on(jobs.list, onePage([aJob()]));
  await renderPage(<BackupJobsPage />, { ...place, path: `${place.path}?status=failed&sort=-lastRun`, api });
  await screen.findByText('Mail every night');
  expect(api.calls.some((call) => call.includes('status=failed') && call.includes('sort=-lastRun'))).toBe(true);
});

test('German is German', async () => {
  const page = await renderPage(<BackupJobsPage />, { ...place, language: 'de', api: aSignedInApi().on(jobs.list, onePage([aJob()])) });
  expect(await screen.findByRole('heading', { level: 1, name: 'Sicherungsaufträge' })).toBeTruthy();
  expect(await screen.findByText('Erfolgreich')).toBeTruthy();
  expect(document.documentElement.lang).toBe('de');
  await page.checkAccessibility();
});

test('the list says which kind of jobs it shows, and another kind is asked for by name', async () => {
  const asked: string[] = [];
  const api = aSignedInApi().on(jobs.list, ({ query }) => {
    asked.push(query.get('type') ?? 'every');
    return onePage([aJob()]);
  });
  const page = await renderPage(<BackupJobsPage />, { ...place, api });
  const kinds = await screen.findByRole('combobox', { name: 'Filter by Kind' });
  expect(kinds.textContent).toBe('Kind: Backup');
  await page.user.click(kinds);
  const offered = screen.getAllByRole('option').map((option) => option.textContent);
  expect(offered).toEqual(['Backup', 'Verification', 'Restore drill', 'Restore', 'Restore of search hits']);
  await page.user.click(screen.getByRole('option', { name: 'Restore drill' }));
  expect(page.address()).toBe('/backup-and-restore/backup-jobs?type=drill');
  expect(new Set(asked)).toEqual(new Set(['backup', 'drill']));
});

test('a disabled job says how its last run ended', async () => {
  const job = aJob({ status: 'disabled', schedule: { mode: 'disabled' }, nextRun: null });
  await renderPage(<BackupJobsPage />, { ...place, api: aSignedInApi().on(jobs.list, onePage([job])) });
  const row = within((await screen.findByText('Mail every night')).closest('[role="row"], tr') as HTMLElement);
  // Once as its state, once as its schedule.
  expect(row.getAllByText('Disabled')).toHaveLength(2);
  expect(row.getByText('Successful')).toBeTruthy();
});

test('a restore can be started again and removed, but has no steps to edit', async () => {
  const api = aSignedInApi().on(jobs.list, onePage([aRestoreJob({ name: 'Mail of Ada' })]));
  const page = await renderPage(<BackupJobsPage />, { ...place, path: `${place.path}?type=restore`, api });
  await page.user.click(await screen.findByRole('button', { name: 'Actions for Mail of Ada' }));
  expect(screen.getAllByRole('menuitem').map((item) => item.textContent)).toEqual(['Start again', 'Remove']);
});

test('a job shows how its last runs ended, the newest at the end, in words too', async () => {
  const api = aSignedInApi().on(jobs.list, onePage([aJob({ lastResults: ['failed', 'successful', 'successful'] })]));
  const page = await renderPage(<BackupJobsPage />, { ...place, api });
  expect(await screen.findByRole('img', { name: 'Last results, the newest at the end: Failed: 1, Successful: 2' })).toBeTruthy();
  await page.checkAccessibility();
});
