import type { JsonObject } from '../ports/item.ts';
import type { StoredEvent } from '../restore/mailbox/event-body.ts';

function fold(line: string): string {
  const out: string[] = [];
  let rest = line;
  while (Buffer.byteLength(rest) > 74) {
    let cut = 70;
    while (Buffer.byteLength(rest.slice(0, cut)) > 74) cut -= 1;
    out.push(rest.slice(0, cut));
    rest = ` ${rest.slice(cut)}`;
  }
  return [...out, rest].join('\r\n');
}

function escape(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll(';', '\\;').replaceAll(',', '\\,').replaceAll(/\r?\n/gu, '\\n');
}

function plainText(html: string): string {
  return html
    .replaceAll(/<(?:br|\/p|\/div|\/tr)[^>]*>/giu, '\n')
    .replaceAll(/<[^>]*>/gu, '')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .trim();
}

function stamp(dateTime: string | undefined): string {
  const ms = Date.parse(dateTime === undefined || dateTime.endsWith('Z') ? (dateTime ?? '') : `${dateTime}Z`);
  return Number.isNaN(ms) ? '' : new Date(ms).toISOString().replaceAll(/[-:]|\.\d{3}/gu, '');
}

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

interface Pattern {
  readonly type?: string;
  readonly interval?: number;
  readonly daysOfWeek?: readonly string[];
  readonly dayOfMonth?: number;
  readonly month?: number;
  readonly index?: string;
}

interface Range {
  readonly type?: string;
  readonly endDate?: string;
  readonly numberOfOccurrences?: number;
}

interface Recurrence {
  readonly pattern?: Pattern;
  readonly range?: Range;
}

function dayPart({ daysOfWeek = [], index = 'first' }: Pattern, isRelative: boolean): readonly string[] {
  const days = daysOfWeek.flatMap((day) => DAYS[day] ?? []);
  if (days.length === 0) return [];
  return [`BYDAY=${days.map((day) => (isRelative ? `${INDEX[index] ?? '1'}${day}` : day)).join(',')}`];
}

function rangePart({ type, numberOfOccurrences, endDate }: Range): readonly string[] {
  if (type === 'numbered' && numberOfOccurrences) return [`COUNT=${numberOfOccurrences}`];
  return type === 'endDate' && endDate ? [`UNTIL=${endDate.replaceAll('-', '')}T235959Z`] : [];
}

function rule({ pattern = {}, range = {} }: Recurrence): string {
  const { type = 'daily', interval = 1, dayOfMonth, month } = pattern;
  const parts = [`FREQ=${FREQUENCY[type] ?? 'DAILY'}`, `INTERVAL=${interval}`, ...dayPart(pattern, type.startsWith('relative'))];
  if (type.startsWith('absolute') && dayOfMonth) parts.push(`BYMONTHDAY=${dayOfMonth}`);
  if (type.endsWith('Yearly') && month) parts.push(`BYMONTH=${month}`);
  return [...parts, ...rangePart(range)].join(';');
}

function times(event: StoredEvent): readonly string[] {
  const start = stamp(event.start?.dateTime);
  const end = stamp(event.end?.dateTime);
  if (event['isAllDay'] === true) return [`DTSTART;VALUE=DATE:${start.slice(0, 8)}`, `DTEND;VALUE=DATE:${end.slice(0, 8)}`];
  return [`DTSTART:${start}`, `DTEND:${end}`];
}

function people(event: StoredEvent): readonly string[] {
  const organizer = event.organizer?.emailAddress?.address;
  const invited = (event.attendees ?? []).flatMap((person) => person.emailAddress?.address ?? []);
  return [...(organizer ? [`ORGANIZER:mailto:${organizer}`] : []), ...invited.map((address) => `ATTENDEE:mailto:${address}`)];
}

function optional(name: string, value: string | undefined): readonly string[] {
  return value ? [`${name}:${value}`] : [];
}

function component(event: StoredEvent, uid: string, changedAt: string, recurrenceId?: string): readonly string[] {
  const location = (event['location'] as { readonly displayName?: string } | undefined)?.displayName;
  const isSeries = event.recurrence && !recurrenceId;
  return [
    'BEGIN:VEVENT',
    `UID:${escape(uid)}`,
    `DTSTAMP:${stamp(changedAt)}`,
    ...times(event),
    `SUMMARY:${escape(event.subject ?? '')}`,
    ...optional('RECURRENCE-ID', recurrenceId && stamp(recurrenceId)),
    ...(isSeries ? [`RRULE:${rule(event.recurrence)}`] : []),
    ...optional('LOCATION', location && escape(location)),
    ...optional('DESCRIPTION', escape(plainText(event.body?.content ?? ''))),
    ...people(event),
    'END:VEVENT',
  ];
}

/** The lines around the events of an iCalendar file (RFC 5545). */
export const CALENDAR_START = 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Holdfast//EN\r\n';
export const CALENDAR_END = 'END:VCALENDAR\r\n';

/** One event, its exceptions included, as it stands between the lines of a calendar. */
export function calendarText(stored: JsonObject, fallbackUid: string): string {
  const event = stored as unknown as StoredEvent;
  const uid = typeof event['iCalUId'] === 'string' ? event['iCalUId'] : fallbackUid;
  const changedAt = typeof event['lastModifiedDateTime'] === 'string' ? event['lastModifiedDateTime'] : (event.start?.dateTime ?? '');
  const cancelled = (event.cancelledOccurrences ?? []).flatMap((id) => {
    const day = /(\d{4}-\d{2}-\d{2})$/u.exec(id)?.[1];
    return day === undefined ? [] : [`EXDATE:${day.replaceAll('-', '')}${stamp(event.start?.dateTime).slice(8)}`];
  });
  const lines = [...component(event, uid, changedAt)];
  lines.splice(-1, 0, ...cancelled);
  for (const exception of event.exceptionOccurrences ?? []) {
    lines.push(...component(exception, uid, changedAt, exception.originalStart ?? exception.start?.dateTime ?? ''));
  }
  return `${lines.map(fold).join('\r\n')}\r\n`;
}
