import { screen, within } from '@testing-library/react';
import type { Paper } from '@holdfast/contract/paper';
import { periodReports } from '@holdfast/contract/period-reports';
import type { PeriodReport, ReportFigures } from '@holdfast/contract/period-reports';
import { expect, test } from 'vitest';
import { now } from '../../testing/samples.ts';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import ReportFilesPage from '../documents/reports-page.tsx';

const reportId = '8f1f2c1e-6f0d-4f0e-9a55-0f5a3c7d9e10';
const aReport: PeriodReport = {
  reportId,
  reportNumber: 202610,
  kind: 'monthly',
  from: '2026-10-01T00:00:00.000Z',
  to: '2026-11-01T00:00:00.000Z',
  madeAt: now,
  maker: null,
  language: 'de',
  isStored: true,
};
const aPaper: Paper = {
  language: 'de',
  title: 'Monatsbericht',
  subtitle: 'Oktober 2026',
  verdict: {
    ink: 'warning',
    state: 'Handlungsbedarf',
    text: '118 von 120 Postfächern sind geschützt.',
    parts: [
      { text: '118', link: '/backup-and-restore/reports?tab=coverage&state=protected' },
      { text: ' von 120 Postfächern sind geschützt.' },
    ],
  },
  facts: [{ label: 'Berichtsnummer', value: '202610' }],
  sections: [
    {
      title: 'Drei Dinge',
      blocks: [{ kind: 'list', items: [{ text: '2 Läufe sind fehlgeschlagen.', link: '/backup-and-restore/reports?tab=runs' }] }],
    },
    {
      title: 'Größte Postfächer',
      blocks: [
        { kind: 'figures', figures: [{ label: 'Postfächer', value: '12', link: '/archive/mailboxes' }] },
        {
          kind: 'chart',
          title: 'Nach Größe',
          link: '/archive/mailboxes',
          drawing: {
            width: 640,
            height: 60,
            shapes: [
              { kind: 'rect', x: 0, y: 0, width: 40, height: 10, ink: 'brand' },
              { kind: 'text', x: 0, y: 20, text: 'Adele', anchor: 'start', size: 10, ink: 'text' },
            ],
          },
        },
        {
          kind: 'table',
          title: '',
          columns: [
            { title: 'Name', width: 2, isNumber: false },
            { title: 'Größe', width: 1, isNumber: true },
          ],
          rows: [
            { cells: ['Adele Vance', '1,5 MB'], values: [null, 1_572_864], link: '/archive/mailboxes' },
            { cells: ['Bodo Müller', '1 MB'], values: [null, 1_048_576], links: [null, '/archive/mailboxes?search=bodo'] },
          ],
          empty: 'Keine',
          more: '7 weitere sind im Portal aufgeführt.',
          moreLink: '/archive/mailboxes?sort=-size',
        },
      ],
    },
  ],
};
const pageOf = (...items: PeriodReport[]) => ({ items, nextCursor: null, total: items.length });

test('a report is found in the list and read in the language of the reader, each row with a link to its list', async () => {
  const answer = { report: aReport, figures: {} as ReportFigures, paper: aPaper };
  const api = aSignedInApi().on(periodReports.list, pageOf(aReport)).on(periodReports.get, answer);
  const page = await renderPage(<ReportFilesPage />, { path: '/reports', pattern: '/reports/*', api, language: 'de' });
  await page.user.click(await screen.findByText('202610'));
  expect(await screen.findByRole('heading', { level: 1, name: 'Monatsbericht Oktober 2026' })).toBeTruthy();
  expect(screen.getByText('Handlungsbedarf').parentElement?.textContent).toContain('118 von 120 Postfächern sind geschützt.');
  expect(screen.getByRole('link', { name: '2 Läufe sind fehlgeschlagen.' }).getAttribute('href')).toBe(
    '/backup-and-restore/reports?tab=runs',
  );
  expect(screen.getByRole('img', { name: 'Nach Größe' })).toBeTruthy();
  const table = screen.getByRole('table', { name: 'Größte Postfächer' });
  expect(within(table).getByRole('link', { name: 'Adele Vance' })).toBeTruthy();
  const linked = within(table).getAllByRole('link');
  expect(linked.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Adele Vance', '/archive/mailboxes'],
    ['1,5 MB', '/archive/mailboxes'],
    ['1 MB', '/archive/mailboxes?search=bodo'],
  ]);
  const leadsTo = (name: string): string | null => screen.getByRole('link', { name }).getAttribute('href');
  expect(leadsTo('118')).toBe('/backup-and-restore/reports?tab=coverage&state=protected');
  expect(leadsTo('Nach Größe')).toBe('/archive/mailboxes');
  expect(leadsTo('7 weitere sind im Portal aufgeführt.')).toBe('/archive/mailboxes?sort=-size');
  expect(screen.getByRole('link', { name: '12' }).getAttribute('href')).toBe('/archive/mailboxes');
  expect(api.calls.some((call) => call.includes(`/period-reports/${reportId}?language=de`))).toBe(true);
  await page.checkAccessibility();
});

test('a report of any period is asked for in a form that wants both days', async () => {
  const api = aSignedInApi().on(periodReports.list, pageOf()).on(periodReports.make, aReport);
  const page = await renderPage(<ReportFilesPage />, { path: '/reports', pattern: '/reports/*', api });
  expect(await screen.findByText(/No reports yet/)).toBeTruthy();
  await page.user.click(screen.getByRole('button', { name: 'Create report' }));
  await screen.findByText('Create a report');
  await page.checkAccessibility();
  const send = (): HTMLElement => screen.getAllByRole('button', { name: 'Create report' }).at(-1) as HTMLElement;
  await page.user.click(send());
  expect(api.calls.filter((call) => call.startsWith('POST'))).toEqual([]);
  await page.user.type(screen.getByLabelText(/First day/), '2026-10-01');
  await page.user.type(screen.getByLabelText(/Last day/), '2026-10-31');
  await page.user.click(send());
  await expect.poll(() => api.bodies).toContainEqual(expect.objectContaining({ language: 'en' }));
});

test('who may only read makes no reports', async () => {
  const api = aSignedInApi().on(periodReports.list, pageOf(aReport));
  await renderPage(<ReportFilesPage />, { path: '/reports', pattern: '/reports/*', api, role: 'reader' });
  expect(await screen.findByText('202610')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Create report' })).toBeNull();
});
