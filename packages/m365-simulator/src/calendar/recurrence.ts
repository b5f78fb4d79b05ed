import { isJsonObject, type JsonObject, type JsonValue, numberOf, textOf } from '../values/json.ts';

const DAY_MS = 86_400_000;
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const INDEXES = ['first', 'second', 'third', 'fourth', 'last'];
const LARGEST = 2000;

/** Days since 1970 of a date `2026-03-29`. */
export function dayOf(date: string): number {
  return Math.round(Date.parse(`${date.slice(0, 10)}T00:00:00Z`) / DAY_MS);
}

export function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

function weekdays(pattern: JsonObject): number[] {
  const days = Array.isArray(pattern['daysOfWeek']) ? pattern['daysOfWeek'] : [];
  return days.map((day: JsonValue) => WEEKDAYS.indexOf(textOf(day).toLowerCase())).filter((day) => day >= 0);
}

function dayInMonth(year: number, month: number, day: number): number | undefined {
  const ms = Date.UTC(year, month, day);
  return new Date(ms).getUTCMonth() === ((month % 12) + 12) % 12 ? ms / DAY_MS : undefined;
}

/** The n-th or last weekday of a month. */
function relativeDay(year: number, month: number, pattern: JsonObject): number | undefined {
  const wanted = weekdays(pattern);
  const index = INDEXES.indexOf(textOf(pattern['index'], 'first').toLowerCase());
  const found: number[] = [];
  for (let day = 1; day <= 31; day += 1) {
    const at = dayInMonth(year, month, day);
    if (at !== undefined && wanted.includes(new Date(at * DAY_MS).getUTCDay())) found.push(at);
  }
  return index === 4 ? found.at(-1) : found[index];
}

function* monthly(pattern: JsonObject, start: number, stepMonths: number): Generator<number> {
  const first = new Date(start * DAY_MS);
  const isRelative = textOf(pattern['type'], '').toLowerCase().startsWith('relative');
  for (let step = 0; step < LARGEST; step += stepMonths) {
    const month = first.getUTCMonth() + step;
    const year = first.getUTCFullYear();
    const day = isRelative
      ? relativeDay(year, month, pattern)
      : dayInMonth(year, month, numberOf(pattern['dayOfMonth'], first.getUTCDate()));
    if (day !== undefined && day >= start) yield day;
  }
}

function* weekly(pattern: JsonObject, start: number, interval: number): Generator<number> {
  const wanted = weekdays(pattern);
  const firstDay = Math.max(0, WEEKDAYS.indexOf(textOf(pattern['firstDayOfWeek'], 'sunday').toLowerCase()));
  const weekOf = (day: number): number => Math.floor((day + 4 - firstDay) / 7);
  for (let day = start; day < start + LARGEST * 7; day += 1) {
    const isWanted = wanted.length === 0 ? (day - start) % 7 === 0 : wanted.includes((((day + 4) % 7) + 7) % 7);
    if (isWanted && (weekOf(day) - weekOf(start)) % interval === 0) yield day;
  }
}

function* days(pattern: JsonObject, start: number): Generator<number> {
  const interval = Math.max(1, numberOf(pattern['interval'], 1));
  const type = textOf(pattern['type'], 'daily').toLowerCase();
  if (type === 'weekly') yield* weekly(pattern, start, interval);
  else if (type.endsWith('monthly')) yield* monthly(pattern, start, interval);
  else if (type.endsWith('yearly')) yield* monthly(pattern, start, interval * 12);
  else for (let day = start; day < start + LARGEST * interval; day += interval) yield day;
}

/** The days on which a series happens, first to last; at most two thousand, and no more than are taken. */
export function* occurrenceDays(recurrence: JsonObject): Generator<number, void, undefined> {
  const pattern = isJsonObject(recurrence['pattern']) ? recurrence['pattern'] : {};
  const range = isJsonObject(recurrence['range']) ? recurrence['range'] : {};
  const start = dayOf(textOf(range['startDate'], '1970-01-01'));
  const type = textOf(range['type'], 'noEnd').toLowerCase();
  const count = type === 'numbered' ? numberOf(range['numberOfOccurrences'], 1) : LARGEST;
  const end = type === 'enddate' ? dayOf(textOf(range['endDate'], '9999-12-31')) : Infinity;
  let found = 0;
  for (const day of days(pattern, start)) {
    if (day > end || found >= count) return;
    found += 1;
    yield day;
  }
}
