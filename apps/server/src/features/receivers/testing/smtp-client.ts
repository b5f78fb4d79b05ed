import { connect, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';

/** A client of tests, which says exactly what it is told to. */
export interface SmtpClient {
  /** Sends a line and answers the whole reply. */
  say(line: string): Promise<string>;
  /** Sends bytes as they are and answers the next reply. */
  send(bytes: Buffer | string): Promise<string>;
  /** MAIL, RCPT and DATA with these bytes, dots added by the rules. Answers the last reply. */
  mail(to: string, raw: Buffer, from?: string): Promise<string>;
  /** What has come without being asked for, once the server has closed. */
  ended(): Promise<string>;
  close(): void;
}

/** Dots of transparency, after CRLF alone; the end of a message that has none of its own line is added. */
export function stuffed(raw: Buffer): Buffer {
  const text = raw.toString('latin1');
  const dotted = (text.startsWith('.') ? `.${text}` : text).replaceAll('\r\n.', '\r\n..');
  return Buffer.from(`${dotted}${text.endsWith('\r\n') ? '' : '\r\n'}.\r\n`, 'latin1');
}

function createReader(socket: Socket) {
  let text = '';
  let isOver = false;
  let wake: () => void = () => undefined;
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
    wake();
  });
  const end = (): void => {
    isOver = true;
    wake();
  };
  socket.on('error', end).on('close', end);
  return {
    async reply(): Promise<string> {
      for (;;) {
        const found = /^(?:\d{3}-.*\r\n)*\d{3}(?: .*)?\r\n/u.exec(text);
        if (found) {
          text = text.slice(found[0].length);
          return found[0];
        }
        if (isOver) throw new Error(`The server closed the connection${text === '' ? '' : ` after ${text}`}.`);
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
    async ended(): Promise<string> {
      while (!isOver) await new Promise<void>((resolve) => (wake = resolve));
      return text;
    },
  };
}

async function secured(plain: Socket): Promise<Socket> {
  plain.removeAllListeners('data');
  const socket = connectSecurely({ socket: plain, rejectUnauthorized: false });
  await new Promise<void>((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject));
  return socket;
}

/** Connects, greets and, unless told otherwise, encrypts. */
export async function smtpClient(port: number, { isSecure = true }: { readonly isSecure?: boolean } = {}): Promise<SmtpClient> {
  const plain = connect({ host: '127.0.0.1', port });
  let socket: Socket = plain;
  let reader = createReader(plain);
  await reader.reply();
  const send = async (bytes: Buffer | string): Promise<string> => {
    socket.write(bytes);
    return reader.reply();
  };
  const say = (line: string): Promise<string> => send(`${line}\r\n`);
  await say('EHLO client.example');
  if (isSecure) {
    await say('STARTTLS');
    socket = await secured(plain);
    reader = createReader(socket);
    await say('EHLO client.example');
  }
  return {
    say,
    send,
    async mail(to, raw, from = 'exchange@contoso.example') {
      for (const line of [`MAIL FROM:<${from}>`, `RCPT TO:<${to}>`, 'DATA']) {
        const reply = await say(line);
        if (!/^[23]/u.test(reply)) return reply;
      }
      return send(stuffed(raw));
    },
    ended: () => reader.ended(),
    close: () => socket.destroy(),
  };
}
