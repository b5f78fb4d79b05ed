import { createFakeClock } from '@holdfast/foundation/testing/fake-clock';
import fastify from 'fastify';
import { expect, test } from 'vitest';
import { readConfig } from '../settings/config.ts';
import { serveSecurityTxt } from './security-txt.ts';

async function ask(contacts: readonly string[]) {
  const server = fastify();
  serveSecurityTxt(server, { contacts, publicUrl: 'https://backup.example.com', clock: createFakeClock() });
  const answer = await server.inject({ url: '/.well-known/security.txt' });
  await server.close();
  return answer;
}

test('whoever finds a weakness reads whom to tell, until when that holds, and where it is written', async () => {
  const { statusCode, headers, body } = await ask(['mailto:security@example.com', 'https://example.com/report']);
  expect([statusCode, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
  expect(body.split('\n')).toEqual([
    'Contact: mailto:security@example.com',
    'Contact: https://example.com/report',
    'Expires: 2026-06-30T00:00:00.000Z',
    'Canonical: https://backup.example.com/.well-known/security.txt',
    'Preferred-Languages: en, de',
    '',
  ]);
});

test('without a contact there is no such file', async () => {
  expect((await ask([])).statusCode).toBeGreaterThanOrEqual(400);
});

test('a contact is an address that can be followed', () => {
  const read = (contact: string) => () => readConfig({ HOLDFAST_SECURITY_CONTACT: contact });
  expect(read('mailto:security@example.com, https://example.com/report')().HOLDFAST_SECURITY_CONTACT).toHaveLength(2);
  for (const wrong of ['security@example.com', 'http://example.com', 'mailto:a@b.example\nEvil: 1'])
    expect(read(wrong)).toThrow('HOLDFAST_SECURITY_CONTACT');
});
