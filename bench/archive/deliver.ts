import type { Receiver } from '@holdfast/contract/receivers';
import { aMail, reportOf } from '../../apps/server/src/features/receivers/testing/received.ts';
import { smtpClient } from '../../apps/server/src/features/receivers/testing/smtp-client.ts';
import { pause, type Ground, type Listed } from './ground.ts';

/** As many as a receiver lets one sender have, and some to spare. */
const CONNECTIONS = 40;
const WARM = 200;
const BYTES = 10 * 1024;

/** Where the same mail goes. */
interface Target {
  readonly port: number;
  readonly to: string;
  readonly isSecure: boolean;
}

export interface Delivered {
  readonly perSecond: number;
  readonly p99Ms: number;
}

/** A journal report of 10 KB, different from every other. */
function aReport(number: number): Buffer {
  const bare = reportOf(aMail(number, '')).byteLength;
  return reportOf(aMail(number, `${number} `.padEnd(BYTES - bare, 'The quarterly figures of the region. ')));
}

/** Sends so many mails over connections that stay open; each counts when its 250 has come. */
async function send({ port, to, isSecure }: Target, mails: number): Promise<Delivered> {
  const times: number[] = [];
  let next = 0;
  const began = performance.now();
  const sendOn = async (): Promise<void> => {
    const client = await smtpClient(port, { isSecure });
    while (next < mails) {
      const report = aReport((next += 1));
      const from = performance.now();
      const reply = await client.mail(to, report);
      if (!reply.startsWith('250')) throw new Error(`A mail was answered with ${reply}`);
      times.push(performance.now() - from);
    }
    client.close();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, sendOn));
  const seconds = (performance.now() - began) / 1_000;
  const sorted = times.toSorted((a, b) => a - b);
  return { perSecond: Math.round(mails / seconds), p99Ms: Math.round(sorted[Math.floor(sorted.length * 0.99)] ?? 0) };
}

async function deliver(target: Target, mails: number): Promise<Delivered> {
  await send(target, WARM);
  return send(target, mails);
}

/** Durable replies of a receiver under load, over STARTTLS. */
export async function measureReceiver({ api, at, locationId }: Ground, mails: number): Promise<Delivered> {
  await api.post(`${at}/archive/receivers`, { name: 'Journal', locationId });
  for (;;) {
    const [receiver] = (await api.get<Listed<Receiver>>(`${at}/archive/receivers`)).items;
    if (receiver?.listening) return deliver({ port: receiver.listening.port, to: receiver.address, isSecure: true }, mails);
    await pause();
  }
}

/** The same load for another SMTP server of this machine. */
export const measurePeer = (port: number, to: string, mails: number): Promise<Delivered> => deliver({ port, to, isSecure: false }, mails);
