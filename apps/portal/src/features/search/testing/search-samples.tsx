import { exports } from '@holdfast/contract/exports';
import { savedSearches } from '@holdfast/contract/saved-searches';
import type { SavedSearch } from '@holdfast/contract/saved-searches';
import { search } from '@holdfast/contract/search';
import type { SearchAnswer, SearchFacets, SearchHit } from '@holdfast/contract/search';
import { screen } from '@testing-library/react';
import { aCoverage } from '../../../testing/found-samples.ts';
import { aSignedInApi, renderPage } from '../../../testing/render-page.tsx';
import { onePage } from '../../../testing/samples.ts';
import SearchPage from '../search-page.tsx';

export const place = { path: '/search', pattern: '/search' };

export function theFacets(months: readonly string[] = []): SearchFacets {
  const none = { values: [], others: 0 };
  const kinds = [
    { value: 'email', label: 'email', hits: 4 },
    { value: 'docs', label: 'docs', hits: 2 },
  ];
  const month = { values: months.map((value, at) => ({ value, label: value, hits: at + 1 })), others: 0 };
  const facets = {
    workload: none,
    filetype: none,
    language: none,
    size: none,
    sensitive: none,
    kind: { values: kinds, others: 3 },
    month,
  };
  const folders = {
    values: [
      { value: 'inbox', label: 'Inbox', hits: 3 },
      { value: 'offers', label: 'Offers', hits: 1 },
    ],
    others: 2,
  };
  const places = { values: [{ value: 'anna@contoso.example', label: 'Anna Schmidt', hits: 4, folders }], others: 0 };
  return { total: 6, facets, places };
}

export const anApi = (items: SavedSearch[] = []) =>
  aSignedInApi().on(savedSearches.list, { items }).on(exports.list, onePage([])).on(search.passages, { items: [] });

export function aSavedSearch(given: Partial<SavedSearch> = {}): SavedSearch {
  return {
    searchId: '01900000-0000-7000-8000-0000000000d1',
    name: 'Falcon',
    query: 'offer falcon',
    queryVersion: 1,
    version: 1,
    hasAlert: true,
    newHits: 3,
    checkedAt: '2026-11-20T21:00:00.000Z',
    owner: 'ann@contoso.example',
    createdAt: '2026-11-20T21:00:00.000Z',
    changedAt: '2026-11-20T21:00:00.000Z',
    ...given,
  };
}

export function anAnswer(items: SearchHit[], coverage: Partial<SearchAnswer['coverage']> = {}): SearchAnswer {
  return {
    items,
    total: items.length,
    nextCursor: null,
    readAs: 'offer',
    coverage: aCoverage(10, coverage),
    recognisesScans: true,
    facets: theFacets(),
  };
}

export async function searched(api: ReturnType<typeof aSignedInApi>, query: string, shown = <SearchPage />) {
  const page = await renderPage(shown, { ...place, api });
  await page.user.type(await screen.findByLabelText('Search everything'), query);
  await page.user.type(screen.getByLabelText(/Reason for the search/), 'A lost offer');
  await page.user.click(screen.getByRole('button', { name: 'Search' }));
  return page;
}
