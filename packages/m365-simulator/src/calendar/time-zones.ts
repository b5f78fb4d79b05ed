import { ianaZone } from '@holdfast/foundation/windows-zones';

const formats = new Map<string, Intl.DateTimeFormat>();

/** A zone by its Windows or IANA name; `undefined` when there is none. */
function formatOf(zone: string): Intl.DateTimeFormat | undefined {
  const known = formats.get(zone);
  if (known) return known;
  const timeZone = ianaZone(zone);
  if (timeZone === undefined) return undefined;
  const two = '2-digit';
  const parts = { year: 'numeric', month: two, day: two, hour: two, minute: two, second: two } as const;
  const format = new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', ...parts });
  formats.set(zone, format);
  return format;
}

export function isTimeZone(zone: string): boolean {
  return formatOf(zone) !== undefined;
}

const QUARTER_MS = 15 * 60_000;
const MOST_QUARTERS = 20_000;
/** Clocks change on a quarter of an hour everywhere; asking for each occurrence of a series was most of a calendar's cost. */
const offsets = new Map<string, number>();

/** Milliseconds by which local time is ahead of UTC at this moment. */
function offsetMs(zone: string, ms: number): number {
  const quarter = Math.floor(ms / QUARTER_MS);
  const name = `${zone} ${quarter}`;
  const known = offsets.get(name);
  if (known !== undefined) return known;
  const found = computeOffset(zone, quarter * QUARTER_MS);
  if (offsets.size >= MOST_QUARTERS) offsets.clear();
  offsets.set(name, found);
  return found;
}

function computeOffset(zone: string, ms: number): number {
  const parts: Record<string, number> = {};
  for (const { type, value } of formatOf(zone)?.formatToParts(ms) ?? []) parts[type] = Number(value);
  const { year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - ms;
}

/** The moment of a local time (`2026-03-29T02:30:00`). In the gap of a clock change: the moment after it. */
export function toUtcMs(local: string, zone: string): number {
  const asUtc = Date.parse(`${local.replace(/Z$/u, '').slice(0, 19)}Z`);
  if (zone === 'UTC') return asUtc;
  const first = asUtc - offsetMs(zone, asUtc);
  return asUtc - offsetMs(zone, first);
}

/** Local time of a moment, as Outlook writes it: `2026-03-29T02:30:00.0000000`. */
export function toLocal(ms: number, zone: string): string {
  const shifted = zone === 'UTC' ? ms : ms + offsetMs(zone, ms);
  return `${new Date(shifted).toISOString().slice(0, 19)}.0000000`;
}
