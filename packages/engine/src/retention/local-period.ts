/** Calendar periods in the organisation's time zone, as sortable names: `2026-03-28`, `2026-W13`, `2026-03`, `2026`. */
export interface LocalPeriods {
  readonly day: string;
  readonly week: string;
  readonly month: string;
  readonly year: string;
}

const DAY_MS = 86_400_000;
const formats = new Map<string, Intl.DateTimeFormat>();

function formatFor(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
    formats.set(timeZone, format);
  }
  return format;
}

/** ISO 8601 week: the one that has the Thursday. */
function isoWeek(day: string): string {
  const ms = Date.parse(`${day}T00:00:00Z`);
  const weekday = (new Date(ms).getUTCDay() + 6) % 7;
  const thursday = new Date(ms + (3 - weekday) * DAY_MS);
  const year = thursday.getUTCFullYear();
  const week = Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / DAY_MS / 7) + 1;
  return `${year}-W${String(week).padStart(2, '0')}`;
}

/** The periods that a moment falls into. */
export function localPeriods(atMs: number, timeZone: string): LocalPeriods {
  const day = formatFor(timeZone).format(new Date(atMs));
  return { day, week: isoWeek(day), month: day.slice(0, 7), year: day.slice(0, 4) };
}
