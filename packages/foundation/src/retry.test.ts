import { expect, test } from 'vitest';
import { createSeededRandom } from './random.ts';
import { retry } from './retry.ts';
import { createFakeClock, type FakeClock } from './testing/fake-clock.ts';

function options(clock: FakeClock) {
  return { clock, random: createSeededRandom(3), tries: 4, firstDelayMs: 100, maxDelayMs: 1_000, shouldRetry: () => true };
}

test('work that succeeds at the third try is tried three times', async () => {
  const clock = createFakeClock();
  let tries = 0;
  const done = retry(async () => {
    tries += 1;
    if (tries < 3) throw new Error('not yet');
    return 'done';
  }, options(clock));
  await clock.advance(10_000);
  expect(await done).toBe('done');
  expect(tries).toBe(3);
});

test('when the tries are used up the last error is thrown', async () => {
  const clock = createFakeClock();
  let tries = 0;
  const done = retry(async () => {
    tries += 1;
    throw new Error(`try ${tries}`);
  }, options(clock));
  const [outcome] = await Promise.allSettled([done, clock.advance(10_000)]);
  expect(outcome).toMatchObject({ status: 'rejected', reason: { message: 'try 4' } });
});

test('what the other side told us to wait is never cut short', async () => {
  const clock = createFakeClock();
  const at: number[] = [];
  const done = retry(
    async () => {
      at.push(clock.monotonicMs());
      if (at.length === 1) throw new Error('wait');
    },
    { ...options(clock), waitAtLeastMs: () => 5_000 },
  );
  await clock.advance(4_999);
  expect(at).toEqual([0]);
  await clock.advance(1);
  await done;
  expect(at).toEqual([0, 5_000]);
});

test('a failure that is not worth another try is thrown at once', async () => {
  const done = retry(() => Promise.reject(new Error('final')), { ...options(createFakeClock()), shouldRetry: () => false });
  await expect(done).rejects.toThrow('final');
});
