import { AppError } from '@holdfast/foundation/errors';
import type { JsonObject } from '../ports/item.ts';
import { htmlText } from '../shared/html-text.ts';
import type { StoredEvent } from '../restore/mailbox/event-body.ts';
import { ianaName } from '../restore/mailbox/time-zones.ts';
import { localStamp, timeZoneLines } from './calendar-zone.ts';
import { recurrenceRule, type Recurrence } from './recurrence-rule.ts';
import { foldLine, plainValue, quoted, textValue } from './text-lines.ts';

/** How the times of an event are written: whole days, moments of UTC, or the clock of a zone, which a series keeps when clocks change. */
type Form = { readonly kind: 'days' } | { readonly kind: 'utc' } | { readonly kind: 'zone'; readonly zone: string };

function formOf(event: StoredEvent): Form {
  if (event['isAllDay'] === true) return { kind: 'days' };
  const recurrence = event.recurrence as Recurrence | null | undefined;
  if (!recurrence) return { kind: 'utc' };
  const zone = ianaName(event.originalStartTimeZone ?? recurrence.range?.recurrenceTimeZone ?? '');
  return zone === undefined || zone === 'UTC' ? { kind: 'utc' } : { kind: 'zone', zone };
}

/** The moment that the service means: in UTC, unless it names another zone. */
function momentOf(dateTime: string, timeZone = 'UTC'): Temporal.Instant | undefined {
  try {
    if (/(?:Z|[+-]\d\d:\d\d)$/u.test(dateTime)) return Temporal.Instant.from(dateTime);
    return Temporal.PlainDateTime.from(dateTime)
      .toZonedDateTime(ianaName(timeZone) ?? 'UTC')
      .toInstant();
  } catch {
    return undefined;
  }
}

function utcStamp(moment: Temporal.Instant): string {
  return `${localStamp(moment.toZonedDateTimeISO('UTC').toPlainDateTime())}Z`;
}

/** A property that holds a time, in the form of its event; nothing when the service gave no time. */
function timeLine(name: string, form: Form, dateTime: string | undefined, timeZone?: string): readonly string[] {
  if (!dateTime) return [];
  if (form.kind === 'days') return [`${name};VALUE=DATE:${dateTime.slice(0, 10).replaceAll('-', '')}`];
  const moment = momentOf(dateTime, timeZone);
  if (!moment) return [];
  if (form.kind === 'utc') return [`${name}:${utcStamp(moment)}`];
  return [`${name};TZID=${form.zone}:${localStamp(moment.toZonedDateTimeISO(form.zone).toPlainDateTime())}`];
}

/** A day as the service says it. One that no calendar has can't be told: an event without it would be another event. */
function dayOf(date: string): Temporal.PlainDate {
  try {
    return Temporal.PlainDate.from(date);
  } catch (cause) {
    throw new AppError('restore.unreadable', { cause, details: { date } });
  }
}

/** When the last day of a series is over. */
function untilOf(form: Form, endDate: string): string {
  const day = dayOf(endDate);
  if (form.kind === 'days') return day.toString().replaceAll('-', '');
  const zone = form.kind === 'zone' ? form.zone : 'UTC';
  const end = day.toPlainDateTime('23:59:59').toZonedDateTime(zone);
  return utcStamp(end.toInstant());
}

/** An occurrence that was taken out of its series: the day is in its id, the hour is that of the series. */
function exceptDate(form: Form, occurrenceId: string, start: StoredEvent['start']): readonly string[] {
  const day = /(\d{4}-\d{2}-\d{2})$/u.exec(occurrenceId)?.[1];
  const moment = momentOf(start?.dateTime ?? '', start?.timeZone);
  if (day === undefined || !moment) return [];
  if (form.kind === 'days') return [`EXDATE;VALUE=DATE:${day.replaceAll('-', '')}`];
  const zone = form.kind === 'zone' ? form.zone : 'UTC';
  const local = dayOf(day).toPlainDateTime(moment.toZonedDateTimeISO(zone).toPlainTime());
  return form.kind === 'zone' ? [`EXDATE;TZID=${zone}:${localStamp(local)}`] : [`EXDATE:${localStamp(local)}Z`];
}

type Person = NonNullable<StoredEvent['attendees']>[number];

function personLine(name: string, { emailAddress }: Person, parameters = ''): readonly string[] {
  const { name: called, address } = emailAddress ?? {};
  if (!address) return [];
  return [`${name}${called ? `;CN=${quoted(called)}` : ''}${parameters}:mailto:${plainValue(address)}`];
}

const ANSWERS: Readonly<Record<string, string>> = { accepted: 'ACCEPTED', declined: 'DECLINED', tentativelyAccepted: 'TENTATIVE' };

function people({ organizer, attendees }: StoredEvent): readonly string[] {
  const invited = (attendees ?? []).flatMap((person) => {
    const role = person.type === 'optional' ? ';ROLE=OPT-PARTICIPANT' : '';
    return personLine('ATTENDEE', person, `${role};PARTSTAT=${ANSWERS[person.status?.response ?? ''] ?? 'NEEDS-ACTION'}`);
  });
  return [...(organizer ? personLine('ORGANIZER', organizer) : []), ...invited];
}

function optional(name: string, value: string | undefined): readonly string[] {
  return value ? [`${name}:${value}`] : [];
}

function bodyText({ body }: StoredEvent): string {
  const { content = '', contentType = 'html' } = body ?? {};
  return contentType === 'html' ? htmlText(content) : content;
}

/** What an event says of itself besides its times. */
function details(event: StoredEvent): readonly string[] {
  const location = (event['location'] as { readonly displayName?: string } | null | undefined)?.displayName;
  const categories = (event['categories'] as readonly string[] | null | undefined) ?? [];
  const isPrivate = event['sensitivity'] === 'private' || event['sensitivity'] === 'confidential';
  return [
    `SUMMARY:${textValue(event.subject)}`,
    ...optional('LOCATION', textValue(location)),
    ...optional('DESCRIPTION', textValue(bodyText(event))),
    ...optional('CATEGORIES', categories.map(textValue).join(',')),
    ...(isPrivate ? [`CLASS:${event['sensitivity'] === 'private' ? 'PRIVATE' : 'CONFIDENTIAL'}`] : []),
    ...(event['showAs'] === 'free' ? ['TRANSP:TRANSPARENT'] : []),
    ...(event['isCancelled'] === true ? ['STATUS:CANCELLED'] : []),
    ...people(event),
  ];
}

function component(event: StoredEvent, head: readonly string[], form: Form): readonly string[] {
  const { start, end } = event;
  return [
    'BEGIN:VEVENT',
    ...head,
    ...timeLine('DTSTART', form, start?.dateTime, start?.timeZone),
    ...timeLine('DTEND', form, end?.dateTime, end?.timeZone),
    ...details(event),
    'END:VEVENT',
  ];
}

/** The lines around the events of an iCalendar file (RFC 5545). */
export const CALENDAR_START = 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Holdfast//EN\r\n';
export const CALENDAR_END = 'END:VCALENDAR\r\n';

/** Events of one calendar, one after the other: each zone is defined before the first event that needs it. */
export function createCalendarWriter(): (stored: JsonObject, fallbackUid: string) => string {
  const defined = new Set<string>();

  function zoneLines(form: Form): readonly string[] {
    if (form.kind !== 'zone' || defined.has(form.zone)) return [];
    defined.add(form.zone);
    return timeZoneLines(form.zone);
  }

  return (stored, fallbackUid) => {
    const event = stored as unknown as StoredEvent;
    const form = formOf(event);
    const uid = typeof event['iCalUId'] === 'string' && event['iCalUId'] !== '' ? event['iCalUId'] : fallbackUid;
    const changedAt = typeof event['lastModifiedDateTime'] === 'string' ? event['lastModifiedDateTime'] : event.start?.dateTime;
    const head = [`UID:${textValue(uid)}`, ...timeLine('DTSTAMP', { kind: 'utc' }, changedAt)];
    const recurrence = event.recurrence as Recurrence | null | undefined;
    const series = recurrence
      ? [
          `RRULE:${recurrenceRule(recurrence, (endDate) => untilOf(form, endDate))}`,
          ...(event.cancelledOccurrences ?? []).flatMap((id) => exceptDate(form, id, event.start)),
        ]
      : [];
    const exceptions = (event.exceptionOccurrences ?? []).flatMap((exception) => {
      const { originalStart, start } = exception;
      const own: Form = form.kind === 'days' && exception['isAllDay'] === false ? { kind: 'utc' } : form;
      return component(exception, [...head, ...timeLine('RECURRENCE-ID', form, originalStart ?? start?.dateTime)], own);
    });
    const lines = [...zoneLines(form), ...component(event, [...head, ...series], form), ...exceptions];
    return `${lines.map(foldLine).join('\r\n')}\r\n`;
  };
}
