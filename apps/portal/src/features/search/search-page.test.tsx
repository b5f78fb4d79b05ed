import { content } from '@holdfast/contract/content';
import { search } from '@holdfast/contract/search';
import { jobs } from '@holdfast/contract/jobs';
import { selections } from '@holdfast/contract/selections';
import type { Selection } from '@holdfast/contract/selections';
import { screen } from '@testing-library/react';
import { Link } from 'react-router';
import { expect, test } from 'vitest';
import { aHit, aMailPreview } from '../../testing/found-samples.ts';
import { renderPage } from '../../testing/render-page.tsx';
import SearchPage from './search-page.tsx';
import { place, anApi, anAnswer, searched, theFacets } from './testing/search-samples.tsx';

test('what was found says whose it is, and is read with the reason of the search', async () => {
  const api = anApi()
    .on(search.search, anAnswer([aHit(), aHit({ hitId: '2', title: '', isDeleted: true })]))
    .on(content.open, { ticket: 'a'.repeat(40), expiresAt: '2026-11-20T21:00:00.000Z' })
    .on(content.preview, aMailPreview());
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
  await page.user.click(screen.getByText('Restore'));
  await expect.poll(() => page.address()).toContain('source=01900000-0000-7000-8000-0000000000c2');
});

test('a query is read while it is typed; one with mistakes is not sent, and a suggestion mends it', async () => {
  const api = anApi().on(search.search, anAnswer([]));
  const page = await searched(api, 'form:anna offer');
  expect(await screen.findByText(/There is no field "form"\. Did you mean "from"\?/)).toBeTruthy();
  expect(api.calls.some((call) => call.endsWith('/archive/search'))).toBe(false);
  await page.user.click(screen.getByText('Use from'));
  expect(await screen.findByText('Read as: from:anna AND offer')).toBeTruthy();
  await page.user.click(screen.getByRole('button', { name: 'Search' }));
  expect(await screen.findByText(/Nothing matches this search/)).toBeTruthy();
});

test('a search that did not see everything says so', async () => {
  const api = anApi().on(search.search, anAnswer([aHit()], { items: 1_000, searched: 900, unsupported: 4, failed: 1 }));
  await searched(api, 'offer');
  expect(
    await screen.findByText(/Searched 900 of 1,000 items\. 100 are still being read\. The contents of 5 could not be read/),
  ).toBeTruthy();
});

test('a click on a value of a facet narrows the query as text, with the same reason', async () => {
  const api = anApi().on(search.search, anAnswer([aHit()]));
  const page = await searched(api, 'offer OR invoice');
  await page.user.click(await screen.findByRole('button', { name: 'Document 2' }));
  await expect.poll(() => screen.getByLabelText<HTMLInputElement>('Search everything').value).toBe('(offer OR invoice) AND kind:docs');
  const asked = { query: '(offer OR invoice) AND kind:docs', reason: 'A lost offer' };
  await expect.poll(() => api.bodies.slice(-2)).toEqual(expect.arrayContaining([expect.objectContaining(asked)]));
  expect(screen.getByText('and 3 more')).toBeTruthy();
  // Each request is an entry in the audit log: a narrowing is one.
  expect(
    api.calls.filter((call) => call.startsWith('POST') && call.includes('/archive/search') && !call.endsWith('/passages')),
  ).toHaveLength(2);
  await page.checkAccessibility();
});

test('a period is chosen by dragging over months, or by keyboard', async () => {
  const months = theFacets(['2024-01', '2024-02', '2024-03', '2024-05']);
  const api = anApi().on(search.search, { ...anAnswer([aHit()]), facets: months });
  const page = await searched(api, 'offer');
  const bar = (month: string): Promise<HTMLElement> => screen.findByRole('button', { name: new RegExp(`^${month}: `) });
  const box = (): string => screen.getByLabelText<HTMLInputElement>('Search everything').value;
  await page.user.pointer([
    { keys: '[MouseLeft>]', target: await bar('2024-03') },
    { target: await bar('2024-01') },
    { keys: '[/MouseLeft]' },
  ]);
  await expect.poll(box).toBe('offer AND received:2024-01..2024-03');
  (await bar('2024-02')).focus();
  await page.user.keyboard('{Shift>}{ArrowRight}{ArrowRight}{/Shift}{Enter}');
  await expect.poll(box).toBe('offer AND received:2024-01..2024-03 AND received:2024-02..2024-05');
});

test('a query that another page links to is in the box, and nothing is searched before a reason was given', async () => {
  const api = anApi();
  await renderPage(<SearchPage />, { ...place, path: '/search?query=mailbox%3D%22adele%40contoso.example%22', api });
  const box = await screen.findByDisplayValue('mailbox="adele@contoso.example"');
  expect(box).toBeTruthy();
  expect(await screen.findByText(/mailbox=adele@contoso.example/)).toBeTruthy();
  expect(api.calls.filter((call) => call.startsWith('POST') && call.includes('/archive/search'))).toEqual([]);
});

test('j and k read the next hit and the one before, and nothing while somebody types', async () => {
  const api = anApi()
    .on(search.search, anAnswer([aHit(), aHit({ hitId: '2', title: 'Second offer' }), aHit({ hitId: '3', title: 'Third offer' })]))
    .on(content.open, { ticket: 'a'.repeat(40), expiresAt: '2026-11-20T21:00:00.000Z' })
    .on(content.preview, aMailPreview());
  const page = await searched(api, 'offer');
  const heading = (name: string): Promise<HTMLElement> => screen.findByRole('heading', { level: 2, name });
  await screen.findByText('3 items found');
  screen.getAllByRole('row')[0]?.focus();
  await page.user.keyboard('j');
  await heading('Offer for Fabrikam');
  await page.user.keyboard('jj');
  await heading('Third offer');
  await page.user.keyboard('k');
  await heading('Second offer');
  expect(document.activeElement?.textContent).toContain('Second offer');
  await page.user.type(screen.getByLabelText('Search everything'), ' jk');
  expect(screen.getByLabelText<HTMLInputElement>('Search everything').value).toBe('offer jk');
  await heading('Second offer');
});

test('a hit leads to a hold on everything that it belongs to', async () => {
  const api = anApi()
    .on(search.search, anAnswer([aHit()]))
    .on(content.open, { ticket: 'a'.repeat(40), expiresAt: '2026-11-20T21:00:00.000Z' })
    .on(content.preview, aMailPreview());
  const page = await searched(api, 'offer');
  await screen.findByText('1 item found');
  screen.getAllByRole('row')[0]?.focus();
  await page.user.keyboard('{Enter}');
  await page.user.click(await screen.findByText('Hold everything of Adele Vance'));
  expect(await screen.findByRole('heading', { name: /Adele Vance/ })).toBeTruthy();
});

test('nothing found while items are still being read is not called nothing', async () => {
  await searched(anApi().on(search.search, anAnswer([], { items: 1_000, searched: 200 })), 'offer');
  expect(await screen.findByText(/Nothing found so far: 800 items are still being read/)).toBeTruthy();
});

const aSelection: Selection = {
  selectionId: '01900000-0000-7000-8000-0000000000e1',
  query: 'offer',
  items: 1,
  bytes: 4_096,
  resources: [{ resourceId: '01900000-0000-7000-8000-0000000000c3', name: 'Adele Vance', workload: 'exchange', kind: 'mailbox', items: 1 }],
  expiresAt: '2026-11-21T21:00:00.000Z',
};

test('ticked hits alone are restored, all of them when none is ticked, with the reason of the search', async () => {
  const sent: { hitIds?: string[] }[] = [];
  const started: object[] = [];
  const api = anApi()
    .on(search.search, anAnswer([aHit(), aHit({ hitId: '2', title: 'Another offer' })]))
    .on(selections.select, (call) => {
      sent.push(call.body as { hitIds?: string[] });
      return aSelection;
    })
    .on(jobs.create, (call) => {
      started.push((call.body as { recovery: object }).recovery);
      return { jobId: '01900000-0000-7000-8000-0000000000e2' } as never;
    });
  const page = await searched(api, 'offer');
  await page.user.click(await screen.findByRole('button', { name: 'Restore all 2' }));
  await page.user.click(await screen.findByRole('button', { name: 'Cancel' }));
  await page.user.click(screen.getByRole('checkbox', { name: 'Select Another offer' }));
  await page.user.click(screen.getByRole('button', { name: 'Restore 1 selected' }));
  expect(await screen.findByText(/^1 item \(4.*\) of Adele Vance$/)).toBeTruthy();
  await page.user.click(screen.getByRole('button', { name: 'Restore' }));
  await expect.poll(() => started).toHaveLength(1);
  expect(sent).toEqual([
    { query: 'offer', reason: 'A lost offer' },
    { query: 'offer', reason: 'A lost offer', hitIds: ['2'] },
  ]);
  const { selectionId } = aSelection;
  expect(started).toEqual([{ selectionId, target: { kind: 'original' }, collisions: 'skip', reason: 'A lost offer' }]);
});

test('the words of a hit are marked in its title, in the text around them and in the reading pane, with the place of each', async () => {
  const passages = [{ part: 'attachment' as const, name: 'Offer.pdf', page: 3, text: '… the offer of sand …' }];
  const api = anApi()
    .on(search.search, anAnswer([aHit(), aHit({ hitId: '2', title: 'Sand' })]))
    .on(search.passages, ({ body }) => {
      const { hitIds } = body as { hitIds: string[] };
      return { items: hitIds.includes('1') ? [{ hitId: '1', passages }] : [] };
    })
    .on(content.open, { ticket: 'a'.repeat(40), expiresAt: '2026-11-20T21:00:00.000Z' })
    .on(content.preview, { ...aMailPreview(), text: 'This offer holds for a week.' });
  const page = await searched(api, 'offer');
  const [row] = await screen.findAllByRole('row');
  await expect.poll(() => row?.textContent).toContain('In Offer.pdf, page 3: … the offer of sand …');
  expect([...(row?.querySelectorAll('mark') ?? [])].map((mark) => mark.textContent)).toEqual(['Offer', 'offer']);
  row?.focus();
  await page.user.keyboard('{Enter}');
  const pane = await screen.findByRole('region', { name: 'Reading pane' });
  await expect.poll(() => [...pane.querySelectorAll('mark')].map((mark) => mark.textContent)).toEqual(['Offer', 'offer', 'offer']);
  expect(pane.textContent).toContain('PassagesIn Offer.pdf, page 3: ');
});

test('a message that only the archive still has says so, leads there, and is not offered for a restore', async () => {
  const resource = { ...aHit().resource, kind: 'archive' as const };
  const api = anApi()
    .on(search.search, anAnswer([aHit({ resource, isDeleted: true })]))
    .on(content.open, { ticket: 'a'.repeat(40), expiresAt: '2026-11-20T21:00:00.000Z' })
    .on(content.preview, aMailPreview());
  const page = await searched(api, 'offer');
  expect(await screen.findByText('Anna Schmidt · Email in the archive of Adele Vance')).toBeTruthy();
  screen.getAllByRole('row')[0]?.focus();
  await page.user.keyboard('{Enter}');
  expect(await screen.findByText('Only in the archive; no backup has it')).toBeTruthy();
  expect(screen.queryByText('Restore')).toBeNull();
  await page.user.click(screen.getByText('Open the archive'));
  await expect.poll(() => page.address()).toBe(`/archive/mailboxes/${resource.resourceId}/messages`);
});

test('within the hour of a reason, a link runs its search and shows the hit that it names', async () => {
  const api = anApi()
    .on(search.search, anAnswer([aHit(), aHit({ hitId: '2', title: 'Second offer' })]))
    .on(content.open, { ticket: 'a'.repeat(40), expiresAt: '2026-11-20T21:00:00.000Z' })
    .on(content.preview, aMailPreview());
  const withLink = (
    <>
      <Link to="/search?query=second&hit=2">Elsewhere</Link>
      <SearchPage />
    </>
  );
  const page = await searched(api, 'offer', withLink);
  await screen.findByText('2 items found');
  await page.user.click(screen.getByText('Elsewhere'));
  expect(await screen.findByRole('heading', { level: 2, name: 'Second offer' })).toBeTruthy();
  await expect.poll(() => api.bodies).toContainEqual(expect.objectContaining({ query: 'second', reason: 'A lost offer' }));
  expect(screen.getByLabelText<HTMLInputElement>('Search everything').value).toBe('second');
});
