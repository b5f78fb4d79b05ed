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
const options = { createdAt: '2026-03-01T08:00:00.000Z', stand: { id: 'stand', displayName: 'Lee Gu' }, hosted: [] };

it('names an author who left in the text, for somebody of the directory who stands in', () => {
  const { body, differences } = importedMessage(message, { ...options, isKnownUser: (id) => id === 'stand' });
  expect(body).toMatchObject({
    createdDateTime: options.createdAt,
    from: { user: { id: 'stand', displayName: 'Lee Gu', userIdentityType: 'aadUser' } },
    body: { contentType: 'html', content: '<p><b>Ada &lt;Byron&gt;</b></p><p>Hello</p>' },
  });
  expect(differences).toEqual(['from']);
});

it('leaves the words of an author who is there alone', () => {
  const { body, differences } = importedMessage(message, { ...options, isKnownUser: () => true });
  expect(body).toMatchObject({ from: { user: { id: 'gone', displayName: 'Ada <Byron>' } }, body: { content: '<p>Hello</p>' } });
  expect(differences).toEqual([]);
});
