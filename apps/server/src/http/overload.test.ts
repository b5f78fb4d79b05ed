import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { createIds } from '@holdfast/foundation/ids';
import { silentLogger } from '@holdfast/foundation/logger';
import { systemClock } from '@holdfast/foundation/clock';
import { createSeededRandom } from '@holdfast/foundation/random';
import { expect, onTestFinished, test } from 'vitest';
import { createHttpApp } from './app.ts';
import { refuseWhenOverloaded } from './overload.ts';

/** A server in this process, so that what holds up this process holds up the server. */
async function serving(mostBehindMs?: number) {
  const { server } = await createHttpApp({
    sessions: { read: async () => undefined, watch: () => () => undefined },
    organisations: { resolve: async () => [] },
    idempotency: { claim: async () => ({ state: 'fresh' }), finish: async () => undefined, release: async () => undefined },
    clock: systemClock,
    ids: createIds(systemClock, createSeededRandom(1)),
    logger: silentLogger,
  });
  refuseWhenOverloaded(server, systemClock, mostBehindMs);
  server.get('/asked', async () => ({}));
  onTestFinished(() => server.close());
  return server;
}

/** One turn of the event loop that takes so long. */
function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

test('a process whose turns take a second each is slow, and not overloaded: everybody is answered', async () => {
  const server = await serving();
  for (let turn = 0; turn < 4; turn += 1) {
    block(1_050);
    await nextTurn();
    expect((await server.inject('/asked')).statusCode).toBe(200);
  }
});

test('a process that is further behind than it may be refuses with Retry-After, until it has caught up', async () => {
  const server = await serving(200);
  block(1_500);
  await sleep(1);
  const refused = await server.inject('/asked');
  expect([refused.statusCode, refused.headers['retry-after'], refused.json()]).toEqual([
    503,
    '5',
    expect.objectContaining({ code: 'service.overloaded' }),
  ]);
  await expect.poll(async () => (await server.inject('/asked')).statusCode).toBe(200);
});
