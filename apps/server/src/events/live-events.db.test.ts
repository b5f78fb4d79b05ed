import { testDatabase } from '@holdfast/database/testing/test-database';
import { systemClock } from '@holdfast/foundation/clock';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aGround, type Ground } from '../testing/rows.ts';
import { announce, createLiveEvents, type LiveEvents, type NumberedEvent } from './live-events.ts';

const { database } = testDatabase(import.meta.url);
let live: LiveEvents;
let ours: Ground;
let theirs: Ground;

beforeAll(async () => {
  live = createLiveEvents(database, systemClock);
  ours = await aGround(database);
  theirs = await aGround(database);
  // The listener connects in the background: wait until it hears.
  const heard = collect(ours, 1);
  const stop = systemClock.every(50, () => void tell(ours, 'ready').catch(() => undefined));
  await heard.events;
  stop();
});
afterAll(() => live.close());

function tell(ground: Ground, jobId: string): Promise<void> {
  return database.within(ground.scope, (tx) =>
    announce(tx, ground.scope, { name: 'jobs.changed', tenantId: ground.tenantId, data: { jobId } }),
  );
}

function collect(ground: Ground, count: number, lastId?: string) {
  const stopping = new AbortController();
  const source = live.subscribe(ground.scope, ground.tenantId, { signal: stopping.signal, ...(lastId === undefined ? {} : { lastId }) });
  const events = (async () => {
    const found: NumberedEvent[] = [];
    for await (const event of source) {
      found.push(event);
      if (found.length >= count) break;
    }
    return found;
  })();
  return { events, stop: () => stopping.abort() };
}

test('a subscriber hears its own tenant, in order, and nobody else’s', async () => {
  const { events } = collect(ours, 2);
  await tell(theirs, 'foreign');
  await tell(ours, 'a');
  await tell(ours, 'b');
  expect((await events).map((event) => event.data['jobId'])).toEqual(['a', 'b']);
});

test('what a transaction announces is heard only when it commits', async () => {
  const { events } = collect(ours, 1);
  await database
    .within(ours.scope, async (tx) => {
      await announce(tx, ours.scope, { name: 'jobs.changed', tenantId: ours.tenantId, data: { jobId: 'undone' } });
      throw new Error('undone');
    })
    .catch(() => undefined);
  await tell(ours, 'done');
  expect((await events)[0]?.data['jobId']).toBe('done');
});

test('a client that comes back hears what it missed; one that was away too long is told to read anew', async () => {
  const { events } = collect(ours, 1);
  await tell(ours, 'seen');
  const [seen] = await events;
  await tell(ours, 'missed');
  const again = await collect(ours, 1, seen?.id).events;
  expect(again[0]?.data['jobId']).toBe('missed');
  const anew = await collect(ours, 2, 'another-process-7').events;
  expect(anew.map((event) => event.name)).toEqual(['jobs.changed', 'tenants.changed']);
});

test('nothing is held for a reader that stands still; when it goes on it reads everything anew', async () => {
  const stopping = new AbortController();
  const reader = live.subscribe(ours.scope, ours.tenantId, { signal: stopping.signal })[Symbol.asyncIterator]();
  const first = reader.next();
  await tell(ours, 'first');
  expect((await first).value).toMatchObject({ data: { jobId: 'first' } });
  for (const from of [0, 500]) {
    await database.within(ours.scope, async (tx) => {
      for (let at = from; at < from + 500; at += 1)
        await announce(tx, ours.scope, { name: 'jobs.changed', tenantId: ours.tenantId, data: { jobId: `${at}` } });
    });
  }
  // What is told later is heard later: all of it has come.
  const { events } = collect(ours, 1);
  await tell(ours, 'last');
  await events;
  const read: NumberedEvent[] = [];
  for (let next = await reader.next(); !next.done; next = await reader.next()) {
    read.push(next.value);
    if (next.value.name === 'tenants.changed') break;
  }
  expect(read.slice(0, 500).map((event) => event.data['jobId'])).toEqual(Array.from({ length: 500 }, (_, at) => `${at}`));
  expect(read.slice(500).map(({ name, data }) => [name, data['jobId']])).toEqual([
    ['jobs.changed', null],
    ['tenants.changed', undefined],
  ]);
  stopping.abort();
  await tell(ours, 'over');
  await reader.return?.();
});
