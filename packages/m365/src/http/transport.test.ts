import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { collect } from '@holdfast/foundation/streams';
import { afterEach, describe, expect, it } from 'vitest';
import { isGraphError } from '../errors/errors.ts';
import { createTransport, type Transport } from './transport.ts';

let server: Server | undefined;
let transport: Transport | undefined;

afterEach(async () => {
  await transport?.close();
  server?.closeAllConnections();
  await new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()));
});

async function start(listener: RequestListener): Promise<URL> {
  server = createServer(listener);
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  transport = createTransport({ connectTimeoutMs: 2_000, headersTimeoutMs: 1_000, idleTimeoutMs: 1_000 });
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/a?b=c`);
}

function send(url: URL, more: object = {}) {
  if (!transport) throw new Error('no transport');
  return transport.send({ method: 'GET', url, headers: {}, ...more });
}

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
}

describe('the transport', () => {
  it('sends what it is given and reads what comes', async () => {
    const url = await start((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => response.setHeader('X-Echo', `${request.method} ${request.url}`).end(Buffer.concat(parts)));
    });
    const response = await send(url, { method: 'PUT', body: Buffer.from('hello') });
    expect([response.status, response.headers['x-echo']]).toEqual([200, 'PUT /a?b=c']);
    expect((await response.read(10)).toString()).toBe('hello');
  });

  it('unpacks gzip, and refuses what would unpack beyond the limit', async () => {
    const url = await start((_, response) => response.setHeader('Content-Encoding', 'gzip').end(gzipSync(Buffer.alloc(5_000_000))));
    expect((await (await send(url)).read(6_000_000)).byteLength).toBe(5_000_000);
    expect(await failureOf((await send(url)).read(1_000_000))).toBeInstanceOf(Error);
  });

  it('follows no redirect', async () => {
    const url = await start((_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end());
    expect((await send(url)).status).toBe(302);
  });

  it.each([
    ['a reset before the answer', (request: Parameters<RequestListener>[0]) => request.socket.destroy()],
    [
      'a body shorter than its length',
      (_: unknown, response: Parameters<RequestListener>[1]) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('short', () => response.socket?.destroy());
      },
    ],
    [
      'a body that stands still',
      (_: unknown, response: Parameters<RequestListener>[1]) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('x');
      },
    ],
    ['no answer at all', () => undefined],
  ] as const)('names %s as a failure of the network', { timeout: 15_000 }, async (_, listener) => {
    const url = await start(listener);
    const failure = await failureOf(send(url).then((response) => collect(response.body, 1_000)));
    expect(isGraphError(failure, 'graph.network') && failure.details['neverSent']).toBe(false);
  });

  it('knows that a refused connection carried nothing', async () => {
    const url = await start(() => undefined);
    url.port = '1';
    const failure = await failureOf(send(url));
    expect(isGraphError(failure, 'graph.network') && failure.details['neverSent']).toBe(true);
  });

  it('ends at once when it is cancelled, with the reason given', async () => {
    const url = await start(() => undefined);
    const cancel = new AbortController();
    const work = failureOf(send(url, { signal: cancel.signal }));
    cancel.abort(new Error('enough'));
    expect(String(await work)).toContain('enough');
  });
});
