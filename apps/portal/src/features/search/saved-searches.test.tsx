import { savedSearches } from '@holdfast/contract/saved-searches';
import { search } from '@holdfast/contract/search';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aHit } from '../../testing/found-samples.ts';
import { renderPage } from '../../testing/render-page.tsx';
import SearchPage from './search-page.tsx';
import { place, anApi, aSavedSearch, anAnswer, searched } from './testing/search-samples.tsx';

test('a search is saved under a name, with an alert, after it was run', async () => {
  const api = anApi()
    .on(search.search, anAnswer([aHit()]))
    .on(savedSearches.create, aSavedSearch());
  const page = await searched(api, 'offer');
  await page.user.click(await screen.findByText('Save search'));
  await page.user.type(await screen.findByLabelText(/^Name/), 'Falcon');
  await page.user.click(screen.getByLabelText('Alert me to new hits'));
  await page.user.click(screen.getByText('Save'));
  await expect.poll(() => api.bodies.at(-1)).toEqual({ name: 'Falcon', query: 'offer', hasAlert: true });
});

test('a saved search is put into the box and run as it is saved; changed, it is a search like any other', async () => {
  const saved = aSavedSearch();
  const api = anApi([saved])
    .on(savedSearches.run, anAnswer([aHit()]))
    .on(search.search, anAnswer([]));
  const page = await renderPage(<SearchPage />, { ...place, api });
  expect(await screen.findByText('3 new')).toBeTruthy();
  await page.checkAccessibility();
  await page.user.click(screen.getByText('Falcon'));
  await expect.poll(() => page.address()).toContain(`saved=${saved.searchId}`);
  await page.user.type(screen.getByLabelText(/Reason for the search/), 'Case 17');
  await page.user.click(screen.getByRole('button', { name: 'Search' }));
  expect(await screen.findByText('1 item found')).toBeTruthy();
  expect(api.calls.some((call) => call.endsWith(`/searches/${saved.searchId}/run`))).toBe(true);
  await page.user.type(screen.getByLabelText('Search everything'), ' too');
  await page.user.click(screen.getByRole('button', { name: 'Search' }));
  await expect.poll(() => api.bodies.at(-1)).toMatchObject({ query: 'offer falcon too', reason: 'Case 17' });
});

test('a saved search in use says what uses it and is not deleted', async () => {
  const use = { kind: 'case' as const, id: '01900000-0000-7000-8000-0000000000d2', name: 'Lawsuit' };
  const api = anApi([aSavedSearch()]).on(savedSearches.uses, { items: [use] });
  const page = await renderPage(<SearchPage />, { ...place, api, language: 'de' });
  await page.user.click(await screen.findByRole('button', { name: 'Aktionen für Falcon' }));
  await page.user.click(await screen.findByText('Löschen'));
  expect(await screen.findByText('Fall: Lawsuit')).toBeTruthy();
  await page.user.click(screen.getByText('Schließen'));
  expect(api.calls.some((call) => call.startsWith('DELETE'))).toBe(false);
});

test('what a saved search finds is put on hold with a name and a reason, and nothing else is asked', async () => {
  const api = anApi([aSavedSearch()]);
  const page = await renderPage(<SearchPage />, { ...place, api, language: 'de' });
  await page.user.click(await screen.findByRole('button', { name: 'Aktionen für Falcon' }));
  await page.user.click(await screen.findByText('Treffer unter Legal Hold stellen'));
  const form = within(await screen.findByRole('form', { name: /^Unter Legal Hold stellen/ }));
  await page.user.type(form.getByLabelText(/^Name/), 'Klage');
  await page.user.type(form.getByLabelText(/^Grund/), 'Gericht');
  expect(form.queryByLabelText(/^Von/)).toBeNull();
  await page.user.click(screen.getByText('Legal Hold anlegen'));
  await expect.poll(() => api.bodies.at(-1)).toMatchObject({ name: 'Klage', searchId: aSavedSearch().searchId, resourceId: null });
});

test('what was found is put on hold: the search is saved under a name first, and the hold is on it', async () => {
  const saved = aSavedSearch({ name: 'Offers', query: 'offer' });
  const api = anApi()
    .on(search.search, anAnswer([aHit()]))
    .on(savedSearches.create, saved);
  const page = await searched(api, 'offer');
  await page.user.click(await screen.findByRole('button', { name: 'Put hits on hold' }));
  const saving = within(await screen.findByRole('form', { name: 'Save search' }));
  expect(saving.getByText(/A hold is on what a saved search finds, now and later/)).toBeTruthy();
  await page.user.type(saving.getByLabelText(/^Name/), 'Offers');
  await page.user.click(saving.getByText('Save'));
  const holding = within(await screen.findByRole('form', { name: 'Put on hold: Offers' }));
  expect(api.bodies.at(-1)).toEqual({ name: 'Offers', query: 'offer', hasAlert: false });
  await page.user.type(holding.getByLabelText(/^Name/), 'Lawsuit');
  await page.user.type(holding.getByLabelText(/^Reason/), 'Court');
  await page.user.click(holding.getByText('Place a hold'));
  await expect.poll(() => api.bodies.at(-1)).toMatchObject({ name: 'Lawsuit', searchId: saved.searchId, resourceId: null });
});
