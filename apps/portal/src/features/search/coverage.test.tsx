import { savedSearches } from '@holdfast/contract/saved-searches';
import { search, type SearchAnswer } from '@holdfast/contract/search';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aCoverage } from '../../testing/found-samples.ts';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import { Coverage } from './coverage.tsx';
import SearchPage from './search-page.tsx';

async function coverageShown(given: Partial<SearchAnswer['coverage']>, recognisesScans: boolean): Promise<string> {
  const coverage = aCoverage(9, given);
  await renderPage(<Coverage total={0} coverage={coverage} recognisesScans={recognisesScans} />);
  return screen.getByRole('status').textContent;
}

test('scans are counted as read, waiting and failed while their words are recognised', async () => {
  const shown = await coverageShown({ scansRead: 1_200, scansWaiting: 7, scansFailed: 2 }, true);
  expect(shown).toContain('Text was recognised in 1,200 pictures and scanned documents.');
  expect(shown).toContain('7 more are waiting for text recognition. Text recognition failed for 2.');
  expect(shown).not.toContain('HOLDFAST_OCR');
});

test('while words of scans are not recognised, their number is shown with how to change that', async () => {
  const shown = await coverageShown({ scansWaiting: 7 }, false);
  expect(shown).toContain('7 pictures and scanned documents may contain text that was not recognised.');
  expect(shown).toContain('HOLDFAST_OCR=on');
});

test('what could not be read is counted by its reason, and a link lists it', async () => {
  const coverage = aCoverage(1_200, { searched: 1_195, encrypted: 190, unsupported: 21, failed: 3 });
  const api = aSignedInApi()
    .on(savedSearches.list, { items: [] })
    .on(search.search, { items: [], total: 0, nextCursor: null, readAs: 'offer', facets: null, recognisesScans: true, coverage });
  const { user } = await renderPage(<SearchPage />, { path: '/search', pattern: '/search', api });
  await user.type(await screen.findByLabelText('Search everything'), 'offer');
  await user.type(screen.getByLabelText(/Reason for the search/), 'A lost offer');
  await user.click(screen.getByRole('button', { name: 'Search' }));
  expect(await screen.findByText(/Searched 1,195 of 1,200 items\. 5 are still being read\./)).toBeTruthy();
  expect(screen.getByText(/The contents of 214 could not be read \(190 encrypted, 21 of an unknown format, 3 damaged\)/)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Show these items' }));
  await expect.poll(() => api.bodies).toContainEqual(expect.objectContaining({ query: 'partial:true', reason: 'A lost offer' }));
});
