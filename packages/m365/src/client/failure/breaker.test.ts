import { createSeededRandom } from '@holdfast/foundation/random';
import { createFakeClock } from '@holdfast/foundation/testing/fake-clock';
import { describe, expect, it } from 'vitest';
import { createBreaker } from './breaker.ts';

function failTimes(breaker: ReturnType<typeof createBreaker>, times: number, thing = (count: number) => ['u', `m${count}`]) {
  const rests: (number | undefined)[] = [];
  for (let count = 0; count < times; count += 1) rests.push(breaker.failed(['b'], thing(count))?.restMs);
  return rests;
}

describe('the breaker', () => {
  it('takes a dozen faults in a row for an outage, and rests longer and longer, up to five minutes', () => {
    const breaker = createBreaker(createFakeClock(), createSeededRandom(1));
    const rests = failTimes(breaker, 30);
    expect(rests.slice(0, 11).every((rest) => rest === undefined)).toBe(true);
    expect(rests[11]).toBeGreaterThanOrEqual(1_000);
    expect(Math.max(...rests.map((rest) => rest ?? 0))).toBeLessThanOrEqual(300_000);
    expect(rests[29] ?? 0).toBeGreaterThan(rests[11] ?? 0);
  });

  it('never takes one thing for an outage, nor one with its parts', () => {
    const breaker = createBreaker(createFakeClock(), createSeededRandom(1));
    const parts = [
      ['u', 'm'],
      ['u', 'm', 'a1'],
      ['u', 'm', 'a2'],
      ['u', 'other'],
    ];
    expect(failTimes(breaker, 100, (count) => parts[count % parts.length] ?? []).every((rest) => rest === undefined)).toBe(true);
  });

  it('ends with one success, and knows other buckets nothing', () => {
    const breaker = createBreaker(createFakeClock(), createSeededRandom(1));
    failTimes(breaker, 20);
    expect(breaker.failed(['other'], ['u', 'm'])).toBeUndefined();
    breaker.succeeded(['b']);
    expect(breaker.failed(['b'], ['u', 'm'])).toBeUndefined();
  });

  it('lets items fail for themselves when an outage does not end', async () => {
    const clock = createFakeClock();
    const breaker = createBreaker(clock, createSeededRandom(1));
    failTimes(breaker, 20);
    await clock.advance(91 * 60_000);
    expect(breaker.failed(['b'], ['u', 'm'])).toBeUndefined();
  });
});
