import { expect, it } from 'vitest';
import type { ItemVersion } from '../../ports/item.ts';
import { importedMessage } from './imported-message.ts';

const message: ItemVersion = {
  key: 'post:1',
  kind: 'post',
  parentKey: 'channel:1',
  name: '',
  contentTag: '',
  contents: [],
  sizeBytes: 0,
  properties: { from: { user: { id: 'gone', displayName: 'Ada <Byron>' } }, body: { contentType: 'html', content: '<p>Hello</p>' } },
};
const directory = new Map([
  ['stand', 'Lee Gu'],
  ['reader', 'Alex & Co'],
]);
const people = {
  isKnownUser: (id: string) => directory.has(id),
  nameOf: (id: string) => directory.get(id),
  stand: { id: 'stand', displayName: 'Lee Gu' },
};
const options = { createdAt: '2026-03-01T08:00:00.000Z', people, hosted: [] };

it('names an author who left in the text, for somebody of the directory who stands in', () => {
  const { body, differences } = importedMessage(message, options);
  expect(body).toMatchObject({
    createdDateTime: options.createdAt,
    from: { user: { id: 'stand', displayName: 'Lee Gu', userIdentityType: 'aadUser' } },
    body: { contentType: 'html', content: '<p><b>Ada &lt;Byron&gt;</b></p><p>Hello</p>' },
  });
  expect(differences).toEqual(['from']);
});

it('leaves the words of an author who is there alone', () => {
  const { body, differences } = importedMessage(message, { ...options, people: { ...people, isKnownUser: () => true } });
  expect(body).toMatchObject({ from: { user: { id: 'gone', displayName: 'Ada <Byron>' } }, body: { content: '<p>Hello</p>' } });
  expect(differences).toEqual([]);
});

it('says who reacted, whom the service names by id alone', () => {
  const reactions = [
    { reactionType: 'like', user: { user: { id: 'reader', displayName: null } } },
    { reactionType: 'heart', user: { user: { id: 'gone', displayName: 'Ada' } } },
    { reactionType: 'sad', user: { user: { id: 'nobody' } } },
  ];
  const { body, differences } = importedMessage({ ...message, properties: { ...message.properties, reactions } }, options);
  expect(body.body.content.endsWith('<p>[like Alex &amp; Co, heart Ada, sad]</p>')).toBe(true);
  expect(differences).toEqual(['from', 'reactions']);
});

it('names the app that wrote a message, and the pictures that are too large to come along', () => {
  const from = { application: { id: 'app', displayName: 'Build server' } };
  const picture = { role: 'hosted', ref: { id: 'b', sizeBytes: 5_000_000, sha256: '', kind: 'file' } } as const;
  const told = { ...message, contents: [picture], properties: { ...message.properties, from } } as unknown as ItemVersion;
  const { body, differences } = importedMessage(told, options);
  expect(body).toMatchObject({ from: { user: { id: 'stand' } }, body: { content: '<p><b>Build server</b></p><p>Hello</p>' } });
  expect(differences).toEqual(['from', 'hostedContents']);
});

it('puts text as text, links what is attached, and names nobody where nobody is said to have written it', () => {
  const properties = {
    body: { contentType: 'text', content: 'a < b\nc' },
    attachments: [{ name: 'Plan & more', contentUrl: 'https://contoso.sharepoint.com/a?b&c' }, { contentType: 'reference' }, {}],
    reactions: [{ reactionType: 'like' }],
    importance: 'high',
    subject: 'Plans',
  };
  const { body } = importedMessage({ ...message, properties }, options);
  expect(body).toMatchObject({ importance: 'high', subject: 'Plans' });
  expect(body.body.content).toBe(
    '<p><b>?</b></p>a &lt; b<br>c<p><a href="https://contoso.sharepoint.com/a?b&amp;c">Plan &amp; more</a><br>reference<br>attachment</p><p>[like]</p>',
  );
  expect(importedMessage({ ...message, properties: {} }, options).body.body.content).toBe('<p><b>?</b></p>');
});

it('names what became a link, what became a name, and that an edited message is no longer marked as edited', () => {
  const attachments = [
    { contentType: 'reference' },
    { contentType: 'reference' },
    { contentType: 'application/vnd.microsoft.card.adaptive' },
  ];
  const properties = { ...message.properties, attachments, lastEditedDateTime: '2026-03-01T09:00:00.000Z' };
  const { differences } = importedMessage({ ...message, properties }, options);
  expect(differences).toEqual(['from', 'lastEditedDateTime', 'attachments', 'cards']);
});

it('puts pictures where they were, and those of others nowhere', () => {
  const src = (id: string) => `<img src="https://graph.microsoft.com/v1.0/hostedContents/${id}/$value">`;
  const properties = { ...message.properties, body: { contentType: 'html', content: `${src('a')}${src('b')}` } };
  const hosted = [{ id: 'a', mediaType: 'image/png', bytes: Buffer.from('picture') }];
  const { body } = importedMessage({ ...message, properties }, { ...options, hosted });
  expect(body.body.content).toContain(`<img src="../hostedContents/1/$value">${src('b')}`);
  expect(body).toMatchObject({ hostedContents: [{ '@microsoft.graph.temporaryId': '1', contentType: 'image/png' }] });
});
