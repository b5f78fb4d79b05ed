import { screen } from '@testing-library/react';
import { approvals } from '@holdfast/contract/approvals';
import { archive } from '@holdfast/contract/archive';
import { retention } from '@holdfast/contract/retention';
import type { Policy } from '@holdfast/contract/retention';
import { savedSearches, type SavedSearch } from '@holdfast/contract/saved-searches';
import { expect, test } from 'vitest';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import { aPolicy } from '../../testing/retention-samples.ts';
import RetentionPage from './retention-page.tsx';

const place = { path: '/configuration/retention', pattern: '/configuration/retention/*' };
const saved: SavedSearch = {
  searchId: '01900000-0000-7000-8000-0000000000cb',
  name: 'Invoices',
  query: 'invoice',
  queryVersion: 1,
  version: 1,
  hasAlert: false,
  newHits: 0,
  checkedAt: null,
  owner: 'ben@contoso.example',
  createdAt: '2026-11-20T21:00:00.000Z',
  changedAt: '2026-11-20T21:00:00.000Z',
};

const nobodyWaits = { items: [], secondPersons: [], approvers: [], delayHours: 24, delayFrom: null };
const anApi = (policies: Policy[]) =>
  aSignedInApi()
    .on(retention.list, { items: policies })
    .on(retention.events, { items: [] })
    .on(retention.directory, { readAt: null, code: null, isWaiting: false, people: 0, values: [], departures: [] })
    .on(archive.mailboxes, { items: [], nextCursor: null, total: 0 })
    .on(approvals.list, nobodyWaits);
const posted = (api: ReturnType<typeof anApi>, to: string): boolean =>
  api.calls.some((call) => call.startsWith('POST') && call.endsWith(to));

test('a policy by saved search names the search and what of its hits, and is not saved without one', async () => {
  const api = anApi([])
    .on(retention.create, aPolicy())
    .on(savedSearches.list, { items: [saved] });
  const page = await renderPage(<RetentionPage />, { ...place, api });
  await page.user.click((await screen.findAllByText('New policy'))[0] as HTMLElement);
  await page.user.click(await screen.findByText('Applications: 6 months'));
  await page.user.click(screen.getByLabelText(/Keep, then delete/));
  expect(screen.getByLabelText(/^Delete after(?! a time)/)).toBeTruthy();
  await page.user.click(screen.getByLabelText('Hits of a saved search'));
  await page.user.click(screen.getByText('Save draft'));
  expect(await screen.findByText('Please choose a saved search, without mailboxes or attributes.')).toBeTruthy();
  expect(posted(api, '/archive/policies')).toBe(false);
  await page.user.click(screen.getByRole('combobox', { name: /Saved search/ }));
  await page.user.click(await screen.findByRole('option', { name: 'Invoices' }));
  await page.user.click(screen.getByLabelText('Files of sites and drives'));
  expect(screen.queryByLabelText(/^Delete after(?! a time)/)).toBeNull();
  expect(screen.queryByLabelText(/Archiving/)).toBeNull();
  await page.checkAccessibility();
  await page.user.click(screen.getByText('Save draft'));
  await expect.poll(() => posted(api, '/archive/policies')).toBe(true);
  expect(api.bodies.at(-1)).toMatchObject({
    about: 'files',
    searchId: saved.searchId,
    mailboxes: null,
    attributes: [],
    places: [],
    maximum: null,
  });
});

test('without a saved search the form says how to make one', async () => {
  const page = await renderPage(<RetentionPage />, { ...place, api: anApi([]).on(savedSearches.list, { items: [] }) });
  await page.user.click((await screen.findAllByText('New policy'))[0] as HTMLElement);
  await page.user.click(screen.getByLabelText('Hits of a saved search'));
  expect(await screen.findByText(/No search is saved yet/)).toBeTruthy();
});

test('a policy whose search was changed says what it still does', async () => {
  const search = { searchId: saved.searchId, name: 'Invoices', query: 'invoice', queryVersion: 1, isChanged: true };
  const policy = aPolicy({ status: 'active', maximum: { amount: 10, unit: 'years' }, mailboxes: null, search });
  const page = await renderPage(<RetentionPage />, { ...place, api: anApi([policy]) });
  expect(await screen.findByText('Archived messages found by Invoices: invoice')).toBeTruthy();
  await page.user.click(screen.getByText('Letters'));
  expect(await screen.findByText(/Its query was changed, so the policy deletes nothing/)).toBeTruthy();
});
