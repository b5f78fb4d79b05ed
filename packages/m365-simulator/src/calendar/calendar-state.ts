import type { Random } from '@holdfast/foundation/random';
import { between, chance, guidOf, pick, randomOf } from '../values/seeded.ts';
import { paragraph, phraseBook, subjectLine } from '../content/prose.ts';
import type { Person } from '../state/directory.ts';
import { isJsonObject, type JsonObject, textOf } from '../values/json.ts';
import type { StoredAttachment } from '../mail/mailbox-state.ts';
import { createItemList, type Item, type ItemList } from '../state/item-list.ts';
import type { Tenant } from '../state/tenant.ts';
import { normaliseEvent } from './normalise-event.ts';
import { dateOf, dayOf, occurrenceDays } from './recurrence.ts';

export interface CalendarRecord extends Item {
  readonly name: string;
  readonly color: string;
  readonly isDefault: boolean;
}

/** An event or a series. Times are as they were given, with their zones. */
export interface EventRecord extends Item {
  readonly calendar: number;
  /** Properties as a client sends them. */
  readonly event: JsonObject;
  /** By the day on which the occurrence would be: changed properties, or `null` when it was cancelled. */
  readonly exceptions: Readonly<Record<string, JsonObject | null>>;
  readonly attachments: readonly StoredAttachment[];
}

export interface CalendarState {
  readonly calendars: ItemList<CalendarRecord>;
  readonly events: ItemList<EventRecord>;
}

const DAY_MS = 86_400_000;
const ROOMS = ['Room Berlin', 'Raum Wien', 'Room London', 'Microsoft Teams'];

function at(day: number, hour: number, minute: number): string {
  return `${dateOf(day)}T${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}:00.0000000`;
}

function recurrenceOf(index: number, day: number, zone: string): JsonObject {
  const range = {
    type: index % 3 === 0 ? 'noEnd' : 'endDate',
    startDate: dateOf(day),
    endDate: index % 3 === 0 ? '0001-01-01' : dateOf(day + 250),
    recurrenceTimeZone: zone,
    numberOfOccurrences: 0,
  };
  const base = { month: 0, dayOfMonth: 0, firstDayOfWeek: 'monday', index: 'first' };
  const weekday =
    ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'][new Date(day * DAY_MS).getUTCDay()] ?? 'monday';
  if (index % 3 === 2)
    return {
      pattern: { ...base, type: 'absoluteMonthly', interval: 1, dayOfMonth: Math.min(28, new Date(day * DAY_MS).getUTCDate()) },
      range,
    };
  return { pattern: { ...base, type: 'weekly', interval: 1 + (index % 2), daysOfWeek: [weekday] }, range };
}

function person(mailbox: Person): JsonObject {
  return { emailAddress: { name: mailbox.displayName, address: mailbox.mail } };
}

/** Up to four colleagues, each once. */
function invited(random: Random, tenant: Tenant, owner: Person): Person[] {
  const others = tenant.directory.generated().filter((other) => other.kind === 'member' && other.id !== owner.id);
  if (others.length === 0) return [];
  return [...new Set(Array.from({ length: between(random, 0, 4) }, () => pick(random, others)))];
}

/** What is different about a holiday and about a meeting. */
function timesOf(random: Random, day: number, isAllDay: boolean, zone: string): JsonObject {
  if (isAllDay)
    return {
      start: { dateTime: at(day, 0, 0), timeZone: 'UTC' },
      end: { dateTime: at(day + 1, 0, 0), timeZone: 'UTC' },
      isAllDay,
      location: { displayName: '' },
      showAs: 'free',
    };
  const hour = between(random, 8, 16);
  return {
    start: { dateTime: at(day, hour, 30 * random.below(2)), timeZone: zone },
    end: { dateTime: at(day, hour + 1, 30), timeZone: zone },
    isAllDay,
    location: { displayName: pick(random, ROOMS) },
    showAs: 'busy',
  };
}

function generateEvent(tenant: Tenant, owner: Person, index: number): EventRecord {
  const random = randomOf({ seed: tenant.seed, kind: 'event', owner: owner.id, index });
  const day = dayOf(new Date(tenant.epochMs).toISOString()) + between(random, -400, 90);
  const isAllDay = chance(random, 0.12);
  const zone = owner.timeZone;
  const guests = isAllDay ? [] : invited(random, tenant, owner);
  const organiser = guests[0] && chance(random, 0.4) ? guests[0] : owner;
  const createdMs = (day - between(random, 3, 40)) * DAY_MS + 9 * 3_600_000;
  const event: JsonObject = {
    subject: isAllDay ? pick(random, phraseBook(owner.language).topics) : subjectLine(random, owner.language),
    body: { contentType: 'html', content: `<html><body><p>${paragraph(random, owner.language, between(random, 1, 3))}</p></body></html>` },
    ...timesOf(random, day, isAllDay, zone),
    attendees: guests.map((guest) => ({
      type: 'required',
      status: { response: 'accepted', time: '0001-01-01T00:00:00Z' },
      ...person(guest),
    })),
    organizer: person(organiser),
    categories: chance(random, 0.15) ? ['Blue category'] : [],
    iCalUId: `040000008200E00074C5B7101A82E008${guidOf(tenant.seed, 'ical', owner.id, index).replaceAll('-', '').toUpperCase()}`,
    ...(index % 5 === 0 ? { recurrence: recurrenceOf(index / 5, day, zone) } : {}),
  };
  return {
    number: index + 1,
    version: 0,
    createdMs,
    modifiedMs: createdMs,
    calendar: index % 9 === 8 ? 2 : 1,
    event: normaliseEvent(event),
    exceptions: exceptionsOf(event, index, zone),
    attachments: [],
  };
}

/** The second date of some series was cancelled, the third one moved and renamed. */
function exceptionsOf(event: JsonObject, index: number, zone: string): Record<string, JsonObject | null> {
  const { recurrence, subject, isAllDay } = event;
  if (!isJsonObject(recurrence)) return {};
  const [, second, third] = occurrenceDays(recurrence);
  const exceptions: Record<string, JsonObject | null> = {};
  if (second !== undefined && index % 2 === 0) exceptions[String(second)] = null;
  if (third === undefined) return exceptions;
  exceptions[String(third)] = {
    subject: `${textOf(subject)} (!)`,
    start: { dateTime: at(third, 17, 0), timeZone: zone },
    end: { dateTime: at(third, 18, 0), timeZone: zone },
    ...(isAllDay === true ? { isAllDay: false } : {}),
  };
  return exceptions;
}

function create(tenant: Tenant, owner: Person): CalendarState {
  const isGerman = owner.language === 'de';
  const base = { version: 0, createdMs: owner.createdMs, modifiedMs: owner.createdMs };
  const calendars: CalendarRecord[] = [
    { ...base, number: 1, name: isGerman ? 'Kalender' : 'Calendar', color: 'auto', isDefault: true },
    { ...base, number: 2, name: isGerman ? 'Geburtstage und Feiertage' : 'Birthdays and holidays', color: 'lightGreen', isDefault: false },
  ];
  const count = owner.kind === 'member' || owner.kind === 'room' ? tenant.recipe.eventsPerUser : 0;
  return {
    calendars: createItemList(calendars),
    events: createItemList(Array.from({ length: count }, (_, index) => generateEvent(tenant, owner, index))),
  };
}

/** The calendars of a mailbox, generated when they are touched for the first time. */
export function calendarState(tenant: Tenant, owner: Person): CalendarState {
  return tenant.store.state(`calendar/${owner.id}`, () => create(tenant, owner));
}
