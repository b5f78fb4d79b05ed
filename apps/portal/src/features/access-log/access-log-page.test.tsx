import { screen } from '@testing-library/react';
import { accessLog, type ContentAccessEntry } from '@holdfast/contract/access-log';
import { expect, test } from 'vitest';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import AccessLogPage from './access-log-page.tsx';

const place = { path: '/configuration/access-log', pattern: '/configuration/access-log' };

function anEntry(given: Partial<ContentAccessEntry>): ContentAccessEntry {
  return {
    id: '7',
    at: '2026-11-20T21:00:00.000Z',
    kind: 'opened',
    reader: 'ann@contoso.example',
    isOwn: false,
    owners: [{ resourceId: '01900000-0000-7000-8000-0000000000bb', name: 'Adele Vance' }],
    ground: 'role',
    groundName: null,
    reason: 'Ticket 4711',
    query: null,
    count: null,
    address: '192.0.2.7',
    ...given,
  };
}

const owner = (name: string) => ({ resourceId: name, name });
const entries = [
  anEntry({}),
  anEntry({ id: '6', kind: 'restored', ground: 'proxy', groundName: 'Covers for a colleague' }),
  anEntry({ id: '5', kind: 'downloaded', isOwn: true, ground: null, owners: ['A', 'B', 'C', 'D', 'E'].map(owner) }),
  anEntry({ id: '4', kind: 'searched', owners: [], ground: null, query: 'merger', count: 1_200 }),
  anEntry({ id: '3', kind: 'searched', owners: [], ground: null, groundName: 'Falcon', query: 'bonus', count: 2 }),
  anEntry({ id: '1', count: 5, ground: 'case', groundName: 'Falcon' }),
  anEntry({ id: '2', kind: 'listed', owners: [], ground: 'case', groundName: null }),
];

test('every access is a sentence about people', async () => {
  const api = aSignedInApi().on(accessLog.list, { items: entries, total: entries.length, nextCursor: null });
  const page = await renderPage(<AccessLogPage />, { ...place, api });
  for (const sentence of [
    'ann@contoso.example opened an item of Adele Vance, by role.',
    'ann@contoso.example restored content of Adele Vance to another place, on the proxy right “Covers for a colleague”.',
    'You downloaded content of A, B, C and 2 more.',
    'ann@contoso.example searched for “merger” and found 1,200.',
    'ann@contoso.example searched for “bonus” in the case “Falcon” and found 2.',
    'ann@contoso.example opened a conversation of Adele Vance with 5 messages, in the case “Falcon”.',
    'ann@contoso.example listed messages of somebody unknown, in a case.',
  ])
    expect((await screen.findAllByText(sentence)).length).toBeGreaterThan(0);
  await page.checkAccessibility();
});

test('a log without accesses says so', async () => {
  const api = aSignedInApi().on(accessLog.list, { items: [], total: 0, nextCursor: null });
  await renderPage(<AccessLogPage />, { ...place, api });
  expect(await screen.findByText('Nobody has opened any content yet.')).toBeTruthy();
});

test('a link of a monthly report shows the accesses of its period on one right, and says so until it is lifted', async () => {
  const asked: string[] = [];
  const api = aSignedInApi().on(accessLog.list, ({ query }) => {
    asked.push(['kind', 'ground', 'from', 'to'].map((name) => query.get(name) ?? '').join(' '));
    return { items: entries, total: entries.length, nextCursor: null };
  });
  const period = 'from=2026-09-30T22%3A00%3A00.000Z&to=2026-10-31T23%3A00%3A00.000Z';
  const page = await renderPage(<AccessLogPage />, { ...place, path: `${place.path}?kind=opened&ground=proxy&${period}`, api });
  expect(await screen.findByText(/2026 to .*2026$/)).toBeTruthy();
  await expect.poll(() => asked).toContainEqual('opened proxy 2026-09-30T22:00:00.000Z 2026-10-31T23:00:00.000Z');
  await page.checkAccessibility();
  await page.user.click(screen.getByRole('button', { name: 'Show all' }));
  await expect.poll(() => asked).toContainEqual('opened proxy  ');
});
