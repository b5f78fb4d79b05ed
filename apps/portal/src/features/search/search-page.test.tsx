import { content } from '@holdfast/contract/content';
import type { Preview } from '@holdfast/contract/content';
import { search } from '@holdfast/contract/search';
import type { SearchAnswer, SearchHit } from '@holdfast/contract/search';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import SearchPage from './search-page.tsx';

const place = { path: '/search', pattern: '/search' };

function aHit(given: Partial<SearchHit> = {}): SearchHit {
  return {
    hitId: '1',
    locationId: '01900000-0000-7000-8000-0000000000c1',
    sourceId: '01900000-0000-7000-8000-0000000000c2',
    nodeId: 'm1',
    sequence: 3,
    kind: 'email',
    workload: 'exchange',
    title: 'Offer for Fabrikam',
    sender: 'Anna Schmidt',
    at: '2026-11-20T21:00:00.000Z',
    sizeBytes: 4_096,
    attachments: 0,
    state: 'indexed',
    resource: {
      resourceId: '01900000-0000-7000-8000-0000000000c3',
      name: 'Adele Vance',
      address: 'adele@contoso.example',
      kind: 'mailbox',
    },
    isDeleted: false,
    lastSeenAt: '2026-11-20T21:00:00.000Z',
    ...given,
  };
}

function anAnswer(items: SearchHit[], coverage: Partial<SearchAnswer['coverage']> = {}): SearchAnswer {
  const all = { items: 10, searched: 10, encrypted: 0, unsupported: 0, tooLarge: 0, failed: 0, ...coverage };
  return { items, total: items.length, nextCursor: null, readAs: 'offer', coverage: all };
}

const aPreview: Preview = {
  kind: 'message',
  title: 'Offer for Fabrikam',
  from: 'Anna Schmidt <anna@contoso.example>',
  to: [],
  cc: [],
  at: null,
  text: 'The price is 42.',
  frame: null,
  attachments: [],
  properties: [],
  versions: [],
  gone: [],
};

async function searched(api: ReturnType<typeof aSignedInApi>, query: string) {
  const page = await renderPage(<SearchPage />, { ...place, api });
  await page.user.type(await screen.findByLabelText('Search everything'), query);
  await page.user.type(screen.getByLabelText(/Reason for the search/), 'A lost offer');
  await page.user.click(screen.getByRole('button', { name: 'Search' }));
  return page;
}

test('what was found says whose it is, and is read with the reason of the search', async () => {
  const api = aSignedInApi()
    .on(search.search, anAnswer([aHit(), aHit({ hitId: '2', title: '', isDeleted: true })]))
    .on(content.open, { ticket: 'a'.repeat(40), expiresAt: '2026-11-20T21:00:00.000Z' })
    .on(content.preview, aPreview);
  const page = await searched(api, 'offer');
  expect(await screen.findByText('2 items found')).toBeTruthy();
  expect(screen.getAllByText('Anna Schmidt · Email of Adele Vance')).toHaveLength(2);
  expect(screen.getByText('(no name)')).toBeTruthy();
  expect(screen.getByText(/No longer in Microsoft 365; last seen/)).toBeTruthy();
  screen.getAllByRole('row')[0]?.focus();
  await page.user.keyboard('{Enter}');
  expect(await screen.findByText('The price is 42.')).toBeTruthy();
  await page.portal.queries.invalidateQueries();
  const asked = (route: string): number => api.calls.filter((call) => call.startsWith('POST') && call.endsWith(route)).length;
  expect([asked('/archive/search'), asked('/content-tickets')]).toEqual([1, 1]);
  expect(screen.getByText('Go to restore').getAttribute('href')).toContain('source=01900000-0000-7000-8000-0000000000c2');
});

test('a query is read while it is typed; one with mistakes is not sent, and a suggestion mends it', async () => {
  const api = aSignedInApi().on(search.search, anAnswer([]));
  const page = await searched(api, 'form:anna offer');
  expect(await screen.findByText(/There is no field "form"\. Did you mean "from"\?/)).toBeTruthy();
  expect(api.calls.some((call) => call.endsWith('/archive/search'))).toBe(false);
  await page.user.click(screen.getByText('Use from'));
  expect(await screen.findByText('Read as: from:anna AND offer')).toBeTruthy();
  await page.user.click(screen.getByRole('button', { name: 'Search' }));
  expect(await screen.findByText(/Nothing matches this search/)).toBeTruthy();
});

test('a search that did not see everything says so', async () => {
  const api = aSignedInApi().on(search.search, anAnswer([aHit()], { items: 1_000, searched: 900, unsupported: 4, failed: 1 }));
  await searched(api, 'offer');
  expect(
    await screen.findByText(/Searched 900 of 1,000 items\. 100 are still being read\. The contents of 5 could not be read/),
  ).toBeTruthy();
});
