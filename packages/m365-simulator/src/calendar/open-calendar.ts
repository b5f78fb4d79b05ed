import type { Person } from '../state/directory.ts';
import type { Context } from '../http/route.ts';
import { requireMailboxOwner } from '../mail/open.ts';
import { missingItem, readOwnedId } from '../http/owned-ids.ts';
import { type CalendarRecord, type CalendarState, calendarState } from './calendar-state.ts';
import { masterOf, type Occurrence, occurrencesOf } from './render-event.ts';

export interface OpenCalendar {
  readonly owner: Person;
  readonly state: CalendarState;
}

export function openCalendar(context: Context): OpenCalendar {
  const owner = requireMailboxOwner(context);
  return { owner, state: calendarState(context.tenant, owner) };
}

/** The calendar that the path names, or 404. */
export function requireCalendar({ owner, state }: OpenCalendar, id: string): CalendarRecord {
  const found = readOwnedId(owner.id, 'calendar', id);
  const calendar = found && state.calendars.items.get(found.number);
  if (!calendar) throw missingItem(id);
  return calendar;
}

/** The event or occurrence that an id names, or 404. */
export function requireEvent({ owner, state }: OpenCalendar, id: string): Occurrence {
  const event = readOwnedId(owner.id, 'event', id);
  const record = event && state.events.items.get(event.number);
  if (record) return masterOf(record);
  const occurrence = readOwnedId(owner.id, 'occurrence', id);
  const master = occurrence && state.events.items.get(occurrence.number);
  const found = master && occurrencesOf(master).find((entry) => entry.day === occurrence.part);
  if (!found) throw missingItem(id);
  return found;
}
