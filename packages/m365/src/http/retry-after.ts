/** Waits longer than this are not sat out by a request; the pause itself is kept. */
export const LONGEST_WAIT_MS = 6 * 60 * 60 * 1000;

function secondsToMs(text: string): number | undefined {
  if (!/^\d+(\.\d+)?$/.test(text)) return undefined;
  return Math.ceil(Number(text) * 1000);
}

function dateToMs(text: string, nowMs: number): number | undefined {
  const at = /^[A-Za-z]{3}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}

type Headers = Readonly<Record<string, string | undefined>>;

/**
 * How long an answer tells us to wait: `Retry-After` as seconds, decimal seconds (rounded up to the millisecond) or an
 * HTTP date, measured against the answer's own `Date`; with `RateLimit-Reset` the greater of the two. `undefined` when
 * `Retry-After` is absent or unreadable.
 */
export function retryAfterMs(headers: Headers, nowMs: number): number | undefined {
  const text = headers['retry-after']?.trim();
  if (text === undefined || text === '') return undefined;
  const servedAt = Date.parse(headers['date'] ?? '');
  const told = secondsToMs(text) ?? dateToMs(text, Number.isNaN(servedAt) ? nowMs : servedAt);
  if (told === undefined) return undefined;
  const reset = secondsToMs(headers['ratelimit-reset']?.trim() ?? '');
  return Math.max(told, reset ?? 0);
}

/**
 * How long to hold a bucket so that what is left of its limit lasts until the reset, given how many requests wait.
 * 0 while enough is left. The directory says its use as a share instead, from 0.8 on.
 */
export function slowDownMs(headers: Headers, queued: number): number {
  const share = Number(headers['x-ms-throttle-limit-percentage'] ?? '0');
  if (share >= 0.8) return Math.ceil(1000 * share);
  const remaining = Number(headers['ratelimit-remaining'] ?? 'NaN');
  const resetMs = secondsToMs(headers['ratelimit-reset']?.trim() ?? '');
  if (Number.isNaN(remaining) || resetMs === undefined || remaining > queued) return 0;
  return Math.ceil(resetMs / (Math.max(0, remaining) + 1));
}
