import { expect, test } from 'vitest';
import { authorOf } from './catalog-row.ts';

const emailAddress = { name: 'Adele Vance', address: 'adele@contoso.example' };

test.each([
  ['a mail', { from: { emailAddress } }],
  ['a mail of somebody without a name', { from: { emailAddress: { name: '', address: 'Adele Vance' } } }],
  ['a message of Teams', { from: { application: null, user: { id: '1', displayName: 'Adele Vance', userIdentityType: 'aadUser' } } }],
  ['a message of an app', { from: { user: null, application: { displayName: 'Adele Vance' } } }],
  ['a file', { createdBy: { user: { email: 'adele@contoso.example', displayName: 'Adele Vance' } } }],
  ['an event', { organizer: { emailAddress } }],
  ['a property of its own', { author: 'Adele Vance' }],
])('the author of %s is who made it', (_kind, properties) => {
  expect(authorOf({ properties })).toBe('Adele Vance');
});

test.each([
  [{}],
  [{ from: null }],
  [{ from: { user: null, application: null, device: null } }],
  [{ createdBy: [] }],
  [{ from: { emailAddress: {} } }],
])('nobody is named where the properties name nobody: %j', (properties) => {
  expect(authorOf({ properties })).toBeNull();
});
