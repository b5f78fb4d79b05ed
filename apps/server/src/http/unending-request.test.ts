import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { createFakeClock } from '@holdfast/foundation/testing/fake-clock';
import { createIds } from '@holdfast/foundation/ids';
import { silentLogger } from '@holdfast/foundation/logger';
import { createSeededRandom } from '@holdfast/foundation/random';
import { expect, test } from 'vitest';
import { createHttpApp } from './app.ts';

const clock = createFakeClock();

async function serving(requestMs?: number) {
  return createHttpApp({
    sessions: { read: async () => undefined, watch: () => () => undefined },
    organisations: { resolve: async () => [] },
    idempotency: { claim: async () => ({ state: 'fresh' }), finish: async () => undefined, release: async () => undefined },
    clock,
    ids: createIds(clock, createSeededRandom(1)),
    logger: silentLogger,
    ...(requestMs === undefined ? {} : { requestMs }),
  });
}

test('a body that never ends is ended, and its connection closed', async () => {
  const { server } = await serving(200);
  server.post('/taken', async () => ({}));
  await server.listen({ host: '127.0.0.1', port: 0 });
  try {
    const { port } = server.server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1').setEncoding('utf8');
    let answer = '';
    socket.on('data', (part: string) => (answer += part));
    socket.write('POST /taken HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a":');
    await once(socket, 'close');
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  } finally {
    await server.close();
  }
});

test('without another limit a request has a bounded time to arrive', async () => {
  const { server } = await serving();
  expect(server.server.requestTimeout).toBeGreaterThan(0);
  await server.close();
});
