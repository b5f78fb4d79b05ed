import type { ReceiverRow } from './receivers.store.ts';

/** When an organisation expects mail. */
export type BusinessHours = Pick<ReceiverRow, 'business_days' | 'business_from' | 'business_to'>;

const MINUTE_MS = 60_000;
/** Silence is counted over so many days at most: the longest alarm is a week of business. */
const LONGEST_MS = 60 * 24 * 3_600_000;
const WEEKDAYS: Readonly<Record<string, number>> = { Mon: 1, Tue: 2, Wed: 3, Thu: 4, Fri: 5, Sat: 6, Sun: 7 };

function clockOf(zone: string): (atMs: number) => { readonly day: number; readonly minute: number } {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  return (atMs) => {
    const parts = new Map(format.formatToParts(atMs).map(({ type, value }) => [type, value]));
    const minute = Number(parts.get('hour')) * 60 + Number(parts.get('minute'));
    return { day: WEEKDAYS[parts.get('weekday') ?? ''] ?? 1, minute };
  };
}

const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

/**
 * Milliseconds of business between two moments by the clock of a time zone, and whether the second one is in business. Counted
 * in steps that never cross a quarter of an hour, for time zones change at none that is finer.
 */
export function businessBetween(
  fromMs: number,
  toMs: number,
  { hours, zone }: { readonly hours: BusinessHours; readonly zone: string },
): { readonly ms: number; readonly isNow: boolean } {
  const clock = clockOf(zone);
  const opens = minuteOf(hours.business_from);
  const closes = minuteOf(hours.business_to);
  const isOpen = (atMs: number): boolean => {
    const { day, minute } = clock(atMs);
    return hours.business_days.includes(day) && minute >= opens && minute < closes;
  };
  const step = 15 * MINUTE_MS;
  let ms = 0;
  for (let at = Math.max(fromMs, toMs - LONGEST_MS); at < toMs;) {
    const { minute } = clock(at);
    const edges = [opens, closes].map((edge) => at - (at % MINUTE_MS) + (edge - minute) * MINUTE_MS).filter((edge) => edge > at);
    const end = Math.min(toMs, at - (at % step) + step, ...edges);
    if (isOpen(at)) ms += end - at;
    at = end;
  }
  return { ms, isNow: isOpen(toMs) };
}

/** Whether a receiver has been silent for too long, in business hours. */
export function isSilent(
  row: BusinessHours & Pick<ReceiverRow, 'silence_minutes' | 'last_received_at' | 'watched_since'>,
  parts: { readonly nowMs: number; readonly zone: string },
): boolean {
  if (row.silence_minutes === 0) return false;
  const sinceMs = Math.max(row.watched_since.getTime(), row.last_received_at?.getTime() ?? 0);
  const { ms, isNow } = businessBetween(sinceMs, parts.nowMs, { hours: row, zone: parts.zone });
  return isNow && ms >= row.silence_minutes * MINUTE_MS;
}
