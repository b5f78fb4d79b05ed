import { screen } from '@testing-library/react';
import { approvals } from '@holdfast/contract/approvals';
import { holdNotices } from '@holdfast/contract/hold-notices';
import { holds } from '@holdfast/contract/holds';
import type { Hold } from '@holdfast/contract/holds';
import { expect, test } from 'vitest';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import { layout } from '../../ui/theme.ts';
import HoldsPage from './holds-page.tsx';

const place = { path: '/configuration/holds', pattern: '/configuration/holds/*' };

function aHold(given: Partial<Hold> = {}): Hold {
  return {
    holdId: '01900000-0000-7000-8000-0000000000ba',
    name: 'Lawsuit',
    reason: 'Court order 17',
    status: 'active',
    resourceId: '01900000-0000-7000-8000-0000000000bb',
    resource: { name: 'Adele Vance', address: 'adele@contoso.example', kind: 'mailbox' },
    heldItems: [],
    search: null,
    from: null,
    to: null,
    placer: 'ann@contoso.example',
    placedAt: '2026-11-20T21:00:00.000Z',
    releaseReason: null,
    releasedAt: null,
    ...given,
  };
}

const guarded = {
  holdId: '01900000-0000-7000-8000-0000000000ba',
  resources: 2,
  points: 41,
  items: 3_107,
  bytes: 5 * 1024 ** 2,
  unreached: 3,
  unreachedNames: ['Ben Walters', 'Cara Dunne'],
};
const nobodyWaits = { items: [], secondPersons: ['ben@contoso.example'], approvers: [], delayHours: 24, delayFrom: null };
const anApi = (hold: Hold) =>
  aSignedInApi()
    .on(holds.list, { items: [hold] })
    .on(holds.guarded, { items: hold.status === 'released' ? [] : [guarded] })
    .on(holdNotices.list, { isMailed: true, untold: [], items: [] })
    .on(approvals.list, nobodyWaits);

test('what is on hold, why and by whom is seen, and its end is asked for with a reason', async () => {
  const api = anApi(aHold()).on(holds.release, aHold({ status: 'releasing', releaseReason: 'Settled' }));
  const page = await renderPage(<HoldsPage />, { ...place, api });
  await page.user.click(await screen.findByText('Lawsuit'));
  expect((await screen.findAllByText('Court order 17')).length).toBeGreaterThan(1);
  await page.user.click(screen.getByText('Release this hold'));
  expect(await screen.findByText(/ben@contoso.example/)).toBeTruthy();
  await page.user.type(screen.getByLabelText(/Reason for the release/), 'Settled');
  await page.user.click(screen.getAllByText('Release this hold').at(-1) as HTMLElement);
  await expect.poll(() => api.calls.some((call) => call.startsWith('POST') && call.endsWith('/release'))).toBe(true);
});

test('how much a hold guards is in the list, and what it could not reach is named in its details', async () => {
  const page = await renderPage(<HoldsPage />, { ...place, api: anApi(aHold()) });
  expect(await screen.findByText('3,107')).toBeTruthy();
  expect(screen.getByText('41')).toBeTruthy();
  await page.user.click(screen.getByText('Lawsuit'));
  expect(await screen.findByText(/Mailboxes and places: 2\. Restore points: 41\. Items: 3,107/)).toBeTruthy();
  expect(screen.getByText('Ben Walters, Cara Dunne and 1 more')).toBeTruthy();
  await page.checkAccessibility();
});

test('a period is put on hold only with a name, a reason and a bound', async () => {
  const api = anApi(aHold()).on(holds.place, aHold());
  const page = await renderPage(<HoldsPage />, { ...place, api, language: 'de' });
  await page.user.click(await screen.findByText('Zeitraum unter Legal Hold stellen'));
  await page.user.type(await screen.findByLabelText(/^Name/), 'Klage');
  await page.user.type(screen.getByLabelText(/^Grund/), 'Gericht');
  await page.user.click(screen.getByText('Legal Hold anlegen'));
  expect((await screen.findAllByText(/geben Sie einen Zeitraum an/)).length).toBeGreaterThan(0);
  expect(api.calls.some((call) => call.startsWith('POST') && call.endsWith('/holds'))).toBe(false);
  await page.user.type(screen.getByLabelText(/^Von/), '2021-01-01');
  await page.user.click(screen.getByText('Legal Hold anlegen'));
  await expect.poll(() => api.calls.some((call) => call.startsWith('POST') && call.endsWith('/holds'))).toBe(true);
});

test('an ended hold can not be ended again, and the list is accessible', async () => {
  const ended = aHold({ status: 'released', releaseReason: 'Settled', releasedAt: '2026-11-21T08:00:00.000Z' });
  const page = await renderPage(<HoldsPage />, { ...place, api: anApi(ended) });
  await page.user.click(await screen.findByText('Lawsuit'));
  expect(await screen.findByText('Settled')).toBeTruthy();
  expect(screen.queryByText('Release this hold')).toBeNull();
  await page.user.keyboard('{Escape}');
  await page.checkAccessibility();
});

test('a hold on files names them, in the list the first and in its details all', async () => {
  const heldItems = ['Contracts', 'Budget.xlsx', 'Offer.docx', 'Plan.docx'].map((name, at) => ({
    nodeId: `d:${at}`,
    name,
    isContainer: at === 0,
  }));
  const resource = { name: 'Marketing', address: '', kind: 'site' } as const;
  const page = await renderPage(<HoldsPage />, { ...place, api: anApi(aHold({ resource, heldItems })) });
  expect(await screen.findByText('Contracts, Budget.xlsx, Offer.docx and 1 more in Marketing')).toBeTruthy();
  await page.user.click(screen.getByText('Lawsuit'));
  expect(await screen.findByText('Contracts, Budget.xlsx, Offer.docx, Plan.docx')).toBeTruthy();
  expect(screen.getAllByText('One of each version').length).toBeGreaterThan(0);
  expect(screen.queryByText('All restore points')).toBeNull();
});

test('a hold on what a search finds names the search, and shows its query and what it guards', async () => {
  const search = { searchId: '01900000-0000-7000-8000-0000000000bc', name: 'Merger', query: 'merger OR takeover' };
  const page = await renderPage(<HoldsPage />, { ...place, api: anApi(aHold({ resourceId: null, resource: null, search })) });
  expect(await screen.findByText('Hits of “Merger”')).toBeTruthy();
  expect(screen.getByText('One of each version')).toBeTruthy();
  await page.user.click(screen.getByText('Lawsuit'));
  expect(await screen.findByText('merger OR takeover')).toBeTruthy();
  await page.checkAccessibility();
});

test('a link of a monthly report shows the holds that were placed in its period, and says so until it is lifted', async () => {
  const path = `${place.path}?counted=placed&from=2026-09-30T22%3A00%3A00.000Z&to=2026-10-31T23%3A00%3A00.000Z`;
  const page = await renderPage(<HoldsPage />, { ...place, path, api: anApi(aHold()) });
  expect(await screen.findByText(/^Placed: .*2026 to .*2026$/)).toBeTruthy();
  expect(await screen.findByText('Nothing matches your search and filters.')).toBeTruthy();
  await page.checkAccessibility();
  await page.user.click(screen.getByRole('button', { name: 'Show all' }));
  expect(await screen.findByText('Lawsuit')).toBeTruthy();
});

test('the list fits beside the navigation of a window of 1440 pixels, and names what a hold applies to', async () => {
  const room = 1440 - Number.parseInt(layout.navigationWidth, 10) - 2 * 24 - 15;
  await renderPage(<HoldsPage />, { ...place, api: anApi(aHold()), language: 'de' });
  await screen.findByText('Lawsuit');
  const table = screen.getByRole('table', { name: 'Legal Holds' });
  const wanted = Number.parseInt(table.style.getPropertyValue('--columns'), 10);
  expect(wanted).toBeGreaterThan(0);
  expect(wanted).toBeLessThanOrEqual(room);
  expect(screen.getByRole('columnheader', { name: /Betrifft/ })).toBeTruthy();
});
