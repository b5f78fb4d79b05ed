import { describe, expect, it } from 'vitest';
import { retryAfterMs, slowDownMs } from './retry-after.ts';

const NOW = Date.UTC(2026, 0, 31, 10, 0, 0);

describe('retryAfterMs', () => {
  it('reads whole seconds', () => expect(retryAfterMs({ 'retry-after': '120' }, NOW)).toBe(120_000));
  it('rounds decimal seconds up to the millisecond', () => expect(retryAfterMs({ 'retry-after': '2.1281' }, NOW)).toBe(2_129));
  it('reads a date against the date of the answer, not against our clock', () => {
    const headers = { 'retry-after': 'Sat, 31 Jan 2026 12:01:30 GMT', date: 'Sat, 31 Jan 2026 12:00:00 GMT' };
    expect(retryAfterMs(headers, NOW)).toBe(90_000);
  });
  it('takes a date that has passed as no wait', () =>
    expect(retryAfterMs({ 'retry-after': 'Sat, 31 Jan 2026 09:00:00 GMT' }, NOW)).toBe(0));
  it('takes the greater of Retry-After and RateLimit-Reset', () => {
    expect(retryAfterMs({ 'retry-after': '3', 'ratelimit-reset': '41' }, NOW)).toBe(41_000);
    expect(retryAfterMs({ 'retry-after': '50', 'ratelimit-reset': '41' }, NOW)).toBe(50_000);
  });
  it.each([undefined, '', 'soon', '-5', '1e9'])('says nothing for %s', (text) =>
    expect(retryAfterMs({ 'retry-after': text }, NOW)).toBeUndefined(),
  );
});

describe('slowDownMs', () => {
  it('does nothing while more is left than waits', () => {
    expect(slowDownMs({ 'ratelimit-remaining': '11', 'ratelimit-reset': '30' }, 10)).toBe(0);
  });
  it('spreads what is left over the time to the reset', () => {
    expect(slowDownMs({ 'ratelimit-remaining': '9', 'ratelimit-reset': '30' }, 50)).toBe(3_000);
  });
  it('waits for the reset when nothing is left', () =>
    expect(slowDownMs({ 'ratelimit-remaining': '0', 'ratelimit-reset': '30' }, 0)).toBe(30_000));
  it('slows down when the directory says that most is used', () => {
    expect(slowDownMs({ 'x-ms-throttle-limit-percentage': '0.9' }, 0)).toBe(900);
    expect(slowDownMs({ 'x-ms-throttle-limit-percentage': '0.79' }, 0)).toBe(0);
  });
});
