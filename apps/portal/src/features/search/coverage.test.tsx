import { savedSearches } from '@holdfast/contract/saved-searches';
import { search } from '@holdfast/contract/search';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import SearchPage from './search-page.tsx';

test('what could not be read is counted by its reason, and a link lists it', async () => {
  const coverage = { items: 1_200, searched: 1_195, encrypted: 190, unsupported: 21, tooLarge: 0, failed: 3 };
  const api = aSignedInApi()
    .on(savedSearches.list, { items: [] })
    .on(search.search, { items: [], total: 0, nextCursor: null, readAs: 'offer', facets: null, coverage });
  const { user } = await renderPage(<SearchPage />, { path: '/search', pattern: '/search', api });
  await user.type(await screen.findByLabelText('Search everything'), 'offer');
  await user.type(screen.getByLabelText(/Reason for the search/), 'A lost offer');
  await user.click(screen.getByRole('button', { name: 'Search' }));
  expect(await screen.findByText(/Searched 1,195 of 1,200 items\. 5 are still being read\./)).toBeTruthy();
  expect(screen.getByText(/The contents of 214 could not be read \(190 encrypted, 21 of an unknown format, 3 damaged\)/)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Show these items' }));
  await expect.poll(() => api.bodies).toContainEqual(expect.objectContaining({ query: 'partial:true', reason: 'A lost offer' }));
});
