import { exports } from '@holdfast/contract/exports';
import type { ContentExport } from '@holdfast/contract/exports';
import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import { now, onePage } from '../../testing/samples.ts';
import { ExportForm } from './export-form.tsx';
import { ExportList } from './export-list.tsx';

const tenantId = '01900000-0000-7000-8000-000000000001';
const exportId = '01900000-0000-7000-8000-0000000000e1';
const keyFingerprint = 'f'.repeat(64);

const anExport = (given: Partial<ContentExport> = {}): ContentExport => ({
  exportId,
  name: 'Offers of 2026',
  format: 'eml',
  query: 'offer',
  caseId: null,
  owner: 'ann@contoso.example',
  createdAt: now,
  expiresAt: now,
  status: 'successful',
  code: null,
  runId: exportId,
  items: 340,
  bytes: 4_096,
  read: 340,
  files: 340,
  failed: 0,
  parts: [
    { part: 1, files: 200, bytes: 2_048 },
    { part: 2, files: 145, bytes: 2_048 },
  ],
  manifestHash: 'a'.repeat(64),
  ...given,
});

const anApi = (of = anExport()) =>
  aSignedInApi()
    .on(exports.list, onePage([of]))
    .on(exports.get, { ...of, keyFingerprint });

const list = <ExportList tenantId={tenantId} empty="Nothing yet" />;

test('an export is asked for with a format and a reason, and then shows how far it has got', async () => {
  const made = anExport({ status: 'running', read: 20, parts: [], manifestHash: null });
  const api = anApi(made).on(exports.create, made);
  const form = (
    <ExportForm tenantId={tenantId} source={{ kind: 'selection', selectionId: exportId }} what="offer" reason="" onClose={vi.fn()} />
  );
  const page = await renderPage(form, { api });
  const shown = await screen.findByRole('form', { name: 'Export offer' });
  await page.user.click(within(shown).getByRole('button', { name: 'Start the export' }));
  expect(api.calls.some((call) => call.startsWith('POST') && call.endsWith('/exports'))).toBe(false);
  await page.user.type(within(shown).getByLabelText(/^Reason/), 'A dispute');
  await page.user.click(within(shown).getByRole('radio', { name: /^mbox/ }));
  await page.user.click(within(shown).getByRole('button', { name: 'Start the export' }));
  expect(await screen.findByText('20 of 340 files read')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Stop' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Download/ })).toBeNull();
  await page.checkAccessibility();
});

test('an export that is ready offers its parts and says how they are checked and with which key', async () => {
  const page = await renderPage(list, { api: anApi() });
  await page.user.click(await screen.findByText('Offers of 2026'));
  expect(await screen.findByRole('button', { name: 'Download part 1 (2 KB)' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Download part 2 (2 KB)' })).toBeTruthy();
  expect(screen.getByText(keyFingerprint)).toBeTruthy();
  expect(screen.getByText(/holdfast admin verify-export/)).toBeTruthy();
  expect(screen.queryByText(/errors\.csv/)).toBeNull();
  await page.checkAccessibility();
});

test('what could not be exported is said, and an expired export offers nothing to download', async () => {
  const api = anApi(anExport({ status: 'expired', failed: 3 }));
  const page = await renderPage(list, { api });
  await page.user.click(await screen.findByText('Offers of 2026'));
  expect(await screen.findByText(/errors\.csv/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Download/ })).toBeNull();
});

test('what an export could not read is tried again', async () => {
  const api = anApi(anExport({ status: 'defective', failed: 3 })).on(exports.resume, undefined);
  const page = await renderPage(list, { api });
  await page.user.click(await screen.findByText('Offers of 2026'));
  expect(await screen.findByRole('button', { name: 'Download part 1 (2 KB)' })).toBeTruthy();
  await page.user.click(screen.getByRole('button', { name: 'Try again' }));
  await expect.poll(() => api.calls.some((call) => call.startsWith('POST') && call.endsWith('/resume'))).toBe(true);
});

test('an export that failed goes on, and one that has ended is deleted after a question', async () => {
  const api = anApi(anExport({ status: 'failed', code: 'internal', parts: [], manifestHash: null }))
    .on(exports.resume, undefined)
    .on(exports.remove, undefined);
  const page = await renderPage(list, { api });
  await page.user.click(await screen.findByText('Offers of 2026'));
  await page.user.click(await screen.findByRole('button', { name: 'Resume' }));
  await expect.poll(() => api.calls.some((call) => call.startsWith('POST') && call.endsWith('/resume'))).toBe(true);
  await page.user.click(screen.getByRole('button', { name: 'Delete' }));
  const asked = await screen.findByText('Delete the export Offers of 2026?');
  const question = asked.closest('[role="alertdialog"], [role="dialog"]') as HTMLElement;
  await page.user.click(within(question).getByRole('button', { name: 'Delete' }));
  await expect.poll(() => api.calls.some((call) => call.startsWith('DELETE'))).toBe(true);
});
