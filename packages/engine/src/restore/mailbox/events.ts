import { isGraphError, type Body, type EventRef, type Known } from '@holdfast/m365';
import type { ItemVersion } from '../../ports/item.ts';
import { readJson, type ItemOutcome, type PlacedContainer, type RestoreContext } from '../restorer.ts';
import { attendeeTable, eventBody, exceptionChange, losesTimeZone, type StoredEvent } from './event-body.ts';
import { INLINE_LIMIT } from './message-body.ts';

const DAY_MS = 86_400_000;

function momentOf({ originalStart, start }: StoredEvent): number | undefined {
  const at = originalStart ?? start?.dateTime;
  const ms = at === undefined ? Number.NaN : Date.parse(at.endsWith('Z') ? at : `${at}Z`);
  return Number.isNaN(ms) ? undefined : ms;
}

/** Puts calendars and events back without telling anybody: attendees become text, no online meeting is made. */
export function createEventRestorer(context: RestoreContext) {
  const { request, graph, reader } = context;
  const { calendar } = graph.exchange;
  const userId = request.target.resource.graphId;
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

  async function addAttachments(item: ItemVersion, event: EventRef): Promise<readonly string[]> {
    const differences: string[] = [];
    for (const content of item.contents) {
      if (content.role !== 'attachment') continue;
      const name = content.label ?? 'attachment';
      const contentType = content.mediaType ?? 'application/octet-stream';
      if (content.ref.sizeBytes > INLINE_LIMIT) {
        const source = {
          sizeBytes: content.ref.sizeBytes,
          open: (offset: number) => reader.read(content.ref, { range: { offset, length: content.ref.sizeBytes - offset } }),
        };
        await calendar.uploadEventAttachment(event, { name, contentType }, source);
        continue;
      }
      const bytes = await reader.readAll(content.ref, INLINE_LIMIT);
      const body = { '@odata.type': '#microsoft.graph.fileAttachment', name, contentType, contentBytes: bytes.toString('base64') };
      await calendar.addEventAttachment(event, body);
    }
    return differences;
  }

  /** Without its original start an exception belongs to the regular occurrence that is nearest to it. */
  async function restoreException(series: EventRef, exception: StoredEvent): Promise<boolean> {
    const ms = momentOf(exception);
    if (ms === undefined) return false;
    const range = { from: new Date(ms - 2 * DAY_MS).toISOString(), to: new Date(ms + 2 * DAY_MS).toISOString() };
    let nearest: { readonly id: string; readonly distance: number } | undefined;
    for await (const occurrence of calendar.instances(series, range)) {
      const own = momentOf(occurrence as unknown as StoredEvent);
      if (own === undefined || occurrence.type === 'exception') continue;
      const distance = Math.abs(own - ms);
      if (!nearest || distance < nearest.distance) nearest = { id: occurrence.id, distance };
    }
    if (!nearest) return false;
    await calendar.updateEvent({ userId, eventId: nearest.id }, exceptionChange(exception));
    return true;
  }

  async function cancelOccurrence(series: EventRef, occurrenceId: string): Promise<boolean> {
    const day = /(\d{4}-\d{2}-\d{2})$/u.exec(occurrenceId)?.[1];
    if (day === undefined) return false;
    const from = new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000).toISOString();
    const to = new Date(Date.parse(`${day}T00:00:00Z`) + 2 * 86_400_000).toISOString();
    for await (const occurrence of calendar.instances(series, { from, to })) {
      const marker = (occurrence as { readonly occurrenceId?: string | null }).occurrenceId ?? '';
      const own = occurrence.originalStart ?? occurrence.start?.dateTime ?? '';
      if (!marker.endsWith(day) && !own.startsWith(day)) continue;
      await calendar.deleteEvent({ userId, eventId: occurrence.id });
      return true;
    }
    return false;
  }

  async function restoreSeries(stored: StoredEvent, series: EventRef): Promise<readonly string[]> {
    const differences: string[] = [];
    for (const exception of stored.exceptionOccurrences ?? []) {
      if (!(await restoreException(series, exception))) differences.push('exceptionOccurrences');
    }
    for (const id of stored.cancelledOccurrences ?? []) {
      if (!(await cancelOccurrence(series, id))) differences.push('cancelledOccurrences');
    }
    return differences;
  }

  async function create(calendarId: string, item: ItemVersion): Promise<{ readonly id: string; readonly differences: readonly string[] }> {
    const stored = (await readJson(context, item)) as unknown as StoredEvent;
    const body: Body = eventBody(stored);
    const recover = async (): Promise<Known<object> | undefined> => undefined;
    const created = await calendar.createEvent({ userId, calendarId }, body, { recover });
    const event = { userId, eventId: created.id };
    const differences = [...(await addAttachments(item, event)), ...(await restoreSeries(stored, event))];
    if (attendeeTable(stored) !== '') differences.push('attendees', 'organizer');
    if (stored.isOnlineMeeting) differences.push('isOnlineMeeting');
    if (losesTimeZone(stored)) differences.push('timeZone');
    return { id: created.id, differences };
  }

  async function removeOld(eventId: string): Promise<readonly string[]> {
    try {
      await calendar.deleteEvent({ userId, eventId });
      return [];
    } catch (error) {
      if (isGraphError(error, 'graph.item-gone')) return [];
      if (isGraphError(error, 'graph.bad-request')) return ['originalKeptBecauseOfAttendees'];
      throw error;
    }
  }

  return {
    async place(item: ItemVersion): Promise<PlacedContainer> {
      listed ??= listCalendars();
      await listed;
      const isDefault = item.properties['isDefaultCalendar'] === true && request.target.folder === undefined;
      const name = request.target.folder === undefined ? item.name : `${item.name} (${request.target.folder})`;
      const known = calendars.get(isDefault ? '' : name.toLowerCase());
      if (known !== undefined) return { outcome: 'skipped', targetId: known };
      const { color } = item.properties;
      const made = await calendar.createCalendar({ userId }, { name, ...(typeof color === 'string' ? { color } : {}) });
      calendars.set(name.toLowerCase(), made.id);
      return { outcome: 'restored', targetId: made.id };
    },
    async restore(item: ItemVersion, parent: PlacedContainer): Promise<ItemOutcome> {
      const old = request.collisions === 'keepBoth' ? undefined : await existingEvent(parent.targetId, item);
      if (old !== undefined && request.collisions === 'skip') return { outcome: 'skipped', targetId: old, code: 'restore.exists' };
      if (old !== undefined && request.collisions === 'newerWins') {
        const { lastModifiedDateTime } = await calendar.event({ userId, eventId: old });
        if (Date.parse(lastModifiedDateTime ?? '') > Date.parse(item.modifiedAt ?? '')) {
          return { outcome: 'skipped', targetId: old, code: 'restore.existing-newer' };
        }
      }
      const made = await create(parent.targetId, item);
      const kept = old === undefined ? [] : await removeOld(old);
      const outcome = old === undefined ? 'restored' : 'replaced';
      return { outcome, targetId: made.id, differences: [...made.differences, ...kept], bytes: item.sizeBytes };
    },
    async collides(item: ItemVersion): Promise<boolean> {
      if (!context.isOriginal || item.parentKey === null) return false;
      return (await existingEvent(item.parentKey, item).catch(() => undefined)) !== undefined;
    },
  };
}
