import { screen, waitFor, within } from '@testing-library/react';
import { archive, type ArchivedMailboxDetails } from '@holdfast/contract/archive';
import { archiveCompleteness, type ArchivedDay } from '@holdfast/contract/archive-completeness';
import { expect, test } from 'vitest';
import { anArchivedMailboxInDetail, anArchivedDay } from '../../testing/archive-samples.ts';
import type { FakeApi } from '../../testing/fake-api.ts';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import { onePage } from '../../testing/samples.ts';
import MailboxesPage from './mailboxes-page.tsx';

const path = `/archive/mailboxes/${anArchivedMailboxInDetail().mailboxId}`;
const page = { path, pattern: '/archive/mailboxes/*' };
const hash = 'c'.repeat(64);

function theApi(mailbox: Partial<ArchivedMailboxDetails> = {}, days: readonly ArchivedDay[] = [anArchivedDay()]): FakeApi {
  return aSignedInApi()
    .on(archive.mailbox, anArchivedMailboxInDetail(mailbox))
    .on(archive.mailboxes, onePage([]))
    .on(archive.top, { items: [] })
    .on(archiveCompleteness.days, onePage([...days]))
    .on(archiveCompleteness.missing, onePage([]));
}

const drawer = async () => within(await screen.findByRole('dialog'));

test('a complete archive says so, and when it was compared, and shows each day', async () => {
  const shown = await renderPage(<MailboxesPage />, { ...page, api: theApi() });
  const details = await drawer();
  expect(await details.findByText(/No message of the backups is missing/)).toBeTruthy();
  const day = within((await details.findByText('20 Nov 2026')).closest('[role="row"], tr') as HTMLElement);
  expect(day.getAllByText('41')).toHaveLength(2);
  expect(details.queryByRole('list', { name: 'Messages that are missing in one place' })).toBeNull();
  await shown.checkAccessibility();
});

test('what is missing is said first, by day and by name, in German too', async () => {
  const api = theApi({ coverage: 'partly', missing: 2 }, [anArchivedDay({ archived: 39, missing: 2 }), anArchivedDay({ date: null })]).on(
    archiveCompleteness.missing,
    {
      items: [{ messageKey: hash, date: '2026-11-20', reason: 'missing', receivedAt: '2026-11-20T08:00:00.000Z', sizeBytes: 4_096 }],
      nextCursor: null,
      total: 2,
    },
  );
  const shown = await renderPage(<MailboxesPage />, { ...page, api, language: 'de' });
  const details = await drawer();
  expect(await details.findByText(/Im Archiv fehlen 2 Nachrichten/)).toBeTruthy();
  const gaps = within(await details.findByRole('list', { name: 'Nachrichten, die an einer Stelle fehlen' }));
  expect(gaps.getByText(hash)).toBeTruthy();
  expect(details.getByText('Und 1 weitere.')).toBeTruthy();
  expect(await details.findByText('Ohne Datum')).toBeTruthy();
  expect(details.queryByText(/Es fehlt keine Nachricht/)).toBeNull();
  await shown.checkAccessibility();
});

test('what journal, backups and index do not have is said and named by the place where it is missing', async () => {
  const api = theApi({ unmatched: 3 }, [anArchivedDay({ notJournaled: 1, notCaptured: 1 })]).on(archiveCompleteness.missing, {
    items: (['notJournaled', 'notCaptured', 'notSearchable'] as const).map((reason) => ({
      messageKey: hash,
      date: '2026-11-20',
      reason,
      receivedAt: '2026-11-20T08:00:00.000Z',
      sizeBytes: 4_096,
    })),
    nextCursor: null,
    total: 3,
  });
  const shown = await renderPage(<MailboxesPage />, { ...page, api });
  const details = await drawer();
  expect(await details.findByText(/3 messages of the archive are missing in the journal/)).toBeTruthy();
  const gaps = within(await details.findByRole('list', { name: 'Messages that are missing in one place' }));
  for (const words of [/Not journaled/, /Only journaled/, /Not in the search index/]) expect(gaps.getByText(words)).toBeTruthy();
  await shown.checkAccessibility();
});

test('days are asked for with gaps alone, and the comparison is made again by those who may run jobs', async () => {
  const asked: (string | null)[] = [];
  const api = theApi()
    .on(archiveCompleteness.days, ({ query }) => {
      asked.push(query.get('incomplete'));
      return onePage([anArchivedDay()]);
    })
    .on(archiveCompleteness.compare, { missing: 0, comparedAt: '2026-11-21T04:00:00.000Z' });
  const shown = await renderPage(<MailboxesPage />, { ...page, api });
  const details = await drawer();
  await shown.user.click(await details.findByRole('combobox', { name: 'Filter by Days' }));
  await shown.user.click(screen.getByRole('option', { name: 'With gaps' }));
  await waitFor(() => expect(asked).toContain('true'));
  await shown.user.click(details.getByRole('button', { name: 'Compare now' }));
  expect(await screen.findByText('The archive has been compared with the backups.')).toBeTruthy();
  expect(api.calls.filter((call) => call.includes('/compare'))).toHaveLength(1);
  shown.unmount();
  await renderPage(<MailboxesPage />, { ...page, api, role: 'auditor' });
  expect(await (await drawer()).findByText('Completeness')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Compare now' })).toBeNull();
});

test('an archive that nobody has compared yet says when that happens', async () => {
  await renderPage(<MailboxesPage />, { ...page, api: theApi({ missing: null, comparedAt: null }) });
  expect(await (await drawer()).findByText(/has not been compared with the backups of the mailbox yet/)).toBeTruthy();
  expect(screen.queryByText('In backups')).toBeNull();
});
