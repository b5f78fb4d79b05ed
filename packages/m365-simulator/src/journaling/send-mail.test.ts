import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { createServerCertificate } from '../server/certificates.ts';
import { sendMail } from './send-mail.ts';

const REPLIES: readonly (readonly [command: string, reply: string])[] = [
  ['EHLO', '250 receiver'],
  ['MAIL', '250 ok'],
  ['RCPT', '250 ok'],
  ['DATA', '354 go ahead'],
  ['QUIT', '221 bye'],
];

/** Answers line by line; after DATA everything up to the single dot is the mail. */
function serve(socket: Socket, mails: string[], onStartTls: () => void): void {
  let mail: string[] | undefined;
  let rest = '';
  socket.on('data', (chunk: Buffer) => {
    const lines = `${rest}${chunk.toString('latin1')}`.split('\r\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line === '.' && mail) {
        mails.push(mail.join('\r\n'));
        mail = undefined;
        socket.write('250 stored\r\n');
      } else if (mail) mail.push(line);
      else if (line === 'STARTTLS') {
        socket.removeAllListeners('data');
        socket.write('220 go ahead\r\n', onStartTls);
      } else {
        if (line === 'DATA') mail = [];
        socket.write(`${REPLIES.find(([command]) => line.startsWith(command))?.[1] ?? '500 unknown'}\r\n`);
      }
    }
  });
}

/** A receiver that takes mail after STARTTLS only, and what it has taken. */
async function startReceiver(): Promise<{ readonly port: number; readonly mails: string[] }> {
  const { key, certificate } = await createServerCertificate(['127.0.0.1']);
  const mails: string[] = [];
  const server = createServer((plain) => {
    serve(plain, mails, () => serve(new TLSSocket(plain, { isServer: true, key, cert: certificate }), mails, () => undefined));
    plain.write('220 receiver\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, mails };
}

test('A6: mail reaches a receiver that is known by its address alone, encrypted', async () => {
  const { port, mails } = await startReceiver();
  await sendMail({ host: '127.0.0.1', port, to: 'journal@localhost' }, '', Buffer.from('Subject: Offer\r\n\r\n.dotted\r\n'));
  expect(mails).toEqual(['Subject: Offer\r\n\r\n..dotted']);
});
