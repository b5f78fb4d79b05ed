import type { Person } from '../state/directory.ts';
import { isJsonObject, type JsonObject, type JsonValue, textOf } from '../values/json.ts';
import type { Context } from '../http/route.ts';
import { changeKeyOf, outlookTime } from '../mail/render-message.ts';
import { ownedId } from '../http/owned-ids.ts';
import type { CalendarRecord, EventRecord } from './calendar-state.ts';
import { dayOf, occurrenceDays } from './recurrence.ts';
import { isTimeZone, toLocal, toUtcMs } from './time-zones.ts';

/** One time that an event takes place: of a series on `day`, or the event itself. */
export interface Occurrence {
  readonly record: EventRecord;
  /** Day of the series; `undefined` for a single event. */
  readonly day: number | undefined;
  readonly startMs: number;
  readonly endMs: number;
  readonly isException: boolean;
}

function text(value: JsonValue | undefined, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}

function zoned(value: JsonValue | undefined): { readonly local: string; readonly zone: string } {
  const time = isJsonObject(value) ? value : {};
  const zone = text(time['timeZone'], 'UTC');
  return { local: text(time['dateTime'], '1970-01-01T00:00:00'), zone: isTimeZone(zone) ? zone : 'UTC' };
}

/** The moment of `{"dateTime","timeZone"}`. */
export function momentOf(value: JsonValue | undefined): number {
  const { local, zone } = zoned(value);
  return toUtcMs(local, zone);
}

function onDay(value: JsonValue | undefined, fromDay: number, day: number): number {
  const { local, zone } = zoned(value);
  const shifted = dayOf(local) + (day - fromDay);
  return toUtcMs(`${new Date(shifted * 86_400_000).toISOString().slice(0, 10)}${local.slice(10)}`, zone);
}

/** When an event with its own times takes place, as if its series began on `day`. */
function timesOn({ start, end }: JsonObject, day: number): Pick<Occurrence, 'startMs' | 'endMs'> {
  const from = dayOf(zoned(start).local);
  return { startMs: onDay(start, from, day), endMs: onDay(end, from, day) };
}

/** The event itself, without a day: a single one or a master, which stands at its first day. */
export function masterOf(record: EventRecord): Occurrence {
  const { start, end, recurrence } = record.event;
  const master = { record, day: undefined, isException: false };
  if (!isJsonObject(recurrence)) return { ...master, startMs: momentOf(start), endMs: momentOf(end) };
  const [first] = occurrenceDays(recurrence);
  return first === undefined ? { ...master, startMs: 0, endMs: 0 } : { ...master, ...timesOn(record.event, first) };
}

const computed = new WeakMap<EventRecord, readonly Occurrence[]>();

/** All times of an event, cancelled ones left out. A record is replaced when it changes, so they are worked out once. */
export function occurrencesOf(record: EventRecord): readonly Occurrence[] {
  const known = computed.get(record) ?? computeOccurrences(record);
  computed.set(record, known);
  return known;
}

function computeOccurrences(record: EventRecord): readonly Occurrence[] {
  const { event, exceptions } = record;
  const { start, end, recurrence } = event;
  if (!isJsonObject(recurrence)) return [masterOf(record)];
  return [...occurrenceDays(recurrence)]
    .filter((day) => exceptions[textOf(day)] !== null)
    .map((day) => {
      const changed = exceptions[textOf(day)];
      if (changed)
        return { record, day, startMs: momentOf(changed['start'] ?? start), endMs: momentOf(changed['end'] ?? end), isException: true };
      return { record, day, ...timesOn(event, day), isException: false };
    });
}

function zoneOf(context: Context): string {
  const zone = context.prefer.timeZone;
  if (zone === undefined || !isTimeZone(zone)) return 'UTC';
  context.prefer.applied(`outlook.timezone="${zone}"`);
  return zone;
}

function timeIn(ms: number, zone: string): JsonObject {
  return { dateTime: toLocal(ms, zone), timeZone: zone };
}

const DEFAULTS: JsonObject = {
  categories: [],
  transactionId: null,
  reminderMinutesBeforeStart: 15,
  isReminderOn: true,
  subject: '',
  importance: 'normal',
  sensitivity: 'normal',
  isAllDay: false,
  isCancelled: false,
  responseRequested: true,
  showAs: 'busy',
  onlineMeetingUrl: null,
  isOnlineMeeting: false,
  onlineMeetingProvider: 'unknown',
  allowNewTimeProposals: true,
  isDraft: false,
  hideAttendees: false,
  body: { contentType: 'html', content: '' },
  location: { displayName: '', locationType: 'default', uniqueIdType: 'unknown', address: {}, coordinates: {} },
  attendees: [],
  recurrence: null,
  onlineMeeting: null,
};

/** Properties that a client may set; others in a body are ignored. */
export const eventProperties = new Set([...Object.keys(DEFAULTS), 'start', 'end', 'organizer', 'iCalUId', 'singleValueExtendedProperties']);

function previewOf(body: JsonValue | undefined): string {
  const content = isJsonObject(body) ? text(body['content'], '') : '';
  return content
    .replaceAll(/<[^>]+>/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim()
    .slice(0, 255);
}

function identity(context: Context, owner: Person, occurrence: Occurrence): JsonObject {
  const { record, day } = occurrence;
  const { isImmutableId } = context.prefer;
  const master = ownedId(owner.id, 'event', { number: record.number, part: 0 }, isImmutableId);
  if (day === undefined)
    return { id: master, seriesMasterId: null, type: isJsonObject(record.event['recurrence']) ? 'seriesMaster' : 'singleInstance' };
  return {
    id: ownedId(owner.id, 'occurrence', { number: record.number, part: day }, isImmutableId),
    seriesMasterId: master,
    type: occurrence.isException ? 'exception' : 'occurrence',
  };
}

function organiserOf(owner: Person, event: JsonObject): { readonly organizer: JsonObject; readonly isOrganizer: boolean } {
  const own = { emailAddress: { name: owner.displayName, address: owner.mail } };
  const given = isJsonObject(event['organizer']) ? event['organizer'] : own;
  const address = isJsonObject(given['emailAddress']) ? text(given['emailAddress']['address'], '') : '';
  return { organizer: given, isOrganizer: address === '' || address.toLowerCase() === owner.mail.toLowerCase() };
}

/** An event, a master or one occurrence in JSON, times in the zone that the request prefers. */
export function renderEvent(context: Context, owner: Person, occurrence: Occurrence): JsonObject {
  const { record, day } = occurrence;
  const zone = zoneOf(context);
  const changed = day === undefined ? undefined : record.exceptions[textOf(day)];
  const { singleValueExtendedProperties: _extended, ...own } = record.event;
  const event: JsonObject = { ...DEFAULTS, ...own, ...changed };
  const changeKey = changeKeyOf(`event/${record.number}`, record.version);
  const { organizer, isOrganizer } = organiserOf(owner, event);
  const location = isJsonObject(event['location']) ? event['location'] : {};
  const identified = identity(context, owner, occurrence);
  return {
    '@odata.etag': `W/"${changeKey}"`,
    ...event,
    ...identified,
    createdDateTime: `${outlookTime(record.createdMs).slice(0, 19)}.0000000Z`,
    lastModifiedDateTime: `${outlookTime(record.modifiedMs).slice(0, 19)}.0000000Z`,
    changeKey,
    originalStartTimeZone: text(event['originalStartTimeZone'], zoned(event['start']).zone),
    originalEndTimeZone: text(event['originalEndTimeZone'], zoned(event['end']).zone),
    ...(day === undefined ? {} : { originalStart: `${toLocal(timesOn(record.event, day).startMs, 'UTC').slice(0, 19)}Z` }),
    iCalUId: text(event['iCalUId'], `040000008200E00074C5B7101A82E008${record.number.toString(16).toUpperCase().padStart(16, '0')}`),
    hasAttachments: record.attachments.length > 0,
    bodyPreview: previewOf(event['body']),
    isOrganizer,
    organizer,
    webLink: `https://outlook.office365.com/owa/?itemid=${textOf(identified['id'])}&exvsurl=1&path=/calendar/item`,
    responseStatus: { response: isOrganizer ? 'organizer' : 'accepted', time: '0001-01-01T00:00:00Z' },
    start: timeIn(occurrence.startMs, zone),
    end: timeIn(occurrence.endMs, zone),
    locations: text(location['displayName'], '') === '' ? [] : [location],
    ...(day === undefined ? {} : { recurrence: null }),
  };
}

/** The days of a series that were cancelled, by the ids that their occurrences had. */
export function cancelledOccurrences(owner: Person, record: EventRecord): string[] {
  const master = ownedId(owner.id, 'event', { number: record.number, part: 0 }, false);
  return Object.entries(record.exceptions)
    .filter(([, changed]) => changed === null)
    .map(([day]) => `OID.${master}.${new Date(Number(day) * 86_400_000).toISOString().slice(0, 10)}`);
}

export function renderCalendar(context: Context, owner: Person, calendar: CalendarRecord): JsonObject {
  return {
    id: ownedId(owner.id, 'calendar', { number: calendar.number, part: 0 }, context.prefer.isImmutableId),
    name: calendar.name,
    color: calendar.color,
    hexColor: '',
    isDefaultCalendar: calendar.isDefault,
    changeKey: changeKeyOf(`calendar/${calendar.number}`, calendar.version),
    canShare: true,
    canViewPrivateItems: true,
    canEdit: true,
    isTallyingResponses: calendar.isDefault,
    isRemovable: !calendar.isDefault,
    allowedOnlineMeetingProviders: ['teamsForBusiness'],
    defaultOnlineMeetingProvider: 'teamsForBusiness',
    owner: { name: owner.displayName, address: owner.mail },
  };
}
