const missing = '–';
const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'] as const;
const minuteMs = 60_000;
const hourMs = 3_600_000;
const dayMs = 86_400_000;

export type MaybeNumber = number | null | undefined;
export type MaybeTime = string | null | undefined;

/** How values look in a language; a missing one is an en dash, never 0. */
export interface Format {
  readonly locale: string;
  /** The IANA zone that times are written in. */
  timeZone(): string;
  bytes(value: MaybeNumber): string;
  count(value: MaybeNumber): string;
  percent(share: MaybeNumber): string;
  date(time: MaybeTime): string;
  dateTime(time: MaybeTime): string;
  timeOfDay(time: MaybeTime): string;
  /** A day as the server counts them, `YYYY-MM-DD`. */
  day(date: string): string;
  /** The same without its year. */
  calendarDay(date: string): string;
  /** A month as the server counts them, `YYYY-MM`. */
  month(month: string): string;
  /** A month of any year, 1 to 12. */
  monthName(month: number): string;
  /** Relative up to 24 hours, then the date. */
  ago(time: MaybeTime, now: number): string;
  duration(ms: MaybeNumber): string;
  /** ISO 8601 with the offset of the reader's zone, for tooltips and exports. */
  iso(time: MaybeTime): string;
}

function localeOf(language: string): string {
  return language === 'de' ? 'de-DE' : 'en-GB';
}

/** Made when first needed: each of these takes a noticeable part of a page's start. */
function once<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => (made ??= make());
}

/** The formatters of one language, over `Intl` in the reader's own time zone unless one is given. */
export function createFormat(language: string, timeZone?: string): Format {
  const locale = localeOf(language);
  const zone = timeZone === undefined ? {} : { timeZone };
  const day = { day: '2-digit', month: language === 'de' ? '2-digit' : 'short', year: 'numeric', ...zone } as const;
  const clock = { hour: '2-digit', minute: '2-digit', ...zone } as const;
  const counts = once(() => new Intl.NumberFormat(locale));
  const threeDigits = once(() => new Intl.NumberFormat(locale, { maximumSignificantDigits: 3 }));
  const shares = once(() => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }));
  const dates = once(() => new Intl.DateTimeFormat(locale, day));
  const dateTimes = once(() => new Intl.DateTimeFormat(locale, { ...day, ...clock }));
  const times = once(() => new Intl.DateTimeFormat(locale, clock));
  const calendarDays = once(
    () => new Intl.DateTimeFormat(locale, { day: 'numeric', month: language === 'de' ? 'numeric' : 'short', timeZone: 'UTC' }),
  );
  const serverDays = once(() => new Intl.DateTimeFormat(locale, { ...day, timeZone: 'UTC' }));
  const months = once(() => new Intl.DateTimeFormat(locale, { month: 'short', year: 'numeric', timeZone: 'UTC' }));
  const monthNames = once(() => new Intl.DateTimeFormat(locale, { month: 'long', timeZone: 'UTC' }));
  const relative = once(() => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }));
  const ofTime = (time: MaybeTime, write: (date: Date) => string): string => (time ? write(new Date(time)) : missing);
  const ofNumber = (value: MaybeNumber, write: (number: number) => string): string =>
    value === null || value === undefined ? missing : write(value);
  const dateTime = (time: MaybeTime): string => ofTime(time, (date) => dateTimes().format(date));
  return {
    locale,
    timeZone: () => times().resolvedOptions().timeZone,
    bytes: (value) => ofNumber(value, (number) => bytesText(number, threeDigits())),
    count: (value) => ofNumber(value, (number) => (isPlain(number) ? String(number) : counts().format(number))),
    percent: (share) => ofNumber(share, (number) => shares().format(number)),
    date: (time) => ofTime(time, (date) => dates().format(date)),
    dateTime,
    day: (date) => serverDays().format(new Date(`${date.slice(0, 10)}T00:00:00Z`)),
    calendarDay: (date) => calendarDays().format(new Date(`${date.slice(0, 10)}T00:00:00Z`)),
    month: (month) => months().format(new Date(`${month}-01T00:00:00Z`)),
    monthName: (month) => monthNames().format(Date.UTC(2026, month - 1, 1)),
    timeOfDay: (time) => ofTime(time, (date) => times().format(date)),
    ago: (time, now) => ofTime(time, (date) => relativeText(date.getTime() - now, relative()) ?? dateTime(time)),
    duration: (ms) => ofNumber(ms, durationText),
    iso: (time) => ofTime(time, isoWithOffset),
  };
}

/** Below a thousand a count looks the same everywhere: the first figures of a page need not wait for a formatter. */
const isPlain = (number: number): boolean => Number.isInteger(number) && number >= 0 && number < 1000;

/** A unit is left where its number would be written as 1024, and never before: 1019 KB beside 1.03 MB, not 0.995 MB. */
function bytesText(value: number, digits: Intl.NumberFormat): string {
  let size = value;
  let unit = 0;
  while (size >= 1023.5 && unit < units.length - 1) {
    size /= 1024;
    unit += 1;
  }
  const isWhole = unit === 0 || size >= 999.5;
  return `${isWhole ? String(Math.round(size)) : digits.format(size)} ${units[unit] ?? ''}`;
}

/** In whole units that have passed: 59 minutes and a half are not yet "60 minutes ago". */
function relativeText(difference: number, relative: Intl.RelativeTimeFormat): string | null {
  const distance = Math.abs(difference);
  if (distance < minuteMs) return relative.format(Math.trunc(difference / 1000), 'second');
  if (distance < hourMs) return relative.format(Math.trunc(difference / minuteMs), 'minute');
  if (distance < dayMs) return relative.format(Math.trunc(difference / hourMs), 'hour');
  return null;
}

/** `2 h 05 min`, `3 min 07 s`, `12 s`. */
function durationText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const two = (value: number): string => String(value).padStart(2, '0');
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${two(seconds % 60)} s`;
  return `${Math.floor(seconds / 3600)} h ${two(Math.floor((seconds % 3600) / 60))} min`;
}

function isoWithOffset(date: Date): string {
  const offset = -date.getTimezoneOffset();
  const sign = offset < 0 ? '-' : '+';
  const two = (value: number): string => String(Math.floor(Math.abs(value))).padStart(2, '0');
  const local = new Date(date.getTime() + offset * minuteMs).toISOString().slice(0, 19);
  return `${local}${sign}${two(offset / 60)}:${two(offset % 60)}`;
}
