import { isIP } from 'node:net';
import { createTransport } from 'nodemailer';
import type { Receiver, receiverTestResults } from '@holdfast/contract/receivers';
import { systemCode } from '@holdfast/foundation/errors';

/** What a test message is made of. */
export interface TestMessage {
  readonly to: Pick<Receiver, 'address'>;
  readonly host: string;
  readonly port: number;
  /** The certificate of the listener, which it must show. */
  readonly certificate: string;
  /** Who tests: sender and recipient of the message. */
  readonly tester: string;
  readonly id: string;
  readonly at: Date;
}

export interface TestOutcome {
  readonly result: (typeof receiverTestResults)[number];
  readonly detail: string;
}

const TIMEOUT_MS = 10_000;

/** A journal report as Exchange writes it, of a message from the tester to the tester. */
export function testReport({ tester, id, at, to }: Pick<TestMessage, 'tester' | 'id' | 'at' | 'to'>): string {
  const messageId = `<${id}@holdfast.test>`;
  const subject = 'Holdfast test message';
  const message = [
    `From: <${tester}>`,
    `To: <${tester}>`,
    `Subject: ${subject}`,
    `Message-ID: ${messageId}`,
    `Date: ${at.toUTCString().replace('GMT', '+0000')}`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=us-ascii',
    '',
    'This message tests the way of journal mail into the archive.',
  ];
  const boundary = `holdfast-${id}`;
  return [
    `From: <${tester}>`,
    `To: <${to.address}>`,
    `Subject: ${subject}`,
    `Message-ID: <report-${id}@holdfast.test>`,
    `Date: ${at.toUTCString().replace('GMT', '+0000')}`,
    'X-MS-Journal-Report:',
    'MIME-Version: 1.0',
    `Content-Type: multipart/mixed; boundary="${boundary}"`,
    '',
    `--${boundary}`,
    'Content-Type: text/plain; charset=us-ascii',
    '',
    `Sender: ${tester}`,
    `Subject: ${subject}`,
    `Message-Id: ${messageId}`,
    `To: ${tester}`,
    '',
    `--${boundary}`,
    'Content-Type: message/rfc822',
    '',
    ...message,
    `--${boundary}--`,
    '',
  ].join('\r\n');
}

/** Sends a journal report the way that Exchange does and waits for the answer. */
export async function sendTestMessage(message: TestMessage): Promise<TestOutcome> {
  const { host, port, certificate, tester, to } = message;
  const timeouts = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS };
  // TLS has names of servers and none of addresses; the certificate is held against the host either way.
  const named = isIP(host) === 0 ? { servername: host } : { host };
  const tls = { ca: certificate, ...named, minVersion: 'TLSv1.2' } as const;
  const transport = createTransport({ host, port, secure: false, requireTLS: true, tls, ...timeouts });
  try {
    const { response } = (await transport.sendMail({ envelope: { from: tester, to: to.address }, raw: testReport(message) })) as {
      readonly response: string;
    };
    return { result: 'stored', detail: response };
  } catch (error) {
    const { response } = error as { readonly response?: string };
    if (response !== undefined) return { result: 'refused', detail: response };
    return { result: 'unreachable', detail: systemCode(error) ?? '' };
  } finally {
    transport.close();
  }
}
