import { expect, test } from 'vitest';
import { nowIso, systemClock } from './clock.ts';
import { createFakeClock } from './testing/fake-clock.ts';

test('a fake clock fires timers in the order of their time, not of their making', async () => {
  const clock = createFakeClock();
  const fired: string[] = [];
  clock.after(20, () => fired.push('late'));
  clock.after(10, () => fired.push('early'));
  await clock.advance(15);
  expect(fired).toEqual(['early']);
  await clock.advance(5);
  expect(fired).toEqual(['early', 'late']);
});

test('a repeating timer fires once for each interval until it is cancelled', async () => {
  const clock = createFakeClock();
  let ticks = 0;
  const cancel = clock.every(10, () => (ticks += 1));
  await clock.advance(35);
  cancel();
  await clock.advance(100);
  expect(ticks).toBe(3);
});

test('a sleep that is aborted rejects with the reason and leaves no timer behind', async () => {
  const clock = createFakeClock();
  const controller = new AbortController();
  const sleeping = clock.sleep(1_000, controller.signal);
  controller.abort(new Error('stop'));
  await expect(sleeping).rejects.toThrow('stop');
});

test('moving the wall clock does not move elapsed time', async () => {
  const clock = createFakeClock(0);
  clock.setNow(Date.UTC(2030, 0, 1));
  expect(clock.monotonicMs()).toBe(0);
  expect(nowIso(clock)).toBe('2030-01-01T00:00:00.000Z');
});

test('the system clock rejects a sleep whose signal is already aborted', async () => {
  await expect(systemClock.sleep(10, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
});
