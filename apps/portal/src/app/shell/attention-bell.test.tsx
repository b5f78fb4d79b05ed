import { screen, within } from '@testing-library/react';
import { dashboard } from '@holdfast/contract/dashboard';
import { selection } from '@holdfast/contract/workers';
import { expect, test } from 'vitest';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import { anAttentionEntry, aWorker } from '../../testing/samples.ts';
import { AttentionBell } from './attention-bell.tsx';
import { WorkerMark } from './worker-mark.tsx';

test('the bell counts what needs somebody, names it, and leads to it', async () => {
  const items = [anAttentionEntry({ name: 'Mail every night', link: '/backup-and-restore/job-monitor/1' })];
  const page = await renderPage(<AttentionBell />, { api: aSignedInApi().on(dashboard.attention, { items }) });
  expect(await screen.findByText('1')).toBeTruthy();
  await page.user.click(screen.getByRole('button', { name: 'Needs you: 1' }));
  const list = await screen.findByRole('list');
  await page.checkAccessibility();
  await page.user.click(within(list).getByRole('button', { name: 'Mail every night' }));
  expect(page.address()).toBe('/backup-and-restore/job-monitor/1');
});

test('a bell without anything says so, and shows no number', async () => {
  const page = await renderPage(<AttentionBell />, { api: aSignedInApi().on(dashboard.attention, { items: [] }), language: 'de' });
  await page.user.click(await screen.findByRole('button', { name: 'Handlungsbedarf' }));
  expect(await screen.findByText('Es gibt keinen Handlungsbedarf.', { selector: 'p' })).toBeTruthy();
  expect(screen.queryByText('0')).toBeNull();
});

test.each([
  [true, 'Worker reachable'],
  [false, 'Worker not reachable'],
])('the bar says whether the chosen worker is alive: %s', async (isReachable, words) => {
  const api = aSignedInApi().on(selection.client, { client: null, worker: aWorker({ isReachable }) });
  const page = await renderPage(<WorkerMark />, { api });
  expect(await screen.findByText(words)).toBeTruthy();
  await page.checkAccessibility();
});
