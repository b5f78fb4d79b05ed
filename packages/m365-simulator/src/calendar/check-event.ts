import { badRequest, fail } from '../http/failure.ts';
import { isJsonObject, type JsonObject, type JsonValue, numberOf, textOf } from '../values/json.ts';
import { readExtended } from '../mail/write-message.ts';
import { isTimeZone, toUtcMs } from './time-zones.ts';

const DAY_MS = 86_400_000;

function invalid(message: string): Error {
  return fail(400, 'ErrorPropertyValidationFailure', `At least one property failed validation. ${message}`);
}

function requireZone(zone: JsonValue | undefined): void {
  if (zone === undefined || zone === null || zone === '') return;
  if (typeof zone === 'string' && isTimeZone(zone)) return;
  const message = `A valid TimeZone value must be specified. The following TimeZone value is not supported: '${textOf(zone)}'.`;
  throw fail(400, 'TimeZoneNotSupportedException', message);
}

interface Moment {
  readonly ms: number;
  readonly local: string;
}

function readMoment(event: JsonObject, name: 'start' | 'end'): Moment {
  const time = event[name];
  if (!isJsonObject(time) || typeof time['dateTime'] !== 'string' || Number.isNaN(Date.parse(time['dateTime'])))
    throw badRequest('outlook', `The property ${name} needs a dateTime.`);
  requireZone(time['timeZone']);
  const local = time['dateTime'];
  return { local, ms: toUtcMs(local, typeof time['timeZone'] === 'string' ? time['timeZone'] : 'UTC') };
}

function checkTimes(event: JsonObject): void {
  const start = readMoment(event, 'start');
  const end = readMoment(event, 'end');
  if (end.ms < start.ms) throw invalid('The end of an event cannot be before its start.');
  if (event['isAllDay'] !== true) return;
  for (const { local } of [start, end])
    if (!/T00:00(?::00(?:\.0+)?)?Z?$/u.test(local)) throw invalid('An all-day event starts and ends at midnight.');
  if (end.ms - start.ms < DAY_MS - 7_200_000) throw invalid('The duration of an all-day event must be at least 24 hours.');
}

/** Checks the pattern and the range of a series. */
function checkRecurrence(recurrence: JsonObject): void {
  const { pattern, range } = recurrence;
  if (!isJsonObject(pattern) || !isJsonObject(range)) throw invalid('A recurrence needs pattern and range.');
  if (numberOf(pattern['interval'], 0) < 1) throw invalid('The interval of a recurrence must be at least 1.');
  const type = textOf(pattern['type'], '').toLowerCase();
  const days = pattern['daysOfWeek'];
  const needsDays = type === 'weekly' || type.startsWith('relative');
  if (needsDays && (!Array.isArray(days) || days.length === 0)) throw invalid(`A recurrence of the type ${type} needs daysOfWeek.`);
  if (type === 'absolutemonthly' && numberOf(pattern['dayOfMonth'], 0) < 1) throw invalid('This recurrence needs dayOfMonth.');
  if (!/^\d{4}-\d\d-\d\d$/u.test(textOf(range['startDate'], ''))) throw invalid('A recurrence needs startDate.');
  requireZone(range['recurrenceTimeZone']);
}

/** Refuses an event that Exchange refuses: as it would be after a POST or PATCH. */
export function checkEvent(event: JsonObject): void {
  checkTimes(event);
  readExtended(event['singleValueExtendedProperties']);
  if (isJsonObject(event['recurrence'])) checkRecurrence(event['recurrence']);
}
