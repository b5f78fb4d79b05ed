import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

export interface MailServer {
  /** For `HOLDFAST_SMTP_URL`. */
  readonly url: string;
  /** Everything that came, headers and body, oldest first. */
  readonly mails: readonly string[];
  close(): Promise<void>;
}

/** Takes what it is given, as RFC 5321 asks of the least of servers, and sends nothing on. */
export async function startMailServer(): Promise<MailServer> {
  const mails: string[] = [];
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    socket.on('error', () => socket.destroy());
    let waiting = '';
    let mail: string[] | undefined;
    const say = (line: string): void => void socket.write(`${line}\r\n`);
    const hear = (line: string): void => {
      if (mail !== undefined && line !== '.') return void mail.push(line.replace(/^\./, ''));
      if (mail !== undefined) {
        mails.push(mail.join('\n'));
        mail = undefined;
        return say('250 kept');
      }
      const verb = line.slice(0, 4).toUpperCase();
      if (verb === 'DATA') mail = [];
      return say(verb === 'DATA' ? '354 go on' : verb === 'QUIT' ? '221 bye' : '250 localhost');
    };
    say('220 localhost');
    socket.setEncoding('utf8').on('data', (text: string) => {
      const lines = `${waiting}${text}`.split('\r\n');
      waiting = lines.pop() ?? '';
      lines.forEach(hear);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
