import type { Random } from '@holdfast/foundation/random';
import { subjectLine } from '../content/prose.ts';
import { between, chance, pick } from '../values/seeded.ts';
import { badRequest, notFound } from '../http/failure.ts';
import { isJsonObject, type JsonObject, textOf } from '../values/json.ts';
import { mailboxTruth } from '../mail/mailbox-truth.ts';
import { addItem, itemsAt, putItem, removeItem } from '../state/item-list.ts';
import { ownedId, readOwnedId } from '../http/owned-ids.ts';
import type { Tenant } from '../state/tenant.ts';
import type { TruthRecord } from '../state/truth.ts';
import type { Activity, Workload } from '../http/workload.ts';
import { calendarRoutes } from './calendar-routes.ts';
import { type CalendarState, calendarState, type EventRecord } from './calendar-state.ts';
import { eventAttachmentRoutes } from './event-attachments.ts';
import { normaliseEvent } from './normalise-event.ts';
import { occurrencesOf } from './render-event.ts';
import { writeEventRoutes } from './write-event.ts';

function truthOf(ownerId: string, state: CalendarState, record: EventRecord): TruthRecord {
  return {
    path: state.calendars.items.get(record.calendar)?.name ?? '',
    id: ownedId(ownerId, 'event', { number: record.number, part: 0 }, true),
    kind: 'event',
    metadata: {
      ...record.event,
      version: record.version,
      exceptions: record.exceptions,
      occurrences: occurrencesOf(record)
        .slice(0, 400)
        .map((entry) => ({ start: new Date(entry.startMs).toISOString(), end: new Date(entry.endMs).toISOString() })),
      attachments: record.attachments.map((attachment) => ({ name: attachment.name, sizeBytes: attachment.bytes.sizeBytes })),
    },
  };
}

const calendarTruth = mailboxTruth({
  kind: 'calendar',
  changeCount: (tenant, person) => calendarState(tenant, person).events.journal.length,
  *records(tenant, person, at) {
    const state = calendarState(tenant, person);
    for (const record of itemsAt(state.events, at)) yield truthOf(person.id, state, record);
  },
});

function open(tenant: Tenant, input: JsonObject): { readonly ownerId: string; readonly state: CalendarState } {
  const person = typeof input['user'] === 'string' ? tenant.directory.user(input['user']) : undefined;
  if (!person) throw notFound('outlook', `There is no user ${textOf(input['user'])}.`);
  return { ownerId: person.id, state: calendarState(tenant, person) };
}

function requireRecord(state: CalendarState, ownerId: string, input: JsonObject): EventRecord {
  const found = typeof input['id'] === 'string' ? readOwnedId(ownerId, 'event', input['id']) : undefined;
  const record = found && state.events.items.get(found.number);
  if (!record) throw notFound('outlook', 'There is no such event.');
  return record;
}

function create(tenant: Tenant, input: JsonObject): JsonObject {
  const { ownerId, state } = open(tenant, input);
  const event = input['event'];
  if (!isJsonObject(event) || !isJsonObject(event['start']) || !isJsonObject(event['end']))
    throw badRequest('outlook', 'An event with start and end is required.');
  const nowMs = tenant.clock.nowMs();
  const base = {
    version: 0,
    createdMs: nowMs,
    modifiedMs: nowMs,
    calendar: 1,
    event: normaliseEvent(event),
    exceptions: {},
    attachments: [],
  };
  const record = addItem(state.events, nowMs, (number): EventRecord => ({ ...base, number }));
  return { id: ownedId(ownerId, 'event', { number: record.number, part: 0 }, true) };
}

const activities: readonly Activity[] = [
  { name: 'calendar.create', run: create },
  {
    name: 'calendar.change',
    run(tenant, input) {
      const { ownerId, state } = open(tenant, input);
      const record = requireRecord(state, ownerId, input);
      const change = isJsonObject(input['event']) ? input['event'] : {};
      putItem(state.events, tenant.clock.nowMs(), { ...record, event: { ...record.event, ...change } });
      return { id: textOf(input['id']) };
    },
  },
  {
    name: 'calendar.delete',
    run(tenant, input) {
      const { ownerId, state } = open(tenant, input);
      removeItem(state.events, tenant.clock.nowMs(), requireRecord(state, ownerId, input));
      return { id: textOf(input['id']) };
    },
  },
];

function playDay(tenant: Tenant, random: Random): Readonly<Record<string, number>> {
  const done = { 'calendar.create': 0, 'calendar.change': 0 };
  const nowMs = tenant.clock.nowMs();
  for (const person of tenant.directory.users().filter((other) => other.kind === 'member' && other.hasMailbox)) {
    const state = calendarState(tenant, person);
    if (chance(random, 0.5)) {
      const start = new Date(nowMs + between(random, 1, 20) * 86_400_000).toISOString().slice(0, 11);
      const time = (clock: string): JsonObject => ({ dateTime: `${start}${clock}`, timeZone: person.timeZone });
      create(tenant, {
        user: person.id,
        event: { subject: subjectLine(random, person.language), start: time('10:00:00'), end: time('11:00:00') },
      });
      done['calendar.create'] += 1;
    }
    const records = [...state.events.items.values()];
    if (records.length === 0 || !chance(random, 0.3)) continue;
    const record = pick(random, records);
    putItem(state.events, nowMs, { ...record, event: { ...record.event, location: { displayName: 'Room Oslo' } } });
    done['calendar.change'] += 1;
  }
  return done;
}

/** Calendars and events. */
export const calendarWorkload: Workload = {
  name: 'calendar',
  routes: [...calendarRoutes, ...writeEventRoutes, ...eventAttachmentRoutes],
  truth: [calendarTruth],
  activities,
  playDay,
};
