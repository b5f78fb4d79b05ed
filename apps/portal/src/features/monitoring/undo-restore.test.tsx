import { screen, waitFor, within } from '@testing-library/react';
import { monitoring } from '@holdfast/contract/monitoring';
import { restore } from '@holdfast/contract/restore';
import { undo, type UndoPlan } from '@holdfast/contract/undo';
import { expect, test } from 'vitest';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import { aRunDetails, onePage, sampleIds } from '../../testing/samples.ts';
import MonitorPage from './monitor-page.tsx';

const base = '/backup-and-restore/job-monitor';
const plan: UndoPlan = { refusal: null, until: '2026-12-20T21:12:00.000Z', toRemove: 12, toPutBack: 3, notKept: 1, stays: 0, last: null };

async function opened(given: Partial<UndoPlan> = {}, run: Partial<ReturnType<typeof aRunDetails>> = {}) {
  const api = aSignedInApi()
    .on(monitoring.get, aRunDetails({ type: 'restore', jobName: 'Restore Adele', ...run }))
    .on(restore.report, { ...onePage([]), counts: {} as never })
    .on(undo.plan, { ...plan, ...given })
    .on(undo.start, { reportId: sampleIds.job });
  const page = await renderPage(<MonitorPage />, { path: `${base}/${sampleIds.run}`, pattern: `${base}/*`, api });
  await screen.findByRole('heading', { level: 1, name: /Restore Adele/ });
  return { api, page };
}

test('a restore is undone from its page after what that does was shown, and for a reason', async () => {
  const { api, page } = await opened();
  expect(await screen.findByText(/You can undo this restore until/)).toBeTruthy();
  await page.user.click(await screen.findByRole('button', { name: 'Undo this restore' }));
  const dialog = await screen.findByRole('dialog', { name: 'Undo the restore “Restore Adele”?' });
  expect(within(dialog).getByText('Removed').nextElementSibling?.textContent).toBe('12');
  expect(within(dialog).getByText('Put back from a backup').nextElementSibling?.textContent).toBe('3');
  expect(within(dialog).getByText('Replaced, and in no backup as it was: stays').nextElementSibling?.textContent).toBe('1');
  expect(within(dialog).queryByText('Cannot be removed: stays')).toBeNull();
  const button = within(dialog).getByRole('button', { name: 'Undo restore' });
  expect(button.getAttribute('aria-disabled')).toBe('true');
  await page.checkAccessibility();
  await page.user.type(within(dialog).getByRole('textbox', { name: /Reason/ }), 'The wrong day');
  await page.user.click(button);
  await waitFor(() => expect(api.calls.some((call) => call.startsWith('POST') && call.includes(`${sampleIds.run}/undo`))).toBe(true));
  expect(await screen.findByText('The restore is being undone.')).toBeTruthy();
});

test('a restore that cannot be undone says why, and leads to the run that undid it', async () => {
  await opened({ refusal: 'undo.too-late', last: { reportId: sampleIds.job, startedAt: null, endedAt: '2026-11-21T08:00:00.000Z' } });
  expect(await screen.findByText(/can no longer be undone: more than 30 days have passed/)).toBeTruthy();
  expect((await screen.findByRole('button', { name: 'Undo this restore' })).getAttribute('aria-disabled')).toBe('true');
  const link = screen.getByRole('link', { name: 'Open the report of the undo' });
  expect(link.getAttribute('href')).toContain(`${base}/${sampleIds.job}`);
});

test('no other run offers to be undone', async () => {
  const { api } = await opened({}, { type: 'backup', restore: null });
  await screen.findByRole('button', { name: 'Copy link' });
  expect(screen.queryByRole('button', { name: 'Undo this restore' })).toBeNull();
  expect(api.calls.some((call) => call.includes('/undo'))).toBe(false);
});
