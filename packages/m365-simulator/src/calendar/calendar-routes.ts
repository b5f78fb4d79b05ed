import { deltaPage } from '../delta/delta-page.ts';
import { type Feed, positionsOf } from '../state/feed.ts';
import { listPage } from '../delta/list-page.ts';
import { badRequest, conflict } from '../http/failure.ts';
import { readFilter } from '../http/filter.ts';
import type { JsonObject } from '../values/json.ts';
import { ordered } from '../http/order-by.ts';
import { project } from '../http/query.ts';
import { created, noContent, ok, type Reply } from '../http/reply.ts';
import type { Context, RouteEntry } from '../http/route.ts';
import { addItem, feedOfItems, removeItem } from '../state/item-list.ts';
import { ownedId } from '../http/owned-ids.ts';
import type { EventRecord } from './calendar-state.ts';
import { openCalendar, type OpenCalendar, requireCalendar, requireEvent } from './open-calendar.ts';
import { cancelledOccurrences, masterOf, type Occurrence, occurrencesOf, renderCalendar, renderEvent } from './render-event.ts';

/** An event as this request wants it: selected, with exceptions when they are asked for. */
export function showEvent(context: Context, calendar: OpenCalendar, occurrence: Occurrence): JsonObject {
  const { owner } = calendar;
  const { query } = context;
  const out: Record<string, JsonObject[string]> = { ...project(renderEvent(context, owner, occurrence), query.select) };
  const isMaster = occurrence.day === undefined && occurrence.record.event['recurrence'] !== undefined;
  if (query.select?.includes('cancelledOccurrences') === true)
    out['cancelledOccurrences'] = isMaster ? cancelledOccurrences(owner, occurrence.record) : [];
  if (query.expands('exceptionOccurrences')) {
    const exceptions = isMaster ? occurrencesOf(occurrence.record).filter((entry) => entry.isException) : [];
    out['exceptionOccurrences'] = exceptions.map((entry) => renderEvent(context, owner, entry));
  }
  const extended = occurrence.record.event['singleValueExtendedProperties'];
  if (query.expands('singleValueExtendedProperties') && extended !== undefined) out['singleValueExtendedProperties'] = extended;
  return out;
}

function listCalendars(context: Context): Reply {
  const calendar = openCalendar(context);
  return listPage(context, {
    items: feedOfItems(calendar.state.calendars),
    context: `users('${calendar.owner.id}')/calendars`,
    defaultSize: 10,
    maxSize: 999,
    render: (record) => project(renderCalendar(context, calendar.owner, record), context.query.select),
  });
}

async function createCalendar(context: Context): Promise<Reply> {
  const { owner, state } = openCalendar(context);
  const { name, color } = await context.json();
  if (typeof name !== 'string' || name === '') throw badRequest('outlook', 'A calendar needs a name.');
  if ([...state.calendars.items.values()].some((other) => other.name.toLowerCase() === name.toLowerCase()))
    throw conflict('outlook', 'A calendar with this name exists.');
  const nowMs = context.tenant.clock.nowMs();
  const record = addItem(state.calendars, nowMs, (number) => ({
    number,
    version: 0,
    createdMs: nowMs,
    modifiedMs: nowMs,
    name,
    color: typeof color === 'string' ? color : 'auto',
    isDefault: false,
  }));
  return created({
    '@odata.context': context.links.context(`users('${owner.id}')/calendars/$entity`),
    ...renderCalendar(context, owner, record),
  });
}

/** Past the recycle bin, with its events. */
function purgeCalendar(context: Context): Reply {
  const opened = openCalendar(context);
  const record = requireCalendar(opened, context.params[1] ?? '');
  if (record.isDefault) throw badRequest('outlook', 'The default calendar cannot be deleted.');
  const nowMs = context.tenant.clock.nowMs();
  const { calendars, events } = opened.state;
  for (const event of events.items.values()) if (event.calendar === record.number) removeItem(events, nowMs, event);
  removeItem(calendars, nowMs, record);
  return noContent;
}

function listEvents(context: Context): Reply {
  const calendar = openCalendar(context);
  const record = requireCalendar(calendar, context.params[1] ?? '');
  const { query } = context;
  const filter = query.filter === undefined ? undefined : readFilter(query.filter, 'outlook');
  return listPage(context, {
    items: ordered(
      feedOfItems(calendar.state.events, (event) => event.calendar === record.number),
      {
        orderBy: query.orderBy,
        service: 'outlook',
        render: (event) => renderEvent(context, calendar.owner, masterOf(event)),
      },
    ),
    context: `users('${calendar.owner.id}')/calendars('${context.params[1] ?? ''}')/events`,
    defaultSize: 10,
    maxSize: 999,
    render: (event) => showEvent(context, calendar, masterOf(event)),
    ...(filter ? { includes: (event: EventRecord) => filter(renderEvent(context, calendar.owner, masterOf(event))) } : {}),
  });
}

function listInstances(context: Context): Reply {
  const calendar = openCalendar(context);
  const { record } = requireEvent(calendar, context.params[1] ?? '');
  const { from, to } = windowOf(context);
  const within = occurrencesOf(record).filter((entry) => entry.day !== undefined && entry.startMs < to && entry.endMs > from);
  return listPage(context, {
    items: positionsOf(within),
    context: `users('${calendar.owner.id}')/events('${context.params[1] ?? ''}')/instances`,
    defaultSize: 10,
    maxSize: 999,
    render: (entry) => project(renderEvent(context, calendar.owner, entry), context.query.select),
  });
}

function timeOf(text: string | undefined): number {
  if (text === undefined) return Number.NaN;
  return Date.parse(/(?:Z|[+-]\d\d:\d\d)$/u.test(text) ? text : `${text}Z`);
}

function windowOf(context: Context, query = context.query): { readonly from: number; readonly to: number } {
  const from = timeOf(query.get('startDateTime'));
  const to = timeOf(query.get('endDateTime'));
  if (Number.isNaN(from) || Number.isNaN(to) || to <= from)
    throw badRequest(
      'outlook',
      'This request requires a time window specified by the query string parameters StartDateTime and EndDateTime.',
    );
  return { from, to };
}

/** Entries of one event stand this many positions apart, so that a change of one moves no other. */
const SLOTS = 2048;

/** Masters, single events and occurrences in the window, in positions that never move. */
function viewFeed(calendar: OpenCalendar, number: number, window: { readonly from: number; readonly to: number }): Feed<Occurrence> {
  const { events } = calendar.state;
  const known = new Map<number, Occurrence[]>();
  const inWindow = (record: EventRecord | undefined): Occurrence[] => {
    if (!record || record.calendar !== number) return [];
    const found =
      known.get(record.number) ?? occurrencesOf(record).filter((entry) => entry.startMs < window.to && entry.endMs > window.from);
    known.set(record.number, found);
    return found;
  };
  return {
    size: events.order.length * SLOTS,
    at(position) {
      const record = events.items.get(events.order[Math.floor(position / SLOTS)] ?? -1);
      const entries = inWindow(record);
      const slot = position % SLOTS;
      if (!record || entries.length === 0) return undefined;
      if (record.event['recurrence'] === undefined) return slot === 0 ? entries[0] : undefined;
      return slot === 0 ? masterOf(record) : entries[slot - 1];
    },
    log: events.log,
    current(id) {
      const record = events.items.get(Number(id));
      return record && inWindow(record).length > 0 ? masterOf(record) : undefined;
    },
  };
}

function viewDelta(context: Context): Reply {
  const calendar = openCalendar(context);
  const record = requireCalendar(calendar, context.params[1] ?? '');
  const isFirst = context.query.token === undefined;
  const window = isFirst ? windowOf(context) : undefined;
  const { owner } = calendar;
  const { isImmutableId } = context.prefer;
  return deltaPage(context, {
    feed: viewFeed(calendar, record.number, window ?? { from: -Infinity, to: Infinity }),
    feedOf: (query) => viewFeed(calendar, record.number, windowOf(context, query)),
    resource: `calendar/${owner.id}/${record.number}`,
    context: 'Collection(event)',
    defaultSize: 10,
    maxSize: 1000,
    render: (entry) => ({ '@odata.type': '#microsoft.graph.event', ...renderEvent(context, owner, entry) }),
    removed: (id) => ({
      '@odata.type': '#microsoft.graph.event',
      id: ownedId(owner.id, 'event', { number: Number(id), part: 0 }, isImmutableId),
      '@removed': { reason: 'deleted' },
    }),
  });
}

function getEvent(context: Context): Reply {
  const calendar = openCalendar(context);
  const occurrence = requireEvent(calendar, context.params[1] ?? '');
  const annotation = { '@odata.context': context.links.context(`users('${calendar.owner.id}')/events/$entity`) };
  return ok({ ...annotation, ...showEvent(context, calendar, occurrence) });
}

const service = 'outlook';
const LIST = ['$select', '$top', '$skip', '$filter', '$orderby', '$count', '$expand'];

/** Reading calendars, and making them. */
export const calendarRoutes: readonly RouteEntry[] = [
  { method: 'GET', path: '/users/{id}/calendars', service, query: ['$select', '$top', '$skip', '$count'], handler: listCalendars },
  { method: 'POST', path: '/users/{id}/calendars', service, handler: createCalendar },
  { method: 'POST', path: '/users/{id}/calendars/{id}/permanentDelete', service, handler: purgeCalendar },
  { method: 'GET', path: '/users/{id}/calendars/{id}/events', service, query: LIST, handler: listEvents },
  { method: 'GET', path: '/users/{id}/calendars/{id}/calendarView/delta', service, query: ['$top'], handler: viewDelta },
  { method: 'GET', path: '/users/{id}/events/{id}', service, query: ['$select', '$expand'], handler: getEvent },
  { method: 'GET', path: '/users/{id}/events/{id}/instances', service, query: ['$select', '$top', '$skip'], handler: listInstances },
];
