import { expect, it } from 'vitest';
import { aClient } from '../../testing/a-client.ts';
import { connectionLost, type ScriptedAnswer } from '../../testing/scripted-transport.ts';

const date = 'Thu, 01 Jan 2026 00:00:30 GMT';
/** The last moment of that second. */
const attestedMs = Date.parse('2026-01-01T00:00:30.999Z');

it.each([200, 401, 503])('takes the time from an answer with %i, and sends no token', async (status) => {
  const { client, run, transport } = aClient(() => ({ status, headers: { date } }));
  expect(await run(client.serviceTime())).toBe(attestedMs);
  expect(transport.requests.map(({ headers }) => headers['authorization'])).toEqual([undefined]);
  expect(transport.signIns).toBe(0);
});

it.each([{}, { date: 'yesterday' }])('refuses an answer whose date is %j', async (headers) => {
  const { client, run } = aClient(() => ({ headers }));
  await expect(run(client.serviceTime())).rejects.toMatchObject({ code: 'graph.unexpected-response' });
});

function lostTimes(times: number): () => ScriptedAnswer {
  let left = times;
  return () => {
    left -= 1;
    return left >= 0 ? connectionLost() : { headers: { date } };
  };
}

it('gives up after three tries for somebody at a screen, and waits for a run that says so', async () => {
  await expect(aClientWith(lostTimes(3)).now()).rejects.toMatchObject({ code: 'graph.network' });
  const told: (string | undefined)[] = [];
  expect(await aClientWith(lostTimes(9), (code) => told.push(code)).now()).toBe(attestedMs);
  expect(told).toEqual([...Array.from({ length: 9 }, () => 'graph.network'), undefined]);
});

function aClientWith(respond: () => ScriptedAnswer, onWaiting?: (code: string | undefined) => void) {
  const { client, run } = aClient(respond);
  return { now: () => run((onWaiting ? client.with({ onWaiting }) : client).serviceTime()) };
}
