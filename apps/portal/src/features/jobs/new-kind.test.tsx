import { screen, within } from '@testing-library/react';
import type { Job } from '@holdfast/contract/jobs';
import type * as Entries from '@holdfast/contract/jobs/kinds/all';
import { afterAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type * as Words from './job-words.ts';

// The portal is loaded again with one more kind of job in the contract's list and a word for it. It is loaded while the
// file is read, as every other test's page is, and not at the expense of the test's own time.
vi.resetModules();
vi.doMock('@holdfast/contract/jobs/kinds/all', async (original) => {
  const { jobKinds } = await original<typeof Entries>();
  const { commonAnswer, commonBody, ordinaryActions } = await import('@holdfast/contract/jobs/kind');
  const own = { type: z.literal('dummy') };
  const dummy = { type: 'dummy', body: z.object({ ...commonBody, ...own }), answer: z.object({ ...commonAnswer, ...own }) };
  return { jobKinds: { ...jobKinds, dummy: { ...dummy, traits: { actions: ordinaryActions } } } };
});
vi.doMock('./job-words.ts', async (original) => {
  const words = await original<typeof Words>();
  return { ...words, jobTypeNames: { ...words.jobTypeNames, dummy: 'jobs.sources' } };
});
const { jobs } = await import('@holdfast/contract/jobs');
const { aSignedInApi, renderPage } = await import('../../testing/render-page.tsx');
const { aJob, onePage } = await import('../../testing/samples.ts');
const { default: BackupJobsPage } = await import('./jobs-page.tsx');

afterAll(() => {
  vi.doUnmock('@holdfast/contract/jobs/kinds/all');
  vi.doUnmock('./job-words.ts');
  vi.resetModules();
});

test('a kind of job without workload and location is listed, opened and started with no page of its own', async () => {
  const own = { workload: undefined, locationId: undefined, locationName: undefined, source: undefined, sourceCount: undefined };
  // JSON leaves out undefined values, so the page gets a job without these.
  const job = JSON.parse(JSON.stringify({ ...aJob({ name: 'Count to seven' }), ...own, type: 'dummy' })) as Job;
  const api = aSignedInApi()
    .on(jobs.list, onePage([job]))
    .on(jobs.get, job)
    .on(jobs.start, { taskId: job.jobId });
  const page = await renderPage(<BackupJobsPage />, {
    path: '/backup-and-restore/backup-jobs?type=dummy',
    pattern: '/backup-and-restore/backup-jobs/*',
    api,
  });
  await page.user.click(await screen.findByRole('button', { name: 'Count to seven' }));
  const drawer = within(await screen.findByRole('dialog'));
  expect(await drawer.findByText('Workload')).toBeTruthy();
  expect(document.body.textContent).not.toMatch(/undefined|common\.|MISSING/);
  await page.user.click(drawer.getByRole('button', { name: 'Start again' }));
  const dialogs = await screen.findAllByRole('dialog');
  await page.user.click(within(dialogs.at(-1) ?? document.body).getByRole('button', { name: 'Start again' }));
  expect(await screen.findByText('The job will start in a few moments.')).toBeTruthy();
});
