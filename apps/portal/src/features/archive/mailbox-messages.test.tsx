import { screen, waitFor, within } from '@testing-library/react';
import { accessLog } from '@holdfast/contract/access-log';
import { archive } from '@holdfast/contract/archive';
import { archivedMessages } from '@holdfast/contract/archived-messages';
import { content } from '@holdfast/contract/content';
import { expect, test } from 'vitest';
import { anArchivedMailbox, anArchivedMailboxInDetail, anArchivedMessage, anOpenedMessage } from '../../testing/archive-samples.ts';
import type { FakeApi } from '../../testing/fake-api.ts';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import { onePage } from '../../testing/samples.ts';
import MailboxesPage from './mailboxes-page.tsx';

const { mailboxId } = anArchivedMailbox();
const place = { pattern: '/archive/mailboxes/*', path: `/archive/mailboxes/${mailboxId}/messages` };
const ticket = 't'.repeat(43);

function anApi(): FakeApi {
  return aSignedInApi()
    .on(archive.mailbox, anArchivedMailboxInDetail())
    .on(archive.mailboxes, onePage([anArchivedMailbox()]))
    .on(archive.top, { items: [] })
    .on(archivedMessages.list, onePage([anArchivedMessage(), anArchivedMessage({ messageId: 'b'.repeat(64), subject: '' })]))
    .on(content.open, { ticket, expiresAt: '2026-11-20T21:00:00.000Z' })
    .on(archivedMessages.get, anOpenedMessage())
    .on(
      accessLog.list,
      onePage([
        {
          id: '7',
          at: '2026-11-20T20:00:00.000Z',
          kind: 'opened' as const,
          reader: 'ada@contoso.example',
          isOwn: false,
          owners: [],
          ground: 'role' as const,
          groundName: null,
          reason: 'Lawsuit 12',
          query: null,
          count: null,
          address: null,
        },
      ]),
    );
}

type Rendered = Awaited<ReturnType<typeof renderPage>>;

async function look(page: Rendered, { reason, show }: { readonly reason: string; readonly show: string }): Promise<void> {
  await page.user.type(await screen.findByLabelText(new RegExp(reason)), 'Audit 2026');
  await page.user.click(screen.getByRole('button', { name: show }));
}

const asked = (api: FakeApi): readonly string[] => api.calls.filter((call) => call.endsWith('/messages'));

test('nothing of a mailbox is shown before a reason was given, and the reason goes with it', async () => {
  const api = anApi();
  const page = await renderPage(<MailboxesPage />, { ...place, api });
  expect(await screen.findByText('Give a reason to see the messages of this mailbox.')).toBeTruthy();
  expect(asked(api)).toEqual([]);
  const { name, email } = anArchivedMailboxInDetail();
  expect(screen.getByRole('heading', { name: `${name} (${email})` })).toBeTruthy();
  await page.checkAccessibility();
  await page.user.type(screen.getByLabelText('Words of the subject'), 'contract');
  await look(page, { reason: 'Reason for looking', show: 'Show messages' });
  expect(await screen.findByText('2 messages')).toBeTruthy();
  expect(screen.getByText('(no subject)')).toBeTruthy();
  expect(api.bodies).toContainEqual({ reason: 'Audit 2026', subject: 'contract', limit: 100 });
  await page.checkAccessibility();
});

test('an opened message names the policies that keep it, each with the last day or the event that it waits for', async () => {
  const policies = [
    { name: 'Leavers', until: null },
    // Noon is on the same day in every zone that tests run in.
    { name: 'Letters', until: '2032-12-31T12:00:00.001Z' },
  ];
  const page = await renderPage(<MailboxesPage />, { ...place, api: anApi().on(archivedMessages.get, anOpenedMessage({ policies })) });
  await look(page, { reason: 'Reason for looking', show: 'Show messages' });
  await page.user.click(await screen.findByRole('button', { name: 'The contract' }));
  const pane = within(await screen.findByRole('region', { name: 'Reading pane' }));
  expect(await pane.findByText('Without end until its period begins (policy Leavers)')).toBeTruthy();
  expect(pane.getByText('31 Dec 2032 (policy Letters)')).toBeTruthy();
  expect(pane.queryByText('No policy sets a minimum. The archive keeps the message until a deletion removes it.')).toBeNull();
});

test('an opened message names the policies that delete it, and is then not said to be kept without end', async () => {
  const deletedBy = [
    { name: 'Old mail', from: '2032-12-31T12:00:00.001Z', isReviewed: false },
    { name: 'Contracts', from: null, isReviewed: true },
  ];
  const page = await renderPage(<MailboxesPage />, { ...place, api: anApi().on(archivedMessages.get, anOpenedMessage({ deletedBy })) });
  await look(page, { reason: 'Reason for looking', show: 'Show messages' });
  await page.user.click(await screen.findByRole('button', { name: 'The contract' }));
  const pane = within(await screen.findByRole('region', { name: 'Reading pane' }));
  expect(await pane.findByText('31 Dec 2032 (policy Old mail)')).toBeTruthy();
  expect(pane.getByText('Not before an event is recorded (policy Contracts)')).toBeTruthy();
  expect(pane.getByText('Reviewed for deletion after, if nothing keeps it')).toBeTruthy();
  expect(pane.queryByText('No policy sets a minimum. The archive keeps the message until a deletion removes it.')).toBeNull();
});

test('an opened message shows its text, why it is kept, where it was, its hash and its header', async () => {
  const api = anApi();
  const page = await renderPage(<MailboxesPage />, { ...place, api });
  await look(page, { reason: 'Reason for looking', show: 'Show messages' });
  await page.user.click(await screen.findByRole('button', { name: 'The contract' }));
  const pane = within(await screen.findByRole('region', { name: 'Reading pane' }));
  expect(await pane.findByText('Please sign.')).toBeTruthy();
  expect(pane.getByText('No policy sets a minimum. The archive keeps the message until a deletion removes it.')).toBeTruthy();
  expect(pane.getByText('Lawsuit: Court order')).toBeTruthy();
  expect(pane.getByText(/^Inbox, /)).toBeTruthy();
  expect(pane.getByText('a'.repeat(64))).toBeTruthy();
  expect(pane.getByText('The original is unchanged: it has this hash')).toBeTruthy();
  expect(await pane.findByText('ada@contoso.example: Lawsuit 12')).toBeTruthy();
  expect(pane.queryByText(/Received: from mx.example/)).toBeNull();
  await page.user.click(pane.getByRole('switch', { name: 'Show header' }));
  expect(pane.getByText(/Received: from mx.example/)).toBeTruthy();
  await page.checkAccessibility();
});

test('the owner of a mailbox marks a message as private and takes the mark away, by a ticket of its own each', async () => {
  const api = anApi()
    .on(archivedMessages.get, anOpenedMessage({ isOwn: true }))
    .on(archivedMessages.markPrivate, ({ body }) => ({ isPrivate: (body as { isPrivate: boolean }).isPrivate }));
  const page = await renderPage(<MailboxesPage />, { ...place, api });
  await look(page, { reason: 'Reason for looking', show: 'Show messages' });
  await page.user.click(await screen.findByRole('button', { name: 'The contract' }));
  await page.user.click(await screen.findByRole('button', { name: 'Mark as private' }));
  expect(await screen.findByText('The message is now private.')).toBeTruthy();
  expect(api.bodies).toContainEqual({ ticket, isPrivate: true });
  await page.checkAccessibility();
  await page.user.click(await screen.findByRole('button', { name: 'No longer private' }));
  expect(await screen.findByRole('button', { name: 'Mark as private' })).toBeTruthy();
  expect(api.bodies).toContainEqual({ ticket, isPrivate: false });
});

test('nobody marks the messages of others, and whoever may open a private one is told, in German too', async () => {
  const api = anApi().on(archivedMessages.get, anOpenedMessage({ isPrivate: true }));
  const page = await renderPage(<MailboxesPage />, { ...place, api, language: 'de' });
  await look(page, { reason: 'Grund der Einsicht', show: 'Nachrichten anzeigen' });
  await page.user.click(await screen.findByRole('button', { name: 'The contract' }));
  expect(await screen.findByText('Privat: Der Besitzer des Postfachs hat diese Nachricht markiert.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /privat/ })).toBeNull();
});

test('original and attachments are downloaded by a ticket of their own each', async () => {
  const api = anApi();
  const page = await renderPage(<MailboxesPage />, { ...place, api });
  await look(page, { reason: 'Reason for looking', show: 'Show messages' });
  await page.user.click(await screen.findByRole('button', { name: 'The contract' }));
  await page.user.click(await screen.findByRole('button', { name: /prices\.csv/ }));
  await page.user.click(screen.getByRole('button', { name: 'Download the original' }));
  await page.user.click(screen.getByRole('button', { name: 'Save proof' }));
  const passes = (): string => JSON.stringify(api.bodies);
  await waitFor(() => expect(passes()).toContain(`/archive/messages/${'a'.repeat(64)}/parts/0?ticket=${ticket}`));
  await waitFor(() => expect(passes()).toContain(`/archive/messages/${'a'.repeat(64)}/raw?ticket=${ticket}`));
  await waitFor(() => expect(passes()).toContain(`/archive/messages/${'a'.repeat(64)}/proof?ticket=${ticket}`));
});

test('a mailbox without a message that may be opened says what to do, in German too', async () => {
  const api = anApi().on(archivedMessages.list, onePage([]));
  const page = await renderPage(<MailboxesPage />, { ...place, api, language: 'de' });
  await look(page, { reason: 'Grund der Einsicht', show: 'Nachrichten anzeigen' });
  expect(
    await screen.findByText('Keine passende Nachricht, die Sie öffnen dürfen. Wählen Sie alle Ordner oder andere Wörter.'),
  ).toBeTruthy();
  await page.checkAccessibility();
});

test('the details of a mailbox lead to its messages', async () => {
  const page = await renderPage(<MailboxesPage />, { ...place, path: `/archive/mailboxes/${mailboxId}`, api: anApi() });
  const details = within(await screen.findByRole('dialog'));
  await page.user.click(await details.findByRole('button', { name: 'Show messages' }));
  expect(page.address()).toBe(`/archive/mailboxes/${mailboxId}/messages`);
});

const selection = {
  selectionId: '0190bbbb-0000-7000-8000-000000000001',
  query: 'Adele Vance',
  items: 1,
  bytes: 2_048,
  resources: [{ resourceId: mailboxId, name: 'Adele Vance', workload: 'exchange' as const, kind: 'archive' as const, items: 1 }],
  expiresAt: '2026-11-21T21:00:00.000Z',
};

test('ticked messages, or all that were found, are chosen for a restore with the reason of the look', async () => {
  const api = anApi().on(archivedMessages.select, selection);
  const page = await renderPage(<MailboxesPage />, { ...place, api });
  await look(page, { reason: 'Reason for looking', show: 'Show messages' });
  await page.user.click(await screen.findByRole('button', { name: 'Restore all 2' }));
  expect(await screen.findByRole('dialog', { name: 'Restore 1 item' })).toBeTruthy();
  expect(api.bodies).toContainEqual({ reason: 'Audit 2026' });
  await page.checkAccessibility();
  await page.user.click(screen.getByRole('button', { name: 'Cancel' }));
  await page.user.click(screen.getByRole('checkbox', { name: 'Select The contract' }));
  await page.user.click(await screen.findByRole('button', { name: 'Restore 1 selected' }));
  await waitFor(() => expect(api.bodies).toContainEqual({ reason: 'Audit 2026', messageIds: ['a'.repeat(64)] }));
});

test.each([
  ['en', 'Restore 1 item', 'Delete 1 item'],
  ['de', '1 Element wiederherstellen', '1 Element löschen'],
] as const)('a mailbox with a single message is not offered all of them (%s)', async (language, restore, remove) => {
  const page = await renderPage(<MailboxesPage />, {
    ...place,
    language,
    api: anApi().on(archivedMessages.list, onePage([anArchivedMessage()])),
  });
  const words = { en: ['Reason for looking', 'Show messages'], de: ['Grund der Einsicht', 'Nachrichten anzeigen'] } as const;
  const [reason, show] = words[language];
  await look(page, { reason, show });
  expect(await screen.findByRole('button', { name: restore })).toBeTruthy();
  expect(screen.getByRole('button', { name: remove })).toBeTruthy();
});
