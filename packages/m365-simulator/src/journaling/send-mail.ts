import { connect, isIP, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';

/** Where journal reports go: what a connector of Exchange Online says. */
export interface MailTarget {
  readonly host: string;
  readonly port: number;
  readonly to: string;
}

const TIMEOUT_MS = 30_000;

/** Waits for whole replies, one after the other. */
function createReplies(socket: Socket) {
  let text = '';
  let wake: () => void = () => undefined;
  let failure: Error | undefined;
  const fail = (error: Error): void => {
    failure ??= error;
    wake();
  };
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
    wake();
  });
  socket.once('error', fail).once('close', () => fail(new Error('The connection ended.')));
  socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('The receiver does not answer.')));
  return async function reply(wanted: string): Promise<string> {
    for (;;) {
      const found = /^(?:\d{3}-.*\r\n)*\d{3}(?: .*)?\r\n/u.exec(text);
      if (found) {
        text = text.slice(found[0].length);
        if (!found[0].startsWith(wanted)) throw new Error(found[0].trim());
        return found[0];
      }
      if (failure) throw failure;
      await new Promise<void>((resolve) => (wake = resolve));
    }
  };
}

async function secured(plain: Socket, host: string): Promise<Socket> {
  plain.removeAllListeners('data');
  // Like Exchange without a named certificate: encrypted, to whoever answers.
  const named = isIP(host) === 0 ? { servername: host } : {};
  const socket = connectSecurely({ socket: plain, ...named, rejectUnauthorized: false });
  await new Promise<void>((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject));
  return socket;
}

/** Hands one mail to a receiver and waits until it is accepted. Throws what the receiver says otherwise. */
export async function sendMail(target: MailTarget, from: string, mail: Buffer): Promise<void> {
  const plain = connect({ host: target.host, port: target.port });
  let socket: Socket = plain;
  try {
    let reply = createReplies(plain);
    await reply('220');
    plain.write('EHLO mail.protection.outlook.com\r\n');
    await reply('250');
    plain.write('STARTTLS\r\n');
    await reply('220');
    socket = await secured(plain, target.host);
    reply = createReplies(socket);
    for (const [command, wanted] of [
      ['EHLO mail.protection.outlook.com', '250'],
      [`MAIL FROM:<${from}>`, '250'],
      [`RCPT TO:<${target.to}>`, '250'],
      ['DATA', '354'],
    ] as const) {
      socket.write(`${command}\r\n`);
      await reply(wanted);
    }
    const text = mail.toString('latin1');
    const dotted = (text.startsWith('.') ? `.${text}` : text).replaceAll('\r\n.', '\r\n..');
    socket.write(Buffer.from(`${dotted}${text.endsWith('\r\n') ? '' : '\r\n'}.\r\n`, 'latin1'));
    await reply('250');
    socket.end('QUIT\r\n');
  } finally {
    socket.destroySoon();
  }
}
