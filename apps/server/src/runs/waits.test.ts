import { createFakeClock } from '@holdfast/foundation/testing/fake-clock';
import { expect, test } from 'vitest';
import { createWaits } from './waits.ts';

const none = { microsoft: 0, storage: 0, database: 0 };

test('parts that wait for the same at once count once, and a wait that goes on counts so far', async () => {
  const clock = createFakeClock();
  const waits = createWaits(clock, none);
  waits.begin('microsoft', 'one');
  await clock.advance(1_000);
  waits.begin('microsoft', 'two');
  waits.begin('storage');
  await clock.advance(2_000);
  waits.end('microsoft', 'one');
  expect(waits.read()).toEqual({ microsoft: 3_000, storage: 2_000, database: 0 });
  await clock.advance(4_000);
  waits.end('microsoft', 'two');
  await clock.advance(8_000);
  expect(waits.read()).toEqual({ microsoft: 7_000, storage: 14_000, database: 0 });
});

test('whoever takes a run up counts on, and the end of no wait counts nothing', async () => {
  const clock = createFakeClock();
  const waits = createWaits(clock, { ...none, database: 500 });
  waits.end('database');
  waits.begin('database');
  waits.begin('database');
  await clock.advance(250);
  waits.end('database');
  waits.end('database');
  expect(waits.read()).toEqual({ ...none, database: 750 });
});
