import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemClock } from '@holdfast/foundation/clock';
import { expect, onTestFinished, test } from 'vitest';
import { listenerCertificate } from './certificate.ts';
import { createByteBudget, listen, ordinaryLimits } from './smtp/smtp-listener.ts';
import { sendTestMessage } from './test-message.ts';

async function certificateFor(hostName: string) {
  const folder = await mkdtemp(path.join(tmpdir(), 'holdfast-receiver-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return listenerCertificate({ hostName, folder, given: undefined, clock: systemClock });
}

/** A listener that shows the certificate of a name, and what it has received. */
async function listening(hostName: string) {
  const certificate = await certificateFor(hostName);
  const received: string[] = [];
  const listener = await listen<string>({
    hostName,
    secureContext: () => certificate.context,
    maxBytes: 1_000_000,
    budget: createByteBudget(10_000_000),
    recipient: (address) => Promise.resolve({ place: address, maxBytes: 500_000 }),
    receive: ({ raw }) => Promise.resolve(void received.push(raw.toString('latin1'))),
    onError: () => undefined,
    clock: systemClock,
    bind: '127.0.0.1',
    port: 0,
    limits: ordinaryLimits,
  });
  onTestFinished(() => listener.close());
  return { port: listener.port, certificate: certificate.pem, received };
}

const message = { to: { address: 'journal@localhost' }, tester: 'ann@contoso.example', id: 'one', at: new Date('2026-11-20T21:00:00Z') };

test.each(['localhost', '127.0.0.1'])('a test message reaches the receiver at %s', async (host) => {
  const { port, certificate, received } = await listening(host);
  expect(await sendTestMessage({ ...message, host, port, certificate })).toMatchObject({ result: 'stored' });
  expect(received.map((raw) => raw.includes('Message-Id: <one@holdfast.test>'))).toEqual([true]);
});

test.each([
  ['localhost', 'elsewhere.example'],
  ['127.0.0.1', '127.0.0.2'],
  ['127.0.0.1', 'localhost'],
])('a receiver at %s that shows the certificate of %s is not sent a message', async (host, shown) => {
  const { port, certificate, received } = await listening(shown);
  expect(await sendTestMessage({ ...message, host, port, certificate })).toMatchObject({ result: 'unreachable' });
  expect(received).toEqual([]);
});

test('the certificate of an address is kept, and replaced when the address changes', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'holdfast-receiver-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const options = { folder, given: undefined, clock: systemClock };
  const first = await listenerCertificate({ ...options, hostName: '127.0.0.1' });
  expect((await listenerCertificate({ ...options, hostName: '127.0.0.1' })).sha256).toBe(first.sha256);
  expect((await listenerCertificate({ ...options, hostName: '127.0.0.2' })).sha256).not.toBe(first.sha256);
});
