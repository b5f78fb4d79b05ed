import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemClock } from '@holdfast/foundation/clock';
import { expect, onTestFinished, test } from 'vitest';
import { listenerCertificate } from '../certificate.ts';
import { smtpClient, stuffed } from '../testing/smtp-client.ts';
import { createByteBudget, listen, ordinaryLimits, type ListenerLimits } from './smtp-listener.ts';
import type { IncomingMail } from './smtp-session.ts';

interface Wanted {
  readonly limits?: Partial<ListenerLimits>;
  readonly budget?: number;
  readonly receive?: () => Promise<void>;
  readonly recipient?: () => Promise<{ place: string; maxBytes: number }>;
}

/** A listener that keeps what it receives. */
async function listening({ limits = {}, budget = 10_000_000, receive, recipient }: Wanted = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), 'holdfast-smtp-'));
  const certificate = await listenerCertificate({ hostName: 'localhost', folder, given: undefined, clock: systemClock });
  const mails: IncomingMail<string>[] = [];
  const listener = await listen<string>({
    hostName: 'localhost',
    secureContext: () => certificate.context,
    maxBytes: 1_000_000,
    budget: createByteBudget(budget),
    recipient: recipient ?? ((address) => Promise.resolve({ place: address, maxBytes: 500_000 })),
    receive: async (mail) => {
      await receive?.();
      mails.push(mail);
    },
    onError: () => undefined,
    clock: systemClock,
    bind: '127.0.0.1',
    port: 0,
    limits: { ...ordinaryLimits, ...limits },
  });
  onTestFinished(async () => {
    await listener.close();
    await rm(folder, { recursive: true, force: true });
  });
  return { port: listener.port, mails };
}

const mail = Buffer.from('Subject: One\r\n\r\n.text\r\n');

test('a client sees what is offered, and a mail goes to each of its recipients as one', async () => {
  const { port, mails } = await listening();
  const client = await smtpClient(port);
  const offered = await client.say('EHLO client');
  for (const name of ['PIPELINING', 'SIZE 1000000', '8BITMIME', 'SMTPUTF8']) expect(offered).toContain(name);
  expect(offered).not.toMatch(/CHUNKING|STARTTLS/u);
  await client.say('MAIL FROM:<> SIZE=100 BODY=8BITMIME SMTPUTF8');
  await client.say('RCPT TO:<jörg@contoso.example>');
  await client.say('RCPT TO:<"a b>c"@contoso.example>');
  expect(await client.say('DATA')).toMatch(/^354/u);
  expect(await client.send(stuffed(mail))).toMatch(/^250/u);
  expect(mails[0]?.raw.equals(mail)).toBe(true);
  expect(mails[0]).toMatchObject({ places: ['jörg@contoso.example', '"a b>c"@contoso.example'], mailFrom: '', client: '127.0.0.1' });
  expect(await client.say('QUIT')).toMatch(/^221/u);
});

test('commands that come together are answered in order, and what was sent before encryption is forgotten', async () => {
  const { port, mails } = await listening();
  const client = await smtpClient(port);
  expect(await client.send('MAIL FROM:<a@b>\r\nRCPT TO:<c@d>\r\nDATA\r\n')).toMatch(/^250/u);
  expect(await client.send(stuffed(mail))).toMatch(/^250/u);
  await expect.poll(() => mails.length).toBe(1);
  client.close();
  const plain = await smtpClient(port, { isSecure: false });
  expect(await plain.send('STARTTLS\r\nMAIL FROM:<smuggled@b>\r\n')).toMatch(/^220/u);
  plain.close();
  expect(mails).toHaveLength(1);
});

test('mail without encryption, without a recipient, out of order and above the size is refused for good', async () => {
  const { port } = await listening();
  const plain = await smtpClient(port, { isSecure: false });
  expect(await plain.say('MAIL FROM:<a@b>')).toMatch(/^530/u);
  plain.close();
  const client = await smtpClient(port);
  expect(await client.say('DATA')).toMatch(/^503/u);
  expect(await client.say('MAIL FROM:<a@b> SIZE=2000000')).toMatch(/^552/u);
  expect(await client.say('MAIL FROM: nobody')).toMatch(/^501/u);
  expect(await client.mail('c@d', Buffer.alloc(600_000, 'x'))).toMatch(/^552/u);
  expect(await client.mail('c@d', mail)).toMatch(/^250/u);
  client.close();
});

test('A6: faults of ours are 4xx: a journal that fails, receivers that cannot be read, and memory that is used up', async () => {
  const failing = await smtpClient((await listening({ receive: () => Promise.reject(new Error('disk full')) })).port);
  expect(await failing.mail('c@d', mail)).toMatch(/^451/u);
  failing.close();
  const unread = await smtpClient((await listening({ recipient: () => Promise.reject(new Error('no database')) })).port);
  expect(await unread.mail('c@d', mail)).toMatch(/^451/u);
  unread.close();
  const full = await smtpClient((await listening({ budget: 1_000 })).port);
  expect(await full.mail('c@d', Buffer.alloc(2_000, 'x'))).toMatch(/^452/u);
  // What was refused is let go of.
  expect(await full.mail('c@d', mail)).toMatch(/^250/u);
  full.close();
});

test('slow and endless clients are ended, and too many connections are turned away', async () => {
  const { port } = await listening({ limits: { idleMs: 150, connectionsPerClient: 2 } });
  const first = await smtpClient(port, { isSecure: false });
  const second = await smtpClient(port, { isSecure: false });
  await expect(smtpClient(port, { isSecure: false })).rejects.toThrow('closed the connection');
  expect(await first.ended()).toMatch(/^421 4\.4\.2/u);
  second.close();
  const { port: other } = await listening();
  const endless = await smtpClient(other, { isSecure: false });
  expect(await endless.send('x'.repeat(10_000))).toMatch(/^500 5\.5\.2/u);
  const confused = await smtpClient(other, { isSecure: false });
  let last = '';
  for (let turn = 0; turn < 10; turn += 1) last = await confused.say('NONSENSE');
  expect(last).toMatch(/^500/u);
  expect(await confused.ended()).toMatch(/^421/u);
});

test('a client that goes away in the middle of a message leaves nothing behind', async () => {
  const { port, mails } = await listening({ budget: 3_000 });
  for (let turn = 0; turn < 5; turn += 1) {
    const client = await smtpClient(port);
    for (const line of ['MAIL FROM:<a@b>', 'RCPT TO:<c@d>', 'DATA']) await client.say(line);
    void client.send('x'.repeat(2_000)).catch(() => undefined);
    client.close();
  }
  const client = await smtpClient(port);
  await expect.poll(() => client.mail('c@d', Buffer.alloc(2_000, 'y'))).toMatch(/^250/u);
  expect(mails).toHaveLength(1);
  client.close();
});
