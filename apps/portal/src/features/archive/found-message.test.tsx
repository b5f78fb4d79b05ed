import { accessLog } from '@holdfast/contract/access-log';
import { archive } from '@holdfast/contract/archive';
import { archivedMessages } from '@holdfast/contract/archived-messages';
import { content } from '@holdfast/contract/content';
import { dispositions } from '@holdfast/contract/dispositions';
import { exports } from '@holdfast/contract/exports';
import { retention } from '@holdfast/contract/retention';
import { savedSearches } from '@holdfast/contract/saved-searches';
import { search } from '@holdfast/contract/search';
import type { SearchAnswer } from '@holdfast/contract/search';
import { screen, within } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { expect, test } from 'vitest';
import { anArchivedMailboxInDetail, anArchivedMessage, anOpenedMessage } from '../../testing/archive-samples.ts';
import { aCoverage, aHit } from '../../testing/found-samples.ts';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import { onePage, sampleIds } from '../../testing/samples.ts';
import SearchPage from '../search/search-page.tsx';
import DeletionJobsPage from './deletion-jobs-page.tsx';
import MailboxesPage from './mailboxes-page.tsx';

const messageId = 'c'.repeat(64);
const { mailboxId } = anArchivedMailboxInDetail();

/** One message that is in the archive of a mailbox. */
function anAnswer(): SearchAnswer {
  const none = { values: [], others: 0 };
  const facets = { workload: none, filetype: none, language: none, size: none, sensitive: none, kind: none, month: none };
  const { sizeBytes } = anOpenedMessage();
  const resource = { ...aHit().resource, resourceId: mailboxId, kind: 'archive' as const };
  const hit = aHit({ locationId: sampleIds.location, sourceId: sampleIds.source, nodeId: messageId, sizeBytes, resource });
  const coverage = aCoverage(1);
  const found = { total: 1, facets, places: none };
  return { items: [hit], total: 1, nextCursor: null, readAs: 'offer', coverage, recognisesScans: true, facets: found };
}

test('"Open the archive" opens the found message itself, with the reason of the search and without asking again', async () => {
  const api = aSignedInApi()
    .on(savedSearches.list, { items: [] })
    .on(exports.list, onePage([]))
    .on(search.passages, { items: [] })
    .on(search.search, anAnswer())
    .on(content.open, { ticket: 't'.repeat(43), expiresAt: '2026-11-20T21:00:00.000Z' })
    .on(content.preview, anOpenedMessage().content)
    .on(archive.mailbox, anArchivedMailboxInDetail())
    // Mailboxes are long: the message that was found is not on the first page of the list.
    .on(archivedMessages.list, onePage([anArchivedMessage(), anArchivedMessage({ messageId: 'b'.repeat(64), subject: 'Lunch' })]))
    .on(archivedMessages.get, anOpenedMessage({ messageId }))
    .on(accessLog.list, onePage([]));
  const pages = (
    <Routes>
      <Route path="/search" element={<SearchPage />} />
      <Route path="/archive/mailboxes/*" element={<MailboxesPage />} />
    </Routes>
  );
  const page = await renderPage(pages, { path: '/search', pattern: '*', api });
  await page.user.type(await screen.findByLabelText('Search everything'), 'offer');
  await page.user.type(screen.getByLabelText(/Reason for the search/), 'A lost offer');
  await page.user.click(screen.getByRole('button', { name: 'Search' }));
  (await screen.findAllByRole('row'))[0]?.focus();
  await page.user.keyboard('{Enter}');
  await page.user.click(await screen.findByText('Open the archive'));
  await expect.poll(() => page.address()).toBe(`/archive/mailboxes/${mailboxId}/messages`);
  const pane = within(await screen.findByRole('region', { name: 'Reading pane' }));
  expect(await pane.findByRole('heading', { name: 'Offer for Fabrikam' })).toBeTruthy();
  expect(await pane.findByText(messageId)).toBeTruthy();
  expect(await screen.findByText('2 messages')).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>(/Reason for looking/).value).toBe('A lost offer');
  // Other words ask for other messages: none of them was chosen yet.
  await page.user.type(screen.getByLabelText('Words of the subject'), 'lunch');
  await page.user.click(screen.getByRole('button', { name: 'Show messages' }));
  expect(await screen.findByText('Choose a message to read it here.')).toBeTruthy();
});

test('a message that waits for a reviewer is opened itself, once the reviewer has said why', async () => {
  const [locationId, sourceId] = [sampleIds.location, sampleIds.source];
  const waits = {
    policyId: sampleIds.run,
    policyName: 'Letters',
    mailboxId,
    mailboxName: 'Adele Vance',
    locationId,
    sourceId,
    sequence: 3,
    messageId,
    receivedAt: '2019-03-05T10:00:00.000Z',
    sizeBytes: 2_048,
    stage: 1,
    stages: 1,
    since: '2026-11-20T10:00:00.000Z',
    mayDecide: true,
    reviewers: ['cara@contoso.example'],
    before: [],
  };
  const api = aSignedInApi()
    .on(retention.list, { items: [] })
    .on(dispositions.list, onePage([waits]))
    .on(content.open, { ticket: 't'.repeat(43), expiresAt: '2026-11-20T21:00:00.000Z' })
    .on(archive.mailbox, anArchivedMailboxInDetail())
    .on(archivedMessages.list, onePage([anArchivedMessage({ messageId: 'b'.repeat(64), subject: 'Lunch' })]))
    .on(archivedMessages.get, anOpenedMessage({ messageId }))
    .on(accessLog.list, onePage([]));
  const pages = (
    <Routes>
      <Route path="/archive/deletion-jobs" element={<DeletionJobsPage />} />
      <Route path="/archive/mailboxes/*" element={<MailboxesPage />} />
    </Routes>
  );
  const page = await renderPage(pages, { path: '/archive/deletion-jobs?tab=reviews', pattern: '*', api });
  await page.user.click(await screen.findByRole('link', { name: `${messageId.slice(0, 12)}…` }));
  await expect.poll(() => page.address()).toBe(`/archive/mailboxes/${mailboxId}/messages`);
  expect(await screen.findByText(/^Give a reason/)).toBeTruthy();
  expect(api.calls.some((call) => call.includes('content-tickets'))).toBe(false);
  await page.user.type(screen.getByLabelText(/Reason for looking/), 'Review of letters');
  await page.user.click(screen.getByRole('button', { name: 'Show messages' }));
  const pane = within(await screen.findByRole('region', { name: 'Reading pane' }));
  expect(await pane.findByRole('heading', { level: 2, name: anOpenedMessage().content.title })).toBeTruthy();
  expect(await pane.findByText(messageId)).toBeTruthy();
  expect(api.bodies).toContainEqual(
    expect.objectContaining({ nodeId: messageId, locationId, sourceId, sequence: 3, reason: 'Review of letters' }),
  );
});
