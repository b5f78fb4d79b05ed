import { act, screen, waitFor, within } from '@testing-library/react';
import { jobs } from '@holdfast/contract/jobs';
import { monitoring } from '@holdfast/contract/monitoring';
import { expect, onTestFinished, test, vi } from 'vitest';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import type { RenderedPage } from '../../testing/render-page.tsx';
import { aJob, aRun, aRunDetails, onePage, sampleIds } from '../../testing/samples.ts';
import MonitorPage from './monitor-page.tsx';

const base = '/backup-and-restore/job-monitor';
const place = { path: base, pattern: `${base}/*` };

/** What the live regions say, whatever else is on the screen. */
const said = (): string[] =>
  screen
    .getAllByRole('status')
    .map((region) => region.textContent ?? '')
    .filter((words) => words.includes('Mail every night'));

/** Reads everything again, as an event of the server makes the portal do. */
const readAgain = async ({ portal }: RenderedPage): Promise<void> => await act(async () => await portal.queries.invalidateQueries());

test('the next stage and the end of a run are said politely, its counts are not', async () => {
  const api = aSignedInApi().on(monitoring.list, onePage([aRun({ status: 'running', stage: 'enumerating', processed: 10 })]));
  const page = await renderPage(<MonitorPage />, { ...place, api });
  await screen.findByText('Mail every night');
  expect(said()).toEqual([]);
  api.on(monitoring.list, onePage([aRun({ status: 'running', stage: 'enumerating', processed: 900 })]));
  await readAgain(page);
  expect(said()).toEqual([]);
  api.on(monitoring.list, onePage([aRun({ status: 'running', stage: 'reading', processed: 950 })]));
  await readAgain(page);
  await waitFor(() => expect(said()).toEqual(['Mail every night: Reading']));
  api.on(monitoring.list, onePage([aRun({ status: 'successful', stage: 'finished' })]));
  await readAgain(page);
  await waitFor(() => expect(said()).toEqual(['Mail every night: Successful']));
  await page.checkAccessibility();
});

test('the page of one run says its end as well', async () => {
  const api = aSignedInApi().on(monitoring.get, aRunDetails({ status: 'running', stage: 'reading', endedAt: null }));
  const page = await renderPage(<MonitorPage />, { ...place, path: `${base}/${sampleIds.run}`, api });
  await screen.findByRole('heading', { level: 1, name: 'Mail every night, run 7' });
  api.on(monitoring.get, aRunDetails({ status: 'failed', stage: 'finished', code: 'graph.network' }));
  await readAgain(page);
  await waitFor(() => expect(said()).toEqual(['Mail every night: Failed']));
  expect(await screen.findByText(/The connection to Microsoft was lost/)).toBeTruthy();
  await page.checkAccessibility();
});

test('while events are lost runs are read every five seconds, and every fifteen when they come', async () => {
  const api = aSignedInApi().on(monitoring.list, onePage([aRun({ status: 'running', stage: 'reading' })]));
  const page = await renderPage(<MonitorPage />, { ...place, api });
  await screen.findByText('Mail every night');
  const reads = (): number => api.calls.filter((call) => call.includes('/monitoring')).length;
  const pass = async (ms: number): Promise<void> => await act(async () => void (await vi.advanceTimersByTimeAsync(ms)));
  // The page stands: from here on the time of its reads is this test's.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  for (const [live, everyMs] of [
    ['reconnecting', 5_000],
    ['connected', 15_000],
  ] as const) {
    await act(async () => page.portal.live.set(live));
    const before = reads();
    await pass(everyMs - 1);
    expect(reads(), live).toBe(before);
    await pass(1);
    expect(reads(), live).toBe(before + 1);
  }
});

test('while nothing runs the next runs are named', async () => {
  const api = aSignedInApi()
    .on(monitoring.list, onePage([]))
    .on(jobs.list, onePage([aJob()]));
  const page = await renderPage(<MonitorPage />, { ...place, api });
  expect(await screen.findByText(/Nothing is running\. Next: Mail every night/)).toBeTruthy();
  await page.checkAccessibility();
});

test('a stage that comes back with each resource is told once, with all of its time', async () => {
  const at = (minute: number): string => `2026-11-20T21:0${minute}:00.000Z`;
  const stages = [
    { stage: 'reading', startedAt: at(0), endedAt: at(3) },
    { stage: 'committing', startedAt: at(3), endedAt: at(4) },
    { stage: 'reading', startedAt: at(4), endedAt: at(6) },
  ];
  const api = aSignedInApi().on(monitoring.get, aRunDetails({ stages })).on(monitoring.accounts, onePage([]));
  await renderPage(<MonitorPage />, { ...place, path: `${base}/${sampleIds.run}`, api });
  expect((await screen.findAllByText('Reading')).map((term) => term.nextElementSibling?.textContent)).toEqual(['5 min 00 s']);
  expect(screen.getByText('1 min 00 s')).toBeTruthy();
});

test('how long a run waited for what is told, and nothing of what it did not wait for', async () => {
  const waited = { microsoft: 90_000, storage: 0, database: 12_400 };
  const api = aSignedInApi().on(monitoring.get, aRunDetails({ waited })).on(monitoring.accounts, onePage([]));
  await renderPage(<MonitorPage />, { ...place, path: `${base}/${sampleIds.run}`, api });
  expect((await screen.findByText('Waited for Microsoft 365')).nextElementSibling?.textContent).toBe('1 min 30 s');
  expect(screen.getByText('Waited for the database').nextElementSibling?.textContent).toBe('12 s');
  expect(screen.queryByText('Waited for the storage')).toBeNull();
});

test('filters and sorting of the monitor stand in the address and go to the server', async () => {
  const api = aSignedInApi().on(monitoring.list, onePage([aRun()]));
  await renderPage(<MonitorPage />, { ...place, path: `${base}?status=failed&sort=-errors`, api });
  await screen.findByText('Mail every night');
  expect(api.calls.some((call) => call.includes('status=failed') && call.includes('sort=-errors'))).toBe(true);
});

test('a run that goes on says what it does, how fast and how long still, and is stopped from the list', async () => {
  const going = aRun({
    status: 'running',
    stage: 'reading',
    processed: 10,
    total: 40,
    itemsPerSecond: 24,
    bytesPerSecond: 2048,
    remainingSeconds: 90,
  });
  const api = aSignedInApi()
    .on(monitoring.list, onePage([going]))
    .on(jobs.stop, { taskId: sampleIds.run });
  const { user, checkAccessibility } = await renderPage(<MonitorPage />, { ...place, api });
  for (const line of ['10 of 40 · Reading', '24 items/s, 2 KB/s', '1 min 30 s left']) expect(await screen.findByText(line)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Stop Mail every night' }));
  const dialog = await screen.findByRole('dialog');
  expect(within(dialog).getByText(/Cancelling can take up to 2 minutes/)).toBeTruthy();
  const confirm = within(dialog).getByRole('button', { name: 'Cancel job' });
  await checkAccessibility();
  await user.click(confirm);
  await waitFor(() => expect(api.calls.some((call) => call.startsWith('POST') && call.endsWith('/stop'))).toBe(true));
});

test('the page of a restore says what, to whom and why', async () => {
  const facts = { source: 'Adele Vance', target: 'elsewhere' as const, recipient: 'Ben Walters', reason: 'Handover of the project' };
  const api = aSignedInApi().on(monitoring.get, aRunDetails({ type: 'restore', restore: facts }));
  const page = await renderPage(<MonitorPage />, { ...place, path: `${base}/${sampleIds.run}`, api });
  for (const words of ['Adele Vance', 'Ben Walters', 'Handover of the project']) expect(await screen.findByText(words)).toBeTruthy();
  await page.checkAccessibility();
});
