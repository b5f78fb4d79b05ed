import type { Body } from '@holdfast/m365';
import type { ItemVersion } from '../../ports/item.ts';
import type { RestoreContext } from '../restorer.ts';
import { addTo, createTwins, without } from '../twins.ts';
import { oncePerKey } from '../../pipeline/once-per-key.ts';

type Time = { readonly dateTime?: string | null; readonly timeZone?: string | null } | null | undefined;

/** Times of one event as it was sent and as it is read: to the minute, and only where both name the same zone. */
function isSameTime(read: Time, sent: Time): boolean {
  if ((read?.timeZone ?? 'UTC') !== (sent?.timeZone ?? 'UTC')) return true;
  return (read?.dateTime ?? '').slice(0, 16) === (sent?.dateTime ?? '').slice(0, 16);
}

/** The events of a calendar: their ids, by the id that all calendars share, and by what they say. */
interface ListedEvents {
  readonly ids: ReadonlySet<string>;
  readonly shared: ReadonlyMap<string, string>;
  readonly alike: ReadonlyMap<string, readonly { readonly id: string }[]>;
}

interface EventFacts {
  readonly subject?: string | null;
  readonly start?: Time;
  readonly end?: Time;
}

/** What an event says: subject, beginning and end, as the service tells them in UTC. */
function contentOfEvent({ subject, start, end }: EventFacts): string {
  return `${(start?.dateTime ?? '').slice(0, 16)} ${(end?.dateTime ?? '').slice(0, 16)} ${subject ?? ''}`;
}

/** Calendars and events that are at the target already; each list is read once. */
export function createExistingEvents(context: RestoreContext) {
  const { beginnings } = context;
  const { calendar } = context.graph.exchange;
  const userId = context.request.target.resource.graphId;
  const twins = createTwins(context);
  const calendars = new Map<string, string>();
  const existing = oncePerKey(listEvents);
  const seen = new Map<string, Set<string>>();
  let listed: Promise<void> | undefined;

  async function listCalendars(): Promise<void> {
    for await (const one of calendar.calendars({ userId })) {
      const name = (one.name ?? '').toLowerCase();
      // The empty name is the default calendar's here: one that has none must not take its place.
      if (name !== '') calendars.set(name, one.id);
      if (one.isDefaultCalendar) calendars.set('', one.id);
    }
  }

  async function listEvents(calendarId: string): Promise<ListedEvents> {
    const ids = new Set<string>();
    const shared = new Map<string, string>();
    const alike = new Map<string, { readonly id: string }[]>();
    for await (const event of calendar.events({ userId, calendarId }, { isNamed: true })) {
      ids.add(event.id);
      if (event.iCalUId) shared.set(event.iCalUId, event.id);
      addTo(alike, contentOfEvent(event), { id: event.id });
    }
    return { ids, shared, alike };
  }

  /** The events of a calendar that say the same as this one. */
  async function like(calendarId: string, item: ItemVersion): Promise<readonly { readonly id: string }[]> {
    const { alike } = await existing.of(calendarId);
    return alike.get(contentOfEvent({ ...(item.properties['read'] as EventFacts | undefined), subject: item.name })) ?? [];
  }

  async function existingEvent(calendarId: string, item: ItemVersion): Promise<string | undefined> {
    const { ids, shared } = await existing.of(calendarId);
    if (ids.has(item.key)) return item.key;
    const { iCalUId } = item.properties;
    const same = typeof iCalUId === 'string' ? shared.get(iCalUId) : undefined;
    if (same !== undefined) return same;
    const there = await like(calendarId, item);
    return (await twins.find(without(there, await beginnings.leftOf(item.key, there))))?.id;
  }

  /** The event that a lost answer was about: one that nobody had seen before, of this subject and beginning. */
  async function made(calendarId: string, body: Body): Promise<{ readonly id: string } | undefined> {
    const seen = await seenIn(calendarId);
    const { subject, start } = body as { readonly subject?: string; readonly start?: Time };
    for await (const event of calendar.events({ userId, calendarId })) {
      if (seen.has(event.id)) continue;
      const whole = await calendar.event({ userId, eventId: event.id });
      if ((whole.subject ?? '') !== (subject ?? '') || !isSameTime(whole.start, start)) continue;
      seen.add(event.id);
      return { id: event.id };
    }
    return undefined;
  }

  /** What is known to be in a calendar: what did before, and what this restore has made. */
  async function seenIn(calendarId: string): Promise<Set<string>> {
    const known = seen.get(calendarId) ?? new Set((await existing.of(calendarId)).ids);
    seen.set(calendarId, known);
    return known;
  }

  return {
    like,
    made,
    seenIn,
    existingEvent: (calendarId: string, item: ItemVersion) => existingEvent(calendarId, item),
    /** Calendars by name in lower case; the default calendar by the empty name. */
    async calendars(): Promise<Map<string, string>> {
      listed ??= listCalendars();
      await listed;
      return calendars;
    },
  };
}
