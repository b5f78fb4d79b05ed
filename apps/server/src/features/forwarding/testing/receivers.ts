import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';

export interface Keys {
  readonly key: string;
  readonly certificate: string;
}

/** An event as it arrives. */
export interface Arrived {
  readonly sequence: number;
  readonly event: string;
  readonly subjectId: string | null;
}

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const closed = (server: Server) => new Promise<void>((resolve) => void server.close(() => resolve()));

/** A syslog server: counts octets as RFC 5425 says, and refuses anything else. */
export async function startSyslogReceiver({ key, certificate }: Keys) {
  const messages: string[] = [];
  const faults: string[] = [];
  const server = createTlsServer({ key, cert: certificate }, (socket) => {
    let bytes = Buffer.alloc(0);
    socket
      .on('error', () => undefined)
      .on('data', (part: Buffer) => {
        bytes = Buffer.concat([bytes, part]);
        for (let blank = bytes.indexOf(' '); blank > 0; blank = bytes.indexOf(' ')) {
          const length = bytes.subarray(0, blank).toString();
          if (!/^[1-9]\d*$/.test(length)) faults.push(`no length: ${length}`);
          if (bytes.length < blank + 1 + Number(length)) break;
          messages.push(bytes.subarray(blank + 1, blank + 1 + Number(length)).toString());
          bytes = bytes.subarray(blank + 1 + Number(length));
        }
      });
    socket.on('end', () => {
      if (bytes.length > 0) faults.push('a message without its end');
      socket.end();
    });
  });
  // A client that does not trust the certificate says so.
  server.on('tlsClientError', () => undefined);
  return { port: await listening(server), messages, faults, close: () => closed(server) };
}

/** A web server that keeps what it accepts, in the order in which it came. */
export async function startWebhookReceiver({ key, certificate }: Keys) {
  const accepted: { id: string; events: Arrived[] }[] = [];
  const bodies: string[] = [];
  const refused: number[] = [];
  const state = { status: 200, secret: '' };
  const server = createHttpsServer({ key, cert: certificate }, (request, response) => {
    const parts: Buffer[] = [];
    request
      .on('data', (part: Buffer) => parts.push(part))
      .on('end', () => {
        const body = Buffer.concat(parts).toString();
        const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signature } = request.headers;
        const secret = Buffer.from(state.secret.replace('whsec_', ''), 'base64');
        const wanted = `v1,${createHmac('sha256', secret)
          .update(`${String(id)}.${String(time)}.${body}`)
          .digest('base64')}`;
        const status = state.status !== 200 ? state.status : signature === wanted ? 200 : 401;
        if (status === 200) {
          bodies.push(body);
          accepted.push({ id: String(id), events: (JSON.parse(body) as { events?: Arrived[] }).events ?? [] });
        } else refused.push(status);
        response.writeHead(status).end();
      });
  });
  const port = await listening(server);
  return {
    url: `https://127.0.0.1:${port}/hooks/audit`,
    accepted,
    bodies,
    refused,
    state,
    events: () => accepted.flatMap(({ events }) => events).filter(({ event }) => event !== 'forwarding.test'),
    close: () => closed(server),
  };
}
