import { expect, it } from 'vitest';
import { anItem } from '../../testing/builders.ts';
import { isSaid, saidMessage } from './said-message.ts';

const body = { contentType: 'html', content: '<p>Call me &amp; <b>bring</b> it</p>' };

it('reads who said what when, with the names of what is attached', () => {
  const properties = {
    from: { user: { displayName: 'Adele Vance' } },
    createdDateTime: '2026-05-04T10:00:00Z',
    subject: 'Offer',
    body,
    attachments: [{ name: 'Offer.docx' }, { name: null, contentUrl: 'https://contoso.example/x' }, null, {}],
  };
  expect(saidMessage(anItem('m', { kind: 'post', properties }))).toEqual({
    author: 'Adele Vance',
    at: '2026-05-04T10:00:00.000Z',
    subject: 'Offer',
    text: 'Call me & bring it',
    attachments: ['Offer.docx', 'https://contoso.example/x'],
    isDeleted: false,
    isEdited: false,
  });
});

it('tells what was deleted and edited, and says nothing of what is not there', () => {
  const deleted = { body, deletedDateTime: '2026-05-05T10:00:00Z', lastEditedDateTime: '2026-05-04T11:00:00Z' };
  expect(saidMessage(anItem('m', { kind: 'chatMessage', properties: deleted }))).toMatchObject({ isDeleted: true, isEdited: true });
  expect(saidMessage(anItem('m', { kind: 'reply', properties: { deletedDateTime: null } }))).toMatchObject({
    author: null,
    at: null,
    subject: null,
    text: null,
    attachments: [],
    isDeleted: false,
  });
});

it('knows messages of chats and channels by their kind', () => {
  expect(['post', 'reply', 'chatMessage', 'message', 'chat', 'channel', 'file'].filter(isSaid)).toEqual(['post', 'reply', 'chatMessage']);
});
