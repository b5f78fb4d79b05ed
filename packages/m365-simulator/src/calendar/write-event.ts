import { badRequest, requireMatch } from '../http/failure.ts';
import { isJsonObject, type JsonObject, type JsonValue, textOf } from '../values/json.ts';
import { created, noContent, ok, type Reply } from '../http/reply.ts';
import type { Context, RouteEntry } from '../http/route.ts';
import { changeKeyOf } from '../mail/render-message.ts';
import type { SideEffect } from '../state/outbox.ts';
import { addItem, putItem, removeItem } from '../state/item-list.ts';
import type { EventRecord } from './calendar-state.ts';
import { checkEvent } from './check-event.ts';
import { showEvent } from './calendar-routes.ts';
import { openCalendar, type OpenCalendar, requireCalendar, requireEvent } from './open-calendar.ts';
import { normaliseEvent } from './normalise-event.ts';
import { eventProperties, masterOf, type Occurrence, renderEvent } from './render-event.ts';
import { toLocal } from './time-zones.ts';

/** The properties that a client may set, of what it sent. */
function readEvent(body: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([name]) => eventProperties.has(name) && name !== 'organizer'));
}

function attendees(event: JsonObject): string[] {
  const list = Array.isArray(event['attendees']) ? event['attendees'] : [];
  return list.map((entry: JsonValue) => {
    const address = isJsonObject(entry) ? entry['emailAddress'] : undefined;
    return isJsonObject(address) ? textOf(address['address']) : '';
  });
}

/** What Exchange would send for this: there is no switch against it. */
function notify(context: Context, kind: SideEffect, event: JsonObject): void {
  const cause = `${context.method} ${context.route.path}: ${textOf(event['subject'])}`;
  for (const recipient of attendees(event)) context.tenant.outbox.add({ kind, recipient, cause });
}

/** When an occurrence takes place, as a client would send it. */
function timesOf({ startMs, endMs }: Occurrence): JsonObject {
  return { start: { dateTime: toLocal(startMs, 'UTC'), timeZone: 'UTC' }, end: { dateTime: toLocal(endMs, 'UTC'), timeZone: 'UTC' } };
}

function respond(context: Context, calendar: OpenCalendar, record: EventRecord): JsonObject {
  return {
    '@odata.context': context.links.context(`users('${calendar.owner.id}')/events/$entity`),
    ...showEvent(context, calendar, masterOf(record)),
  };
}

async function createEvent(context: Context): Promise<Reply> {
  const calendar = openCalendar(context);
  const target = requireCalendar(calendar, context.params[1] ?? '');
  const body = await context.json();
  if (!isJsonObject(body['start']) || !isJsonObject(body['end'])) throw badRequest('outlook', 'An event needs start and end.');
  const sent = readEvent(body);
  checkEvent(sent);
  const event = normaliseEvent(sent);
  const nowMs = context.tenant.clock.nowMs();
  const record = addItem(calendar.state.events, nowMs, (number): EventRecord => ({
    number,
    version: 0,
    createdMs: nowMs,
    modifiedMs: nowMs,
    calendar: target.number,
    event,
    exceptions: {},
    attachments: [],
  }));
  notify(context, 'invitation', event);
  return created(respond(context, calendar, record));
}

async function changeEvent(context: Context): Promise<Reply> {
  const calendar = openCalendar(context);
  const occurrence = requireEvent(calendar, context.params[1] ?? '');
  const { record, day } = occurrence;
  requireMatch('outlook', context.headers['if-match'], `W/"${changeKeyOf(`event/${record.number}`, record.version)}"`);
  const sent = readEvent(await context.json());
  const before = day === undefined ? record.event : { ...record.event, ...timesOf(occurrence), ...record.exceptions[textOf(day)] };
  checkEvent({ ...before, ...sent, ...(day === undefined ? {} : { recurrence: null }) });
  const change = normaliseEvent(sent);
  const nowMs = context.tenant.clock.nowMs();
  if (day === undefined) {
    const changed = putItem(calendar.state.events, nowMs, { ...record, event: { ...record.event, ...change } });
    notify(context, 'update', changed.event);
    return ok(respond(context, calendar, changed));
  }
  const exceptions = { ...record.exceptions, [textOf(day)]: { ...record.exceptions[textOf(day)], ...change } };
  const changed = putItem(calendar.state.events, nowMs, { ...record, exceptions });
  notify(context, 'update', { ...changed.event, ...change });
  const shown = requireEvent({ ...calendar }, context.params[1] ?? '');
  const annotation = { '@odata.context': context.links.context(`users('${calendar.owner.id}')/events/$entity`) };
  return ok({ ...annotation, ...showEvent(context, calendar, shown) });
}

function removeEvent(context: Context): Reply {
  const calendar = openCalendar(context);
  const occurrence = requireEvent(calendar, context.params[1] ?? '');
  const { record, day } = occurrence;
  const nowMs = context.tenant.clock.nowMs();
  const rendered = renderEvent(context, calendar.owner, occurrence);
  if (rendered['isOrganizer'] === true) notify(context, 'cancellation', record.event);
  if (day === undefined) removeItem(calendar.state.events, nowMs, record);
  else putItem(calendar.state.events, nowMs, { ...record, exceptions: { ...record.exceptions, [textOf(day)]: null } });
  return noContent;
}

const service = 'outlook';

/** Creating, changing and deleting events and single occurrences. */
export const writeEventRoutes: readonly RouteEntry[] = [
  { method: 'POST', path: '/users/{id}/calendars/{id}/events', service, handler: createEvent },
  { method: 'PATCH', path: '/users/{id}/events/{id}', service, handler: changeEvent },
  { method: 'DELETE', path: '/users/{id}/events/{id}', service, handler: removeEvent },
];
