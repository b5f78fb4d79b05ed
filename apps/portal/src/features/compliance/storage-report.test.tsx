import { compliance } from '@holdfast/contract/compliance';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import DataReportsPage from './data-reports-page.tsx';

const reporting = { path: '/compliance/reporting?tab=storage&by=kind', pattern: '/compliance/reporting/*' };
const rows = [
  { key: 'picture', name: '', files: 12, bytes: 4_096, versions: 0, versionBytes: 0 },
  { key: 'document', name: '', files: 3, bytes: 1_024, versions: 5, versionBytes: 1_024 },
];

test('what takes up space is told by kind, narrows by a click, and its growth adds up month by month', async () => {
  const months = Array.from({ length: 24 }, (_, at) => ({ month: `month ${at}`, bytes: at === 20 ? 1_024 : 0, versionBytes: 0 }));
  const none = { items: [], total: 0, nextCursor: null };
  const api = aSignedInApi()
    .on(compliance.sites, none)
    .on(compliance.owners, { ...none, totals: { files: 0, bytes: 0 } })
    .on(compliance.storage, { items: rows, total: 2, nextCursor: null, totals: { files: 15, bytes: 5_120, versionBytes: 1_024 } })
    .on(compliance.growth, { before: { bytes: 2_048, versionBytes: 0 }, months });
  const page = await renderPage(<DataReportsPage />, { ...reporting, api });
  expect(await screen.findByText('15 files, 5 KB, and 1 KB of earlier versions')).toBeTruthy();
  expect(screen.getByText('Space by kind of file')).toBeTruthy();
  await page.user.click(screen.getByText('Show as table'));
  const cellsOf = (month: string) => screen.getByRole('row', { name: new RegExp(`^${month} `) }).textContent;
  expect([cellsOf('month 19'), cellsOf('month 20'), cellsOf('month 23')]).toEqual([
    expect.stringContaining('2 KB'),
    expect.stringContaining('3 KB'),
    expect.stringContaining('3 KB'),
  ]);
  await page.checkAccessibility();
  await page.user.click(screen.getByText('Documents'));
  expect(page.address()).toContain('kind=document');
  await expect.poll(() => api.calls.some((call) => call.includes('/growth?') && call.includes('kind=document'))).toBe(true);
});
