import type { Body } from '@holdfast/m365';
import { eventTimes, type StoredTimes } from './event-times.ts';

interface Person {
  readonly emailAddress?: { readonly name?: string | null; readonly address?: string | null } | null;
  readonly type?: string | null;
  readonly status?: { readonly response?: string | null } | null;
}

/** An event as the service gave it, as far as a restore looks into it. */
export interface StoredEvent extends StoredTimes {
  readonly subject?: string | null;
  readonly body?: { readonly contentType?: string; readonly content?: string } | null;
  readonly originalStart?: string | null;
  readonly attendees?: readonly Person[] | null;
  readonly organizer?: Person | null;
  readonly isOrganizer?: boolean | null;
  readonly isOnlineMeeting?: boolean | null;
  readonly exceptionOccurrences?: readonly StoredEvent[] | null;
  readonly cancelledOccurrences?: readonly string[] | null;
  readonly [name: string]: unknown;
}

/** Taken over as they are; whatever could send a mail is not among them. */
const PLAIN = [
  'subject',
  'importance',
  'sensitivity',
  'showAs',
  'isAllDay',
  'isReminderOn',
  'reminderMinutesBeforeStart',
  'categories',
  'location',
  'locations',
  'hideAttendees',
  'responseRequested',
] as const;

/** The open property that keeps who was invited. */
export const ATTENDEES_PROPERTY = 'String {00020329-0000-0000-c000-000000000046} Name HoldfastAttendees';

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function row(person: Person, role: string): string {
  const { emailAddress, status } = person;
  const cells = [role, emailAddress?.name ?? '', emailAddress?.address ?? '', status?.response ?? ''];
  return `<tr>${cells.map((cell) => `<td>${escape(cell)}</td>`).join('')}</tr>`;
}

/** Organiser and attendees as a table for the end of the body; empty when nobody was invited. */
export function attendeeTable({ organizer, attendees }: StoredEvent): string {
  if (!attendees || attendees.length === 0) return '';
  const rows = attendees.map((person) => row(person, person.type ?? 'required'));
  return `<hr><table>${organizer ? row(organizer, 'organizer') : ''}${rows.join('')}</table>`;
}

function bodyOf(event: StoredEvent): Body {
  const table = attendeeTable(event);
  const { contentType = 'html', content = '' } = event.body ?? {};
  if (table === '') return { contentType, content };
  const html = contentType === 'html' ? content : `<pre>${escape(content)}</pre>`;
  const end = html.lastIndexOf('</body>');
  return { contentType: 'html', content: end < 0 ? html + table : html.slice(0, end) + table + html.slice(end) };
}

function plain(event: StoredEvent): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const name of PLAIN) if (event[name] !== undefined && event[name] !== null) out[name] = event[name];
  return out;
}

/** An event for a POST that invites nobody. Times keep the zone the event was made in where the service told it. */
export function eventBody(event: StoredEvent): Body {
  const { attendees, organizer } = event;
  const { start, end, recurrence } = eventTimes(event);
  return {
    ...plain(event),
    body: bodyOf(event),
    start,
    end,
    ...(recurrence ? { recurrence } : {}),
    ...(attendees && attendees.length > 0
      ? { singleValueExtendedProperties: [{ id: ATTENDEES_PROPERTY, value: JSON.stringify({ organizer, attendees }) }] }
      : {}),
  };
}

/** What an exception of a series has of its own. */
export function exceptionChange(exception: StoredEvent): Body {
  const { start, end } = exception;
  return { ...plain(exception), body: bodyOf(exception), start, end };
}
