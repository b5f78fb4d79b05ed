import type { CalendarCalls } from '@holdfast/m365';
import type { ItemVersion } from '../../ports/item.ts';

/** Calendars and events that are at the target already; each list is read once. */
export function createExistingEvents(calendar: CalendarCalls, userId: string) {
  const calendars = new Map<string, string>();
  const existing = new Map<string, Promise<Map<string, string>>>();
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

  return {
    existingEvent: (calendarId: string, item: ItemVersion) => existingEvent(calendarId, item),
    /** Calendars by name in lower case; the default calendar by the empty name. */
    async calendars(): Promise<Map<string, string>> {
      listed ??= listCalendars();
      await listed;
      return calendars;
    },
  };
}
