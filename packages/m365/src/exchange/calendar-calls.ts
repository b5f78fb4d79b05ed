import type { Attachment, Calendar, Event } from '@microsoft/microsoft-graph-types';
import { graphError } from '../errors/errors.ts';
import type { Caller } from '../client/caller.ts';
import type { Body, Known } from '../client/calls.ts';
import { readContent } from '../client/content/content.ts';
import { readDelta } from '../client/paging/delta.ts';
import { list } from '../client/paging/listing.ts';
import type { PageSize } from '../client/paging/page.ts';
import { uploadAttachment } from './attachment-upload.ts';
import type { CalendarCalls, EventRef } from './calendar-api.ts';

const UTC = 'outlook.timezone="UTC"';
const PAGE: PageSize = { by: 'top', size: 250 };
const DELTA_PAGE: PageSize = { by: 'prefer', size: 500 };
const EVENT_FIELDS = 'id,changeKey,lastModifiedDateTime,type,iCalUId';
const NAMED_EVENT_FIELDS = `${EVENT_FIELDS},subject,start,end`;

/** There is no switch against the mail that attendees get, so a body that names them is never sent. */
function refuseAttendees(event: Body): void {
  const attendees = event['attendees'];
  if (attendees !== undefined && (!Array.isArray(attendees) || attendees.length > 0)) {
    throw graphError('graph.bad-request', { field: 'attendees', reason: 'invitations would be sent' });
  }
  if (event['isOnlineMeeting'] === true) {
    throw graphError('graph.bad-request', { field: 'isOnlineMeeting', reason: 'a new meeting would be created' });
  }
}

/** A master and what differs in its series; the second request is made for masters only. */
async function readEvent(caller: Caller, { userId, eventId }: EventRef): Promise<Known<Event>> {
  const call = { route: 'GET /users/{id}/events/{id}', params: [userId, eventId], prefer: [UTC] } as const;
  const event = await caller.known<Event>(call);
  if (event.type !== 'seriesMaster') return event;
  const series = await caller.known<Event>({
    ...call,
    query: { $select: 'id,cancelledOccurrences', $expand: 'exceptionOccurrences' },
  });
  const { exceptionOccurrences, cancelledOccurrences } = series as Known<Event> & { readonly cancelledOccurrences?: readonly string[] };
  return { ...event, exceptionOccurrences: exceptionOccurrences ?? [], ...(cancelledOccurrences ? { cancelledOccurrences } : {}) };
}

async function deleteEvent(caller: Caller, { userId, eventId }: EventRef): Promise<void> {
  const event = await caller.find(
    { route: 'GET /users/{id}/events/{id}', params: [userId, eventId], query: { $select: 'id,attendees,isOrganizer' } },
    (value) => value as Event,
  );
  if (!event) return;
  if ((event.attendees ?? []).length > 0)
    throw graphError('graph.bad-request', { field: 'attendees', reason: 'cancellations would be sent' });
  await caller.remove({ route: 'DELETE /users/{id}/events/{id}', params: [userId, eventId] });
}

type ReadCalls = Pick<
  CalendarCalls,
  'calendars' | 'events' | 'viewDelta' | 'event' | 'instances' | 'eventAttachments' | 'eventAttachmentContent'
>;

function readCalls(caller: Caller): ReadCalls {
  return {
    calendars: ({ userId }) => list<Calendar>(caller, { route: 'GET /users/{id}/calendars', params: [userId] }, { by: 'top', size: 100 }),
    events: ({ userId, calendarId }, { isNamed = false } = {}) =>
      list(
        caller,
        {
          route: 'GET /users/{id}/calendars/{id}/events',
          params: [userId, calendarId],
          query: { $select: isNamed ? NAMED_EVENT_FIELDS : EVENT_FIELDS },
          ...(isNamed ? { prefer: [UTC] } : {}),
        },
        PAGE,
      ),
    viewDelta: ({ userId, calendarId }, window, cursor) =>
      readDelta<Event>(
        caller,
        {
          call: {
            route: 'GET /users/{id}/calendars/{id}/calendarView/delta',
            params: [userId, calendarId],
            query: { startDateTime: window.from, endDateTime: window.to },
            prefer: [UTC],
          },
          page: DELTA_PAGE,
        },
        cursor,
      ),
    event: (event) => readEvent(caller, event),
    instances: ({ userId, eventId }, range) =>
      list<Event>(
        caller,
        {
          route: 'GET /users/{id}/events/{id}/instances',
          params: [userId, eventId],
          query: { startDateTime: range.from, endDateTime: range.to },
          prefer: [UTC],
        },
        PAGE,
      ),
    eventAttachments: ({ userId, eventId }) =>
      list<Attachment>(caller, { route: 'GET /users/{id}/events/{id}/attachments', params: [userId, eventId] }, { by: 'top', size: 100 }),
    eventAttachmentContent: ({ userId, eventId, attachmentId }) =>
      readContent(caller, { route: 'GET /users/{id}/events/{id}/attachments/{id}/$value', params: [userId, eventId, attachmentId] }),
  };
}

type WriteCalls = Omit<CalendarCalls, keyof ReadCalls>;

function writeCalls(caller: Caller): WriteCalls {
  return {
    // A second calendar of the same name is refused.
    createCalendar: ({ userId }, calendar) =>
      caller.known({ route: 'POST /users/{id}/calendars', params: [userId], json: calendar, isRepeatable: true }),
    permanentlyDeleteCalendar: ({ userId, calendarId }) =>
      caller.remove({ route: 'POST /users/{id}/calendars/{id}/permanentDelete', params: [userId, calendarId], isRepeatable: true }),
    async createEvent({ userId, calendarId }, event, options = {}) {
      refuseAttendees(event);
      return caller.known({
        route: 'POST /users/{id}/calendars/{id}/events',
        params: [userId, calendarId],
        prefer: [UTC],
        json: { responseRequested: false, ...event },
        ...(options.recover ? { recover: options.recover } : {}),
      });
    },
    async updateEvent({ userId, eventId }, change) {
      refuseAttendees(change);
      return caller.known({ route: 'PATCH /users/{id}/events/{id}', params: [userId, eventId], prefer: [UTC], json: change });
    },
    deleteEvent: (event) => deleteEvent(caller, event),
    addEventAttachment: ({ userId, eventId }, attachment, options = {}) =>
      caller.known({
        route: 'POST /users/{id}/events/{id}/attachments',
        params: [userId, eventId],
        json: attachment,
        ...(options.recover ? { recover: options.recover } : {}),
      }),
    uploadEventAttachment: ({ userId, eventId }, attachment, source) =>
      uploadAttachment(
        caller,
        { route: 'POST /users/{id}/events/{id}/attachments/createUploadSession', params: [userId, eventId], mailbox: userId },
        { ...attachment, source },
      ),
  };
}

/** Calls of calendars and events. */
export function createCalendarCalls(caller: Caller): CalendarCalls {
  return Object.freeze<CalendarCalls>({ ...readCalls(caller), ...writeCalls(caller) });
}
