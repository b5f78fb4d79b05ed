import { content, type Conversation as Answer } from '@holdfast/contract/content';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import { now } from '../../testing/samples.ts';
import { Conversation } from './conversation.tsx';

const place = { tenantId: 't1', locationId: 'l1', sourceId: 's1', nodeId: 'm2', sequence: 3 };

type Message = Answer['messages'][number];
const said = (nodeId: string, text: string | null, given: Partial<Message> = {}): Message => ({
  nodeId,
  isHit: false,
  isReply: false,
  author: 'Adele Vance',
  at: now,
  subject: null,
  text,
  attachments: [],
  isDeleted: false,
  isEdited: false,
  ...given,
});
const messages = [
  said('m1', 'Shall we?', { isDeleted: true }),
  said('m2', 'We shall.', { isHit: true, isEdited: true, attachments: ['Offer.docx'] }),
  said('m3', null, { author: null }),
];
const aConversation = (given: Partial<Answer> = {}): Answer => ({
  kind: 'chat',
  title: 'The kitchen',
  from: '2026-05-03T22:00:00.000Z',
  to: '2026-05-04T22:00:00.000Z',
  oldestPointAt: '2026-05-03T23:00:00.000Z',
  newestPointAt: '2026-05-04T16:00:00.000Z',
  gaps: [],
  messages,
  ...given,
});

test('a conversation is asked for, logged with the reason, and marks the hit and what was deleted', async () => {
  const api = aSignedInApi().on(content.conversation, aConversation());
  const page = await renderPage(<Conversation place={place} reason="HR-17" />, { api });
  expect(api.bodies).toEqual([]);
  await page.user.click(await screen.findByRole('button', { name: 'Show conversation' }));
  const rows = within(await screen.findByRole('list', { name: 'Conversation' })).getAllByRole('listitem');
  // The button is gone: whoever pressed it by key is where it was, not at the top of the page.
  await expect.poll(() => document.activeElement?.closest('[role="group"]')?.getAttribute('aria-label')).toBe('Conversation');
  expect(
    rows.map((row) => [row.getAttribute('aria-current'), /Hit/.test(row.textContent), /Deleted in Microsoft 365/.test(row.textContent)]),
  ).toEqual([
    [null, false, true],
    ['true', true, false],
    [null, false, false],
  ]);
  expect(rows[1]?.textContent).toContain('Attachments: Offer.docx');
  expect(rows[2]?.textContent).toContain('(no text)');
  expect(screen.getByText(/^12 hours before and after the hit, in The kitchen/)).toBeTruthy();
  expect(screen.getByText(/^The window begins here/)).toBeTruthy();
  expect(screen.getByText(/^The window ends here/)).toBeTruthy();
  expect(screen.queryByText(/^Not complete/)).toBeNull();
  const { tenantId: _, ...item } = place;
  expect(api.bodies).toEqual([{ ...item, reason: 'HR-17' }]);
  await page.checkAccessibility();
});

test('in a case it is there at once, and each edge at which something may be missing says so at its own end', async () => {
  const gaps = ['moreBefore', 'afterRestorePoints', 'limitedRight'] as const;
  const api = aSignedInApi().on(content.conversation, aConversation({ gaps: [...gaps] }));
  await renderPage(<Conversation place={place} reason="HR-17" isShown />, { api });
  const list = await screen.findByRole('list', { name: 'Conversation' });
  const before = screen.getByText(/^Not complete: there are earlier messages/);
  const after = screen.getByText(/^Not complete: messages after the newest restore point \(/);
  expect(before.compareDocumentPosition(list) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
  expect(list.compareDocumentPosition(after) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
  expect(screen.getByText('Messages that your right does not cover are left out.')).toBeTruthy();
});

test('a thread has no window, and says when its first post is not kept', async () => {
  const thread = aConversation({ kind: 'thread', from: null, to: null, gaps: ['noFirstPost'] });
  const api = aSignedInApi().on(content.conversation, thread);
  await renderPage(<Conversation place={place} reason="HR-17" isShown />, { api, language: 'de' });
  expect(await screen.findByText('Der gesamte Thread des Treffers, in The kitchen.')).toBeTruthy();
  expect(screen.getByText('Nicht vollständig: Der erste Beitrag dieses Threads ist nicht aufbewahrt.')).toBeTruthy();
  expect(screen.queryByText(/Zeitfensters/)).toBeNull();
});
