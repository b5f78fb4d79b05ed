import { isGraphError, type Body, type EventRef, type Known } from '@holdfast/m365';
import type { ItemVersion } from '../../ports/item.ts';
import { besideName } from '../beside.ts';
import { readJson, writtenOf, type ItemOutcome, type PlacedContainer, type RestoreContext, uploadSource } from '../restorer.ts';
import { attendeeTable, eventBody, type StoredEvent } from './event-body.ts';
import { createSeriesRestorer } from './event-series.ts';
import { losesTimeZone } from './event-times.ts';
import { createExistingEvents } from './existing-events.ts';
import { INLINE_LIMIT, POST_LIMIT } from './message-body.ts';

/** What an attachment that is no file comes back as: an item as a file, a link not at all, for nobody can attach one. */
async function otherAttachments({ reader }: RestoreContext, item: ItemVersion): Promise<readonly string[]> {
  const differences = new Set<string>();
  for (const { role, ref } of item.contents) {
    if (role !== 'part') continue;
    const { '@odata.type': type } = JSON.parse((await reader.readAll(ref, INLINE_LIMIT)).toString('utf8')) as Readonly<
      Record<string, unknown>
    >;
    if (type === '#microsoft.graph.itemAttachment') differences.add('attachedMessageAsFile');
    if (type === '#microsoft.graph.referenceAttachment') differences.add('attachedLinks');
  }
  return [...differences];
}

async function addAttachments(context: RestoreContext, item: ItemVersion, event: EventRef): Promise<readonly string[]> {
  const { graph, reader } = context;
  const { calendar } = graph.exchange;
  for (const content of item.contents) {
    if (content.role !== 'attachment') continue;
    const name = content.label ?? 'attachment';
    const contentType = content.mediaType ?? 'application/octet-stream';
    if (content.ref.sizeBytes > POST_LIMIT) {
      await calendar.uploadEventAttachment(event, { name, contentType }, uploadSource(context, content));
      continue;
    }
    const bytes = await reader.readAll(content.ref, POST_LIMIT);
    const body = { '@odata.type': '#microsoft.graph.fileAttachment', name, contentType, contentBytes: bytes.toString('base64') };
    await calendar.addEventAttachment(event, body);
  }
  return otherAttachments(context, item);
}

/** Whether an event is whole with the request that makes it. */
function isWrittenOnce({ contents }: ItemVersion, { exceptionOccurrences, cancelledOccurrences }: StoredEvent): boolean {
  const isPlain = (exceptionOccurrences ?? []).length + (cancelledOccurrences ?? []).length === 0;
  return isPlain && !contents.some(({ role }) => role === 'attachment');
}

/** Puts calendars and events back without telling anybody: attendees become text, no online meeting is made. */
export function createEventRestorer(context: RestoreContext) {
  const { request, graph, beginnings } = context;
  const { calendar } = graph.exchange;
  const userId = request.target.resource.graphId;
  const existing = createExistingEvents(context);
  const { restoreSeries } = createSeriesRestorer(calendar, userId);

  async function changeKeyOf(eventId: string): Promise<string> {
    return (await calendar.event({ userId, eventId })).changeKey ?? '';
  }

  async function create(
    calendarId: string,
    item: ItemVersion,
    old: string | undefined,
  ): Promise<{ readonly id: string; readonly differences: readonly string[] }> {
    const stored = (await readJson(context, item)) as unknown as StoredEvent;
    const body: Body = eventBody(stored);
    const seen = await existing.seenIn(calendarId);
    const there = await existing.like(calendarId, item);
    const left = await beginnings.leftOf(item.key, there);
    await beginnings.begin(item.key, there);
    const recover = (): Promise<Known<object> | undefined> => existing.made(calendarId, body);
    const created = await calendar.createEvent({ userId, calendarId }, body, { recover });
    seen.add(created.id);
    const event = { userId, eventId: created.id };
    const differences = [...(await addAttachments(context, item, event)), ...(await restoreSeries(stored, event))];
    const replaced = old === undefined || !beginnings.isNoted ? {} : { replaced: { id: old, mark: await changeKeyOf(old) } };
    const mark = isWrittenOnce(item, stored) || !beginnings.isNoted ? (created.changeKey ?? '') : await changeKeyOf(created.id);
    await beginnings.wrote({ ...writtenOf(item), targetId: created.id, place: calendarId, mark, ...replaced });
    // What a worker that died had made of it: whether that was whole can't be seen.
    for (const { id } of left) await removeOld(id);
    if (attendeeTable(stored) !== '') differences.push('attendees');
    if (attendeeTable(stored) !== '' || stored.isOrganizer === false) differences.push('organizer');
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
      const calendars = await existing.calendars();
      const isDefault = item.properties['isDefaultCalendar'] === true && request.target.folder === undefined;
      const name = besideName(item.name, request.target.folder);
      const known = calendars.get(isDefault ? '' : name.toLowerCase());
      if (known !== undefined) return { outcome: 'skipped', targetId: known };
      const { color } = item.properties;
      const made = await calendar.createCalendar({ userId }, { name, ...(typeof color === 'string' ? { color } : {}) });
      calendars.set(name.toLowerCase(), made.id);
      await beginnings.wrote({ ...writtenOf(item), name, targetId: made.id, place: '', mark: name });
      return { outcome: 'restored', targetId: made.id };
    },
    async restore(item: ItemVersion, parent: PlacedContainer): Promise<ItemOutcome> {
      const old = request.collisions === 'keepBoth' ? undefined : await existing.existingEvent(parent.targetId, item);
      if (old !== undefined && request.collisions === 'skip') return { outcome: 'skipped', targetId: old, code: 'restore.exists' };
      if (old !== undefined && request.collisions === 'newerWins') {
        const { lastModifiedDateTime } = await calendar.event({ userId, eventId: old });
        if (Date.parse(lastModifiedDateTime ?? '') > Date.parse(item.modifiedAt ?? '')) {
          return { outcome: 'skipped', targetId: old, code: 'restore.existing-newer' };
        }
      }
      const made = await create(parent.targetId, item, old);
      const kept = old === undefined ? [] : await removeOld(old);
      const outcome = old === undefined ? 'restored' : 'replaced';
      return { outcome, targetId: made.id, differences: [...made.differences, ...kept], bytes: item.sizeBytes };
    },
  };
}
