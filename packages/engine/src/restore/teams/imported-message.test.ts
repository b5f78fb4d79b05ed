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
