import { expect, test } from 'vitest';
import { repeat } from './repeating.ts';
import { createFakeClock } from './testing/fake-clock.ts';

test('a turn is taken at each interval, again at once while there is more, and never while another one lasts', async () => {
  const clock = createFakeClock();
  const answers = [true, true, false];
  let turns = 0;
  const stop = repeat({ clock, everyMs: 1_000, turn: async () => answers[turns++], onError: () => expect.unreachable() });
  await clock.advance(1_000);
  expect(turns).toBe(3);
  const long = Promise.withResolvers<boolean>();
  await stop();
  let begun = 0;
  const stopLong = repeat({ clock, everyMs: 1_000, turn: () => ((begun += 1), long.promise), onError: () => expect.unreachable() });
  await clock.advance(5_000);
  expect(begun).toBe(1);
  long.resolve(true);
  await stopLong();
  expect([turns, begun]).toEqual([3, 1]);
});

test('a turn that fails is reported, and the next one is taken nevertheless', async () => {
  const clock = createFakeClock();
  const faults: unknown[] = [];
  const stop = repeat({ clock, everyMs: 1_000, turn: () => Promise.reject(new Error('no')), onError: (error) => faults.push(error) });
  await clock.advance(2_000);
  expect(faults).toHaveLength(2);
  await stop();
});
