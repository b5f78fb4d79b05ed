const DAYS: Readonly<Record<string, string>> = {
  sunday: 'SU',
  monday: 'MO',
  tuesday: 'TU',
  wednesday: 'WE',
  thursday: 'TH',
  friday: 'FR',
  saturday: 'SA',
};
const INDEX: Readonly<Record<string, string>> = { first: '1', second: '2', third: '3', fourth: '4', last: '-1' };
const FREQUENCY: Readonly<Record<string, string>> = {
  daily: 'DAILY',
  weekly: 'WEEKLY',
  absoluteMonthly: 'MONTHLY',
  relativeMonthly: 'MONTHLY',
  absoluteYearly: 'YEARLY',
  relativeYearly: 'YEARLY',
};
/** Every month has so many days; a later day means the last one of a month that is shorter. */
const SHORTEST_MONTH = 28;

interface Pattern {
  readonly type?: string;
  readonly interval?: number;
  readonly daysOfWeek?: readonly string[];
  readonly dayOfMonth?: number;
  readonly month?: number;
  readonly index?: string;
  readonly firstDayOfWeek?: string;
}

/** How a series repeats, as the service says it. */
export interface Recurrence {
  readonly pattern?: Pattern | null;
  readonly range?: {
    readonly type?: string;
    readonly endDate?: string;
    readonly numberOfOccurrences?: number;
    readonly recurrenceTimeZone?: string | null;
  } | null;
}

/** The days of a week that are meant, and which of them in a month. */
function weekDays({ daysOfWeek = [], index = 'first' }: Pattern, isRelative: boolean): readonly string[] {
  const days = daysOfWeek.flatMap((day) => DAYS[day] ?? []);
  if (days.length === 0) return [];
  const nth = INDEX[index] ?? '1';
  if (!isRelative) return [`BYDAY=${days.join(',')}`];
  return days.length === 1 ? [`BYDAY=${nth}${days[0]}`] : [`BYDAY=${days.join(',')}`, `BYSETPOS=${nth}`];
}

function monthDay(day: number): readonly string[] {
  if (day <= SHORTEST_MONTH) return [`BYMONTHDAY=${day}`];
  const days = Array.from({ length: day - SHORTEST_MONTH + 1 }, (_, at) => SHORTEST_MONTH + at);
  return [`BYMONTHDAY=${days.join(',')}`, 'BYSETPOS=-1'];
}

/** The days on which an interval has an occurrence. */
function daysOf(pattern: Pattern): readonly string[] {
  const { type = 'daily', dayOfMonth, month, firstDayOfWeek = 'sunday' } = pattern;
  const parts: string[] = [];
  if (type === 'weekly') parts.push(...weekDays(pattern, false), `WKST=${DAYS[firstDayOfWeek] ?? 'SU'}`);
  if (type.startsWith('relative')) parts.push(...weekDays(pattern, true));
  if (type.startsWith('absolute') && dayOfMonth) parts.push(...monthDay(dayOfMonth));
  if (type.endsWith('Yearly') && month) parts.push(`BYMONTH=${month}`);
  return parts;
}

/** The rule of a series (RFC 5545 3.3.10). `untilOf` says when the last day of a series ends, in the form of its start. */
export function recurrenceRule({ pattern, range }: Recurrence, untilOf: (endDate: string) => string): string {
  const { type, interval = 1 } = pattern ?? {};
  const parts = [`FREQ=${FREQUENCY[type ?? 'daily'] ?? 'DAILY'}`, `INTERVAL=${interval}`, ...daysOf(pattern ?? {})];
  if (range?.type === 'numbered' && range.numberOfOccurrences) parts.push(`COUNT=${range.numberOfOccurrences}`);
  if (range?.type === 'endDate' && range.endDate) parts.push(`UNTIL=${untilOf(range.endDate)}`);
  return parts.join(';');
}
