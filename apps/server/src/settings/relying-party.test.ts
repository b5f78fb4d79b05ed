import { expect, test } from 'vitest';
import { relyingPartyOf } from './relying-party.ts';

test.each([
  ['https://backup.contoso.example', { id: 'backup.contoso.example', origin: 'https://backup.contoso.example' }],
  ['https://Backup.Contoso.example:8443/', { id: 'backup.contoso.example', origin: 'https://backup.contoso.example:8443' }],
  ['http://localhost:8080', { id: 'localhost', origin: 'http://localhost:8080' }],
  ['http://holdfast.localhost:8080', { id: 'holdfast.localhost', origin: 'http://holdfast.localhost:8080' }],
])('passkeys are bound to the name and answer at the origin of %s', (publicUrl, party) => {
  expect(relyingPartyOf(publicUrl)).toEqual(party);
});

test.each([
  'http://127.0.0.1:8080',
  'https://192.0.2.7',
  'https://[2001:db8::7]:8443',
  'http://backup.contoso.example',
  'http://localhost.example',
])('no browser allows passkeys at %s', (publicUrl) => {
  expect(relyingPartyOf(publicUrl)).toBeUndefined();
});
