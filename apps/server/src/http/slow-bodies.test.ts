import { connect, type AddressInfo, type Socket } from 'node:net';
import { createFakeClock } from '@holdfast/foundation/testing/fake-clock';
import { createIds } from '@holdfast/foundation/ids';
import { silentLogger } from '@holdfast/foundation/logger';
import { createSeededRandom } from '@holdfast/foundation/random';
import { expect, onTestFinished, test } from 'vitest';
import { createHttpApp } from './app.ts';
import { readSlowBodiesInTurns } from './slow-bodies.ts';

const TURN_MS = 100;
const HEAD = 'POST /taken HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 7\r\n';

async function serving() {
  const clock = createFakeClock();
  const { server } = await createHttpApp({
    sessions: { read: async () => undefined, watch: () => () => undefined },
    organisations: { resolve: async () => [] },
    idempotency: { claim: async () => ({ state: 'fresh' }), finish: async () => undefined, release: async () => undefined },
    clock,
    ids: createIds(clock, createSeededRandom(1)),
    logger: silentLogger,
  });
  readSlowBodiesInTurns(server, clock, (request) => request.headers.authorization === undefined);
  const arrived: Socket[] = [];
  server.addHook('preParsing', (request, _reply, payload, done) => {
    arrived.push(request.raw.socket);
    done(null, payload);
  });
  server.post('/taken', (request, reply) => reply.send(request.body));
  await server.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => server.close());
  return { clock, arrived, port: (server.server.address() as AddressInfo).port };
}

/** Connections that have sent the head of a request and the first half of its body. */
async function begun({ port, arrived }: Awaited<ReturnType<typeof serving>>, count: number, header = '') {
  const before = arrived.length;
  const sockets = Array.from({ length: count }, () => {
    const socket = connect(port, '127.0.0.1').setEncoding('utf8');
    socket.write(`${HEAD}${header}\r\n{"a"`);
    return socket;
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  await expect.poll(() => arrived.length - before).toBe(count);
  return { client: sockets, server: arrived.slice(before) };
}

/** Ends the body, and reads the whole answer. */
async function ended(socket: Socket, turn: () => Promise<void>): Promise<string> {
  let answer = '';
  socket.on('data', (part: string) => (answer += part));
  socket.write(':1}');
  await expect
    .poll(async () => {
      await turn();
      return answer;
    })
    .toMatch(/\r\n\r\n\{"a":1\}$/);
  return answer.slice(0, 'HTTP/1.1 200'.length);
}

test('of 120 bodies that strangers are slow to send 50 are read at a time, each in its turn, and all are answered', async () => {
  const running = await serving();
  const { client, server } = await begun(running, 120);
  expect(server.filter((socket) => socket.isPaused())).toEqual([]);
  const turns = [];
  for (let turn = 0; turn < 3; turn += 1) {
    await running.clock.advance(TURN_MS);
    turns.push(new Set(server.filter((socket) => !socket.isPaused())));
  }
  expect(turns.map((read) => read.size)).toEqual([50, 50, 50]);
  expect(turns[0]?.union(turns[1] ?? new Set()).union(turns[2] ?? new Set()).size).toBe(120);
  const answers = await Promise.all(client.map((socket) => ended(socket, () => running.clock.advance(TURN_MS))));
  expect(new Set(answers)).toEqual(new Set(['HTTP/1.1 200']));
  expect(server.filter((socket) => socket.isPaused())).toEqual([]);
});

test('neither somebody who is signed in nor a request that has arrived waits for the turn of strangers', async () => {
  const running = await serving();
  await begun(running, 120);
  const known = await begun(running, 1, 'Authorization: Bearer known\r\n');
  await running.clock.advance(TURN_MS);
  expect(known.server.map((socket) => socket.isPaused())).toEqual([false]);
  const stay = async (): Promise<void> => undefined;
  expect(await ended(known.client[0]!, stay)).toBe('HTTP/1.1 200');
  const quick = connect(running.port, '127.0.0.1').setEncoding('utf8');
  onTestFinished(() => void quick.destroy());
  quick.write(`${HEAD}\r\n{"a"`);
  expect(await ended(quick, stay)).toBe('HTTP/1.1 200');
});

test('a stranger who goes away makes room, and the connection is let go', async () => {
  const running = await serving();
  const { client, server } = await begun(running, 120);
  await running.clock.advance(TURN_MS);
  for (const socket of client.slice(0, 100)) socket.destroy();
  await expect
    .poll(async () => {
      await running.clock.advance(TURN_MS);
      return server.filter((socket) => socket.destroyed).length;
    })
    .toBe(100);
  await running.clock.advance(TURN_MS);
  expect(server.filter((socket) => !socket.destroyed && socket.isPaused())).toEqual([]);
});
