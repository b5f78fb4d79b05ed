import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { connect, type Socket } from 'node:net';
import { hostKind } from '../calls/hosts.ts';

export interface Listening {
  readonly port: number;
  close(): Promise<void>;
}

export type Listener = (request: IncomingMessage, response: ServerResponse) => void;

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
  return (server.address() as AddressInfo).port;
}

/** Closes at once: open connections are cut. */
function closer(server: Server, sockets: ReadonlySet<Socket>): () => Promise<void> {
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
}

function track(server: Server, event: 'connection' | 'secureConnection'): Set<Socket> {
  const sockets = new Set<Socket>();
  server.on(event, (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return sockets;
}

export interface TlsOptions {
  readonly key: string;
  readonly cert: string;
}

/** HTTPS on loopback, keep-alive, with headers and bodies of any length of time as the real service takes them. */
export async function listenHttps(
  port: number,
  tls: TlsOptions,
  listener: Listener,
): Promise<Listening & { readonly server: HttpsServer }> {
  const server = createHttpsServer(
    { ...tls, keepAliveTimeout: 65_000, requestTimeout: 0, maxHeaderSize: 65_536, noDelay: true, highWaterMark: 1 << 19 },
    listener,
  );
  const sockets = track(server, 'connection');
  const bound = await listen(server, port);
  return { port: bound, server, close: closer(server, sockets) };
}

/** Plain HTTP on loopback, for administration. */
export async function listenHttp(port: number, listener: Listener): Promise<Listening> {
  const server = createHttpServer({ requestTimeout: 0 }, listener);
  const sockets = track(server, 'connection');
  const bound = await listen(server, port);
  return { port: bound, close: closer(server, sockets) };
}

function refuse(socket: Socket, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
}

/**
 * An HTTP proxy that takes `CONNECT` to the hosts of Microsoft 365 and leads each to the simulator, whatever the name.
 * Any other name, and any plain request, is refused: nothing leaves the machine.
 */
export async function listenProxy(port: number, targetPort: number): Promise<Listening> {
  const server = createHttpServer((_request, response) => {
    response.writeHead(403, { 'Content-Type': 'text/plain' });
    response.end('This proxy only takes CONNECT to the hosts of Microsoft 365.\n');
  });
  const sockets = track(server, 'connection');
  server.on('connect', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const [name = '', wantedPort] = (request.url ?? '').split(':');
    if (hostKind(name) === undefined || wantedPort !== '443') {
      refuse(socket, '403 Forbidden');
      return;
    }
    const upstream = connect(targetPort, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      if (head.byteLength > 0) upstream.write(head);
      upstream.pipe(socket);
      socket.pipe(upstream);
    });
    upstream.on('error', () => socket.destroy());
    socket.on('close', () => upstream.destroy());
    upstream.on('close', () => socket.destroy());
  });
  const bound = await listen(server, port);
  return { port: bound, close: closer(server, sockets) };
}
