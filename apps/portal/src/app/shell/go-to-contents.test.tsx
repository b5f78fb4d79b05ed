import { act, screen } from '@testing-library/react';
import { discovery } from '@holdfast/contract/discovery';
import { jobs } from '@holdfast/contract/jobs';
import { locations } from '@holdfast/contract/locations';
import { search } from '@holdfast/contract/search';
import type { SearchAnswer } from '@holdfast/contract/search';
import { expect, test } from 'vitest';
import { useReason } from '../../features/content/index.ts';
import { aCoverage, aHit } from '../../testing/found-samples.ts';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import type { RenderedPage, RenderOptions } from '../../testing/render-page.tsx';
import { onePage } from '../../testing/samples.ts';
import { GoTo } from './go-to.tsx';

const answer: SearchAnswer = {
  items: [aHit({ hitId: '7', title: 'Boiler offer' })],
  total: 1,
  nextCursor: null,
  readAs: 'boiler',
  coverage: aCoverage(1),
  recognisesScans: true,
  facets: null,
};

/** The dialog beside a button that gives a reason for searching, as the search page does. */
function WithReason() {
  const { give } = useReason('search');
  return (
    <>
      <button type="button" onClick={() => give('A lost offer')}>
        Give
      </button>
      <GoTo onClose={() => undefined} />
    </>
  );
}

async function typedInto(typed: string, options: { readonly reason: boolean } & Partial<RenderOptions>) {
  const { reason, ...more } = options;
  const api = aSignedInApi()
    .on(jobs.list, onePage([]))
    .on(locations.list, { items: [] })
    .on(discovery.sources, onePage([]))
    .on(search.search, answer);
  const page: RenderedPage = await renderPage(<WithReason />, { api, ...more });
  if (reason) act(() => screen.getByText('Give').click());
  await page.user.type(await screen.findByRole('combobox'), typed);
  act(() => page.clock.advance(400));
  return { ...page, api, asked: () => api.calls.filter((call) => call.endsWith('/archive/search')) };
}

test('what was typed can be searched in everything that is kept, and nothing is searched without a reason', async () => {
  const page = await typedInto('boiler offer', { reason: false });
  expect(await screen.findByRole('option', { name: /Search all content for "boiler offer"/ })).toBeTruthy();
  await page.user.keyboard('{Enter}');
  expect(page.address()).toBe('/search?query=boiler+offer');
  expect(page.asked()).toEqual([]);
});

test('with a reason of this hour the first hits are listed, asked for once, and one opens on the page of the search', async () => {
  const page = await typedInto('boiler', { reason: true });
  expect(await screen.findByRole('option', { name: /Boiler offer\s*Email of Adele Vance/ })).toBeTruthy();
  expect(page.asked()).toHaveLength(1);
  expect(page.api.bodies).toContainEqual({ query: 'boiler', reason: 'A lost offer', limit: 5 });
  await page.checkAccessibility();
  await page.user.keyboard('{Enter}');
  expect(page.address()).toBe('/search?query=boiler&hit=7');
});

test('what cannot be read as a query is looked for among names alone', async () => {
  const page = await typedInto('from:', { reason: true });
  expect(await screen.findByText('Nothing matches.')).toBeTruthy();
  expect(screen.queryByRole('option')).toBeNull();
  expect(page.asked()).toEqual([]);
});
