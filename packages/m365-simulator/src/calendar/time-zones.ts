/** Names of Windows for the zones that the tenants use, and some that tests do. */
const WINDOWS: Readonly<Record<string, string>> = {
  UTC: 'UTC',
  'GMT Standard Time': 'Europe/London',
  'W. Europe Standard Time': 'Europe/Berlin',
  'Romance Standard Time': 'Europe/Paris',
  'Central Europe Standard Time': 'Europe/Budapest',
  'FLE Standard Time': 'Europe/Kiev',
  'Eastern Standard Time': 'America/New_York',
  'Central Standard Time': 'America/Chicago',
  'Mountain Standard Time': 'America/Denver',
  'Pacific Standard Time': 'America/Los_Angeles',
  'India Standard Time': 'Asia/Kolkata',
  'Tokyo Standard Time': 'Asia/Tokyo',
  'China Standard Time': 'Asia/Shanghai',
  'AUS Eastern Standard Time': 'Australia/Sydney',
};

const formats = new Map<string, Intl.DateTimeFormat>();

/** A zone by its Windows or IANA name; `undefined` when there is none. */
function formatOf(zone: string): Intl.DateTimeFormat | undefined {
  const known = formats.get(zone);
  if (known) return known;
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone: WINDOWS[zone] ?? zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
    formats.set(zone, format);
    return format;
  } catch {
    return undefined;
  }
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
