import { screen, within } from '@testing-library/react';
import { reporting, type Evidence } from '@holdfast/contract/reporting';
import { expect, test } from 'vitest';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import { aRun, onePage, sampleIds } from '../../testing/samples.ts';
import ReportsPage from './reports-page.tsx';

const base = '/backup-and-restore/reports';
const pattern = `${base}/*`;

test('the accounts of a run lead to the run, those of a month to none', async () => {
  const api = aSignedInApi()
    .on(reporting.runs, onePage([aRun()]))
    .on(reporting.monthly, { items: [] })
    .on(reporting.accounts, onePage([]));
  const path = `${base}/${sampleIds.run}`;
  const ofRun = await renderPage(<ReportsPage />, { path, pattern, api });
  const drawer = await screen.findByRole('dialog', { name: 'Accounts' });
  expect(within(drawer).getByRole('link').getAttribute('href')).toBe(`/backup-and-restore/job-monitor/${sampleIds.run}`);
  ofRun.unmount();
  await renderPage(<ReportsPage />, { path: `${path}?tab=monthly`, pattern, api });
  expect(within(await screen.findByRole('dialog', { name: 'Accounts' })).queryByRole('link')).toBeNull();
});

test('what is not protected is filtered and sorted by the server', async () => {
  const asked: string[] = [];
  const api = aSignedInApi().on(reporting.protection, ({ query }) => {
    asked.push([query.get('state'), query.get('sort')].join(' '));
    return onePage([]);
  });
  await renderPage(<ReportsPage />, { path: `${base}?tab=coverage&state=partly&sort=-since`, pattern, api });
  expect(await screen.findByText('Nothing matches your search and filters.')).toBeTruthy();
  expect(new Set(asked)).toEqual(new Set(['partly -since']));
});

test('a month is named by its number, whatever the clock of the reader says of its end', async () => {
  const api = aSignedInApi().on(reporting.monthly, {
    items: [
      {
        reportId: '01900000-0000-7000-8000-0000000000aa',
        reportNumber: 202_611,
        reportDate: '2026-12-01T00:00:00.000Z',
        from: '2026-11-01T00:00:00.000Z',
        to: '2026-12-01T00:00:00.000Z',
        runs: 60,
        successful: 58,
        defective: 1,
        failed: 1,
        skipped: 0,
        items: 4_310,
        bytes: 1_024,
        accounts: 25,
        restores: 2,
      },
    ],
  });
  await renderPage(<ReportsPage />, { path: `${base}?tab=monthly`, pattern, api });
  expect(await screen.findByText('November 2026')).toBeTruthy();
  expect(screen.getByText('202611')).toBeTruthy();
});

test('evidence that deviates says what, and how often', async () => {
  const found: Evidence = {
    runId: sampleIds.run,
    kind: 'verify',
    at: '2026-11-20T08:00:00.000Z',
    state: 'deviation',
    locationName: 'Main',
    checked: 12,
    checkedBytes: 4_096,
    deviations: 11,
    findings: [
      { code: 'vault.journal-missing', count: 2 },
      { code: 'vault.points-lost', count: 9 },
    ],
    remaining: 0,
    kept: 0,
    leftOut: 0,
  };
  const api = aSignedInApi().on(reporting.evidence, { items: [found] });
  await renderPage(<ReportsPage />, { path: `${base}?tab=evidence`, pattern, api });
  expect(await screen.findByText('Deviation found')).toBeTruthy();
  expect(screen.getByText(/^The journal of an account is missing: .* \(2\)$/u)).toBeTruthy();
  expect(screen.getByText('Restore points can no longer be restored. (9)')).toBeTruthy();
});

test('the evidence of a drill counts the copies that are left and the chats left out, that of a verification has none', async () => {
  const proof: Omit<Evidence, 'runId' | 'kind' | 'remaining' | 'kept' | 'leftOut'> = {
    at: '2026-11-20T08:00:00.000Z',
    state: 'verified',
    locationName: 'Main',
    checked: 12,
    checkedBytes: 4_096,
    deviations: 0,
    findings: [],
  };
  const [drill, verify] = [sampleIds.run, '01900000-0000-7000-8000-0000000000ab'];
  const api = aSignedInApi().on(reporting.evidence, {
    items: [
      { ...proof, runId: drill, kind: 'drill', remaining: 31, kept: 47, leftOut: 53 },
      { ...proof, runId: verify, kind: 'verify', remaining: 0, kept: 0, leftOut: 0 },
    ],
  });
  await renderPage(<ReportsPage />, { path: `${base}?tab=evidence`, pattern, api });
  for (const left of ['Copies left: 31', 'Deleted copies that Microsoft keeps: 47', 'Chats left out: 53']) {
    expect(await screen.findByText(left)).toBeTruthy();
  }
  expect(screen.getByRole('columnheader', { name: /Left by the drill/ })).toBeTruthy();
  expect(screen.getAllByText('–').length).toBeGreaterThanOrEqual(2);
});

test('each report has its number and its date', async () => {
  const api = aSignedInApi().on(reporting.runs, onePage([aRun({ reportNumber: 4_711, endedAt: '2026-11-20T22:30:00.000Z' })]));
  await renderPage(<ReportsPage />, { path: base, pattern, api });
  expect(await screen.findByText('4711')).toBeTruthy();
  for (const name of ['Number', 'Report date']) expect(screen.getByRole('columnheader', { name: new RegExp(name) })).toBeTruthy();
});

test('a link of a monthly report shows the runs that ended in its period, and says so until it is lifted', async () => {
  const asked: string[] = [];
  const api = aSignedInApi().on(reporting.runs, ({ query }) => {
    asked.push([query.get('from'), query.get('to'), query.get('status')].join(' '));
    return onePage([aRun()]);
  });
  const period = 'from=2026-09-30T22%3A00%3A00.000Z&to=2026-10-31T23%3A00%3A00.000Z';
  const page = await renderPage(<ReportsPage />, { path: `${base}?tab=runs&status=failed&${period}`, pattern, api });
  expect(await screen.findByText(/Runs that ended from/)).toBeTruthy();
  await expect.poll(() => asked).toContainEqual('2026-09-30T22:00:00.000Z 2026-10-31T23:00:00.000Z failed');
  await page.checkAccessibility();
  await page.user.click(screen.getByRole('button', { name: 'Show all' }));
  expect(screen.queryByText(/Runs that ended from/)).toBeNull();
  await expect.poll(() => asked).toContainEqual('  failed');
});

test('links of a monthly report show the evidence of its period, and what is protected as a whole, and say so', async () => {
  const asked: string[] = [];
  const api = aSignedInApi()
    .on(reporting.evidence, ({ query }) => {
      asked.push(`${query.get('from')} ${query.get('to')}`);
      return { items: [] };
    })
    .on(reporting.protection, ({ query }) => {
      asked.push(`${query.get('state')} ${query.get('wholeOnly')} ${query.get('countedOnly')}`);
      return onePage([]);
    });
  const period = 'from=2026-09-30T22%3A00%3A00.000Z&to=2026-10-31T23%3A00%3A00.000Z';
  const evidence = await renderPage(<ReportsPage />, { path: `${base}?tab=evidence&${period}`, pattern, api });
  expect(await screen.findByText(/2026 to .*2026$/)).toBeTruthy();
  await expect.poll(() => asked).toContainEqual('2026-09-30T22:00:00.000Z 2026-10-31T23:00:00.000Z');
  evidence.unmount();
  const counted = await renderPage(<ReportsPage />, { path: `${base}?tab=coverage&state=unprotected&countedOnly=true`, pattern, api });
  expect(await screen.findByText('Only mailboxes, drives, sites and teams as a whole.')).toBeTruthy();
  await expect.poll(() => asked).toContainEqual('unprotected null true');
  counted.unmount();
  const coverage = await renderPage(<ReportsPage />, { path: `${base}?tab=coverage&state=protected&wholeOnly=true`, pattern, api });
  expect(await screen.findByText('Only mailboxes, drives, sites and teams as a whole.')).toBeTruthy();
  await expect.poll(() => asked).toContainEqual('protected true null');
  await coverage.user.click(screen.getByRole('button', { name: 'Show all' }));
  await expect.poll(() => asked).toContainEqual('protected null null');
});
