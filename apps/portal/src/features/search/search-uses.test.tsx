import { screen, within } from '@testing-library/react';
import { exports } from '@holdfast/contract/exports';
import { savedSearches } from '@holdfast/contract/saved-searches';
import type { SavedSearch } from '@holdfast/contract/saved-searches';
import { expect, test } from 'vitest';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import SearchPage from './search-page.tsx';

const place = { path: '/search', pattern: '/search' };

const saved: SavedSearch = {
  searchId: '01900000-0000-7000-8000-0000000000d1',
  name: 'Falcon',
  query: 'offer falcon',
  queryVersion: 1,
  version: 1,
  hasAlert: false,
  newHits: 0,
  checkedAt: null,
  owner: 'ben@contoso.example',
  createdAt: '2026-11-20T21:00:00.000Z',
  changedAt: '2026-11-20T21:00:00.000Z',
};

test('a search that a policy uses says what another query means for it, and counts what changes with a reason', async () => {
  const use = { kind: 'policy' as const, id: '01900000-0000-7000-8000-0000000000d3', name: 'Invoices' };
  const api = aSignedInApi()
    .on(savedSearches.list, { items: [saved] })
    .on(exports.list, { items: [], nextCursor: null, total: 0 })
    .on(savedSearches.uses, { items: [use] })
    .on(savedSearches.difference, { added: 1_200, removed: 3, uses: [use] });
  const page = await renderPage(<SearchPage />, { ...place, api });
  await page.user.click(await screen.findByRole('button', { name: 'Actions for Falcon' }));
  await page.user.click(await screen.findByText('Edit'));
  expect(await screen.findByText(/Retention policy: Invoices\. What the policy keeps stays kept/)).toBeTruthy();
  const query = screen.getByLabelText<HTMLTextAreaElement>('Query');
  await page.user.clear(query);
  await page.user.type(query, 'offer falcon too');
  const counting = within(screen.getByRole('form', { name: 'Count what changes' }));
  await page.user.type(counting.getByLabelText(/^Reason for the search/), 'Case 17');
  await page.user.click(counting.getByText('Count what changes'));
  expect(await screen.findByText(/finds 1,200 items in addition and no longer finds 3/)).toBeTruthy();
  expect(api.bodies.at(-1)).toEqual({ query: 'offer falcon too', reason: 'Case 17' });
  await page.checkAccessibility();
});

test('uses that cannot be read are not taken for none', async () => {
  const api = aSignedInApi()
    .on(savedSearches.list, { items: [saved] })
    .on(exports.list, { items: [], nextCursor: null, total: 0 })
    .fail(savedSearches.uses, 500);
  const page = await renderPage(<SearchPage />, { ...place, api });
  await page.user.click(await screen.findByRole('button', { name: 'Actions for Falcon' }));
  await page.user.click(await screen.findByText('Edit'));
  expect(await screen.findByText('The list could not be loaded.')).toBeTruthy();
  api.on(savedSearches.uses, { items: [] });
  await page.user.click(screen.getByRole('button', { name: 'Retry' }));
  await expect.poll(() => screen.queryByText('The list could not be loaded.')).toBeNull();
});
