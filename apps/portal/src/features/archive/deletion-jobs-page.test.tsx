import { screen, within } from '@testing-library/react';
import { approvals } from '@holdfast/contract/approvals';
import { jobs } from '@holdfast/contract/jobs';
import { locations } from '@holdfast/contract/locations';
import { monitoring } from '@holdfast/contract/monitoring';
import { expect, test } from 'vitest';
import { anApproval } from '../../testing/approval-samples.ts';
import type { FakeApi } from '../../testing/fake-api.ts';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import { aDeletionJob, aJob, aLocation, aRun, onePage, sampleIds } from '../../testing/samples.ts';
import DeletionJobsPage from './deletion-jobs-page.tsx';

const base = '/archive/deletion-jobs';
const place = { path: base, pattern: `${base}/*` };

function theApi(): FakeApi {
  return aSignedInApi()
    .on(jobs.list, onePage([aDeletionJob({ name: 'Old points', lastRun: null, restorePoints: 0, approval: 'waiting' })]))
    .on(approvals.list, {
      items: [anApproval(), anApproval({ approvalId: sampleIds.source, kind: 'holdRelease', subjectName: 'Lawsuit' })],
      secondPersons: ['ben@contoso.example'],
      approvers: [],
      delayHours: 24,
      delayFrom: null,
    });
}

test('a deletion is started only after its name was typed, for it cannot be undone', async () => {
  const api = aSignedInApi()
    .on(jobs.list, onePage([aDeletionJob({ name: 'Old points', lastRun: null, restorePoints: 0 })]))
    .on(jobs.start, { taskId: aJob().jobId });
  const page = await renderPage(<DeletionJobsPage />, { ...place, api });
  await page.user.click(await screen.findByRole('button', { name: 'Actions for Old points' }));
  await page.user.click(await screen.findByRole('menuitem', { name: 'Start' }));
  const dialog = await screen.findByRole('dialog');
  expect(within(dialog).getByText(/This cannot be undone/)).toBeTruthy();
  const started = (): boolean => api.calls.some((call) => call.startsWith('POST') && call.endsWith('/start'));
  await page.user.click(within(dialog).getByRole('button', { name: 'Start' }));
  expect(started()).toBe(false);
  await page.user.type(within(dialog).getByRole('textbox'), 'Old points');
  await page.user.click(within(dialog).getByRole('button', { name: 'Start' }));
  await screen.findByText('The job will start in a few moments.');
  expect(started()).toBe(true);
});

test('the list asks for deletion jobs alone, and says their rule and that a second person has yet to agree', async () => {
  const api = theApi().on(jobs.list, onePage([aDeletionJob({ retention: { mode: 'days', days: 90 }, approval: 'waiting' })]));
  const page = await renderPage(<DeletionJobsPage />, { ...place, api });
  expect(await screen.findByText('For 90 days')).toBeTruthy();
  expect(screen.getByText('Waiting for a second person')).toBeTruthy();
  expect(screen.queryByRole('combobox', { name: 'Filter by Kind' })).toBeNull();
  expect(api.calls.filter((call) => call.includes('/jobs?')).every((call) => call.includes('type=deletion'))).toBe(true);
  await page.checkAccessibility();
});

test('the details of a deletion job say its rule and for whom it waits', async () => {
  const job = aDeletionJob({ retention: { mode: 'count', count: 12 }, approval: 'waiting', jobId: anApproval().subjectId });
  const api = theApi().on(jobs.get, job);
  const page = await renderPage(<DeletionJobsPage />, { ...place, path: `${base}/${job.jobId}`, api });
  const details = await screen.findByRole('dialog');
  expect(await within(details).findByText('The newest 12')).toBeTruthy();
  expect(await within(details).findByText(/ben@contoso.example/)).toBeTruthy();
  await page.checkAccessibility();
});

test('requests show who asked and who can approve, of deletion jobs alone', async () => {
  const page = await renderPage(<DeletionJobsPage />, { ...place, api: theApi() });
  await page.user.click(await screen.findByRole('tab', { name: 'Requests' }));
  expect(page.address()).toBe(`${base}?tab=requests`);
  const row = within((await screen.findByText('Tidy up')).closest('[role="row"], tr') as HTMLElement);
  expect(row.getByText('ann@contoso.example')).toBeTruthy();
  expect(row.getByText('ben@contoso.example')).toBeTruthy();
  expect(screen.queryByText('Lawsuit')).toBeNull();
  await page.user.click(row.getByText('Tidy up'));
  expect(await screen.findByRole('button', { name: 'Approve' })).toBeTruthy();
  await page.checkAccessibility();
});

test('runs are those of deletion jobs and of deletions of messages, and a running one is stopped after the confirmation of the specification', async () => {
  const api = theApi().on(monitoring.list, onePage([aRun({ type: 'deletion', jobName: 'Old points', status: 'running', endedAt: null })]));
  const page = await renderPage(<DeletionJobsPage />, { ...place, path: `${base}?tab=runs`, api });
  await page.user.click(await screen.findByRole('button', { name: 'Stop Old points' }));
  expect(await screen.findByText(/up to 2 minutes/)).toBeTruthy();
  const lists = api.calls.filter((call) => call.includes('/monitoring?'));
  expect(new Set(lists.map((call) => new URLSearchParams(call.split('?')[1]).get('type')))).toEqual(new Set(['deletion,erasure']));
  await page.checkAccessibility();
});

test('an operator, who may not delete, sees the jobs and runs and can change neither', async () => {
  const api = theApi().on(monitoring.list, onePage([aRun({ type: 'deletion', jobName: 'Old points', status: 'running', endedAt: null })]));
  const page = await renderPage(<DeletionJobsPage />, { ...place, api, role: 'operator' });
  expect(await screen.findByText('Old points')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'New job' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Actions for Old points' })).toBeNull();
  expect(screen.queryByRole('tab', { name: 'Requests' })).toBeNull();
  await page.user.click(screen.getByRole('tab', { name: 'Runs' }));
  expect(await screen.findByText('Old points')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Stop Old points' })).toBeNull();
});

test('without a job the page says that nothing is deleted, and its button begins a deletion job', async () => {
  const api = theApi()
    .on(jobs.list, onePage([]))
    .on(locations.list, { items: [aLocation()] })
    .on(jobs.preview, { resources: 1, estimatedBytes: null, alreadyProtected: 1, pointsToDelete: 4, pointsHeld: 1, runs: [] })
    .on(jobs.create, aJob());
  const page = await renderPage(<DeletionJobsPage />, { ...place, api, language: 'de' });
  expect(await screen.findByText('Kein Löschauftrag. Es wird nichts gelöscht.')).toBeTruthy();
  await page.checkAccessibility();
  const [, inEmptyState] = screen.getAllByRole('button', { name: 'Neuer Auftrag' });
  await page.user.click(inEmptyState as HTMLElement);
  expect(page.address()).toBe(`${base}/new`);
  await page.user.type(await screen.findByRole('textbox', { name: /Auftragsname/ }), 'Alte Punkte');
  const next = async (): Promise<void> => await page.user.click(screen.getByRole('button', { name: 'Weiter' }));
  await next();
  await next();
  await page.user.click(await screen.findByRole('combobox', { name: /Speicherort/ }));
  await page.user.click(await screen.findByRole('option', { name: 'Vault on this machine' }));
  await next();
  await next();
  await page.user.click(await screen.findByRole('button', { name: 'Auftrag erstellen' }));
  expect(page.address()).toBe(base);
  expect(api.bodies.findLast((body) => (body as { name?: string }).name === 'Alte Punkte')).toMatchObject({ type: 'deletion' });
});
