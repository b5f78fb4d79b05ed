import { screen, within } from '@testing-library/react';
import { selection, workers } from '@holdfast/contract/workers';
import { expect, test } from 'vitest';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import { aWorker, now } from '../../testing/samples.ts';
import { daysOf } from './worker-checks.tsx';
import WorkersPage from './workers-page.tsx';

const place = { path: '/configuration/workers', pattern: '/configuration/workers/*' };
const entry = { joinTokenId: '01900000-0000-7000-8000-0000000000aa', createdBy: 'ann@contoso.example', createdAt: now, expiresAt: now };
const hour = (at: string, reachable: number, missed: number, load: number) => ({ at, reachable, missed, load });

const anApi = (given: Parameters<typeof aWorker>[0] = {}) =>
  aSignedInApi()
    .on(workers.list, { items: [aWorker({ load: 0.25, runningRuns: 2, ...given })] })
    .on(workers.joinTokens, { items: [entry] })
    .on(selection.workerChecks, { ip: '10.0.0.11', items: [hour('2026-11-20T10:00:00.000Z', 59, 1, 0.5)] });

test('a worker is shown with state, address, version and load, and its checks by day', async () => {
  const page = await renderPage(<WorkersPage />, { ...place, api: anApi() });
  await screen.findByText('Reachable');
  await page.checkAccessibility();
  expect(screen.getByText('25%')).toBeTruthy();
  await page.user.click(screen.getByText('Worker 1'));
  const checks = await screen.findByText('Checks of the last 30 days');
  expect(checks).toBeTruthy();
  expect(await screen.findByText('50%')).toBeTruthy();
});

test('the worker inside the server has no removal', async () => {
  const page = await renderPage(<WorkersPage />, { ...place, api: anApi({ isLocal: true }) });
  await page.user.click(await screen.findByText('Worker 1'));
  await screen.findByText('Edit');
  expect(screen.queryByText('Remove')).toBeNull();
});

test('a join token is shown once and can be revoked, in German too', async () => {
  const api = anApi().on(workers.createJoinToken, { token: 'hf_wj_secret', expiresAt: now }).on(workers.revokeJoinToken, undefined);
  const page = await renderPage(<WorkersPage />, { ...place, api, language: 'de' });
  await page.user.click(await screen.findByText('Beitrittsschlüssel erstellen'));
  expect(await screen.findByText('hf_wj_secret')).toBeTruthy();
  await page.checkAccessibility();
  await page.user.click(screen.getByText('Ich habe ihn notiert'));
  expect(screen.queryByText('hf_wj_secret')).toBeNull();
  await page.user.click(screen.getByText('Widerrufen'));
  const dialog = await screen.findByRole('dialog');
  await page.user.click(within(dialog).getByRole('button', { name: 'Widerrufen' }));
  await expect.poll(() => api.calls.some((call) => call.startsWith('DELETE') && call.includes('/join-tokens/'))).toBe(true);
});

test('who may not manage sees the workers and no tokens', async () => {
  await renderPage(<WorkersPage />, { ...place, api: anApi(), role: 'reader' });
  await screen.findByText('Worker 1');
  expect(screen.queryByText('Join tokens')).toBeNull();
});

test('hours of one day are added up, the newest day first', () => {
  const hours = [
    hour('2026-11-19T08:00:00.000Z', 60, 0, 0.1),
    hour('2026-11-20T08:00:00.000Z', 50, 10, 0.2),
    hour('2026-11-20T09:00:00.000Z', 60, 0, 0.9),
  ];
  expect(daysOf(hours, (at) => at.slice(0, 10))).toEqual([
    { at: '2026-11-20T08:00:00.000Z', reachable: 110, missed: 10, load: 0.9 },
    { at: '2026-11-19T08:00:00.000Z', reachable: 60, missed: 0, load: 0.1 },
  ]);
});
