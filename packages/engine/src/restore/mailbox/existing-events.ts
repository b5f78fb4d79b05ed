import type { Body, CalendarCalls } from '@holdfast/m365';
import type { ItemVersion } from '../../ports/item.ts';

type Time = { readonly dateTime?: string | null; readonly timeZone?: string | null } | null | undefined;

/** Times of one event as it was sent and as it is read: to the minute, and only where both name the same zone. */
function isSameTime(read: Time, sent: Time): boolean {
  if ((read?.timeZone ?? 'UTC') !== (sent?.timeZone ?? 'UTC')) return true;
  return (read?.dateTime ?? '').slice(0, 16) === (sent?.dateTime ?? '').slice(0, 16);
}

/** Calendars and events that are at the target already; each list is read once. */
export function createExistingEvents(calendar: CalendarCalls, userId: string) {
  const calendars = new Map<string, string>();
  const existing = new Map<string, Promise<Map<string, string>>>();
  const seen = new Map<string, Set<string>>();
  let listed: Promise<void> | undefined;

  async function listCalendars(): Promise<void> {
    for await (const one of calendar.calendars({ userId })) {
      calendars.set((one.name ?? '').toLowerCase(), one.id);
      if (one.isDefaultCalendar) calendars.set('', one.id);
    }
  }

  async function listEvents(calendarId: string): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    for await (const event of calendar.events({ userId, calendarId })) if (event.iCalUId) found.set(event.iCalUId, event.id);
    return found;
  }

  function eventsOf(calendarId: string): Promise<Map<string, string>> {
    let events = existing.get(calendarId);
    if (!events) {
      events = listEvents(calendarId);
      existing.set(calendarId, events);
    }
    return events;
  }

  async function existingEvent(calendarId: string, item: ItemVersion): Promise<string | undefined> {
    const events = await eventsOf(calendarId);
    if ([...events.values()].includes(item.key)) return item.key;
    const { iCalUId } = item.properties;
    return typeof iCalUId === 'string' ? events.get(iCalUId) : undefined;
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

  /** What is known to lie in a calendar: what did before, and what this restore has made. */
  async function seenIn(calendarId: string): Promise<Set<string>> {
    const known = seen.get(calendarId) ?? new Set((await eventsOf(calendarId)).values());
    seen.set(calendarId, known);
    return known;
  }

  return {
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
