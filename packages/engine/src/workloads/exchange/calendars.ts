import { once } from '@holdfast/foundation/streams';
import type { GraphClient } from '@holdfast/m365';
import type { ContentSink, Defect, ReadItem, Step } from '../../pipeline/step.ts';
import type { EnumerateContext } from '../../pipeline/workload.ts';
import type { Content, Json } from '../../ports/item.ts';
import { compareListing, jsonProperties, without } from '../compare-listing.ts';
import { AREAS } from './areas.ts';
import { fileDefect } from './attached-file.ts';
import { enumerateContainers } from './containers.ts';

const LINK = '#microsoft.graph.referenceAttachment';

interface EventAt {
  readonly graph: GraphClient;
  readonly userId: string;
  readonly eventId: string;
}

/** Calendars that are computed from other data come back by themselves. */
function isDerived(calendar: { readonly name?: string | null }): boolean {
  return calendar.name === 'Birthdays' || calendar.name === 'Geburtstage';
}

interface Attached {
  readonly contents: readonly Content[];
  readonly defects: readonly Defect[];
}

/** Files come with the list, items one by one; of a link to a file there is only what the service says about it. */
async function readAttachments({ graph, userId, eventId }: EventAt, sink: ContentSink): Promise<Attached> {
  const contents: Content[] = [];
  const defects: Defect[] = [];
  for await (const attachment of graph.exchange.calendar.eventAttachments({ userId, eventId })) {
    const { contentBytes, ...rest } = attachment as typeof attachment & {
      readonly contentBytes?: string | null;
      readonly '@odata.type'?: string;
    };
    const label = attachment.name ?? attachment.id;
    const mediaType = attachment.contentType ?? 'application/octet-stream';
    try {
      if (typeof contentBytes === 'string') {
        contents.push(await sink.store('attachment', Buffer.from(contentBytes, 'base64'), { kind: 'file', label, mediaType }));
      } else if (rest['@odata.type'] !== LINK) {
        const { bytes } = graph.exchange.calendar.eventAttachmentContent({ userId, eventId, attachmentId: attachment.id });
        contents.push(await sink.store('attachment', bytes, { kind: 'file', label, mediaType }));
      }
    } catch (error) {
      defects.push(fileDefect(error, label));
    }
    contents.push(await sink.store('part', Buffer.from(JSON.stringify(rest)), { kind: 'json', label }));
  }
  return { contents, defects };
}

async function readEvent(at: EventAt, sink: ContentSink): Promise<ReadItem> {
  const event = await at.graph.exchange.calendar.event({ userId: at.userId, eventId: at.eventId });
  const stored = await sink.store('export', once(Buffer.from(JSON.stringify(event))), { kind: 'json', mediaType: 'application/json' });
  const attached = event.hasAttachments ? await readAttachments(at, sink) : { contents: [], defects: [] };
  const { subject, start, end, type, organizer, isAllDay, location, recurrence } = event;
  const shown = { subject, start, end, type, organizer, isAllDay, location, recurrence } as unknown as Record<string, Json | undefined>;
  return {
    contents: [stored, ...attached.contents],
    defects: attached.defects,
    properties: jsonProperties(shown),
    name: subject ?? '',
  };
}

async function* enumerateEvents(context: EnumerateContext, graph: GraphClient, calendarId: string): AsyncGenerator<Step, void, undefined> {
  const userId = context.resource.graphId;
  yield* compareListing(context, {
    parentKey: calendarId,
    kind: 'event',
    listing: graph.exchange.calendar.events({ userId, calendarId }),
    draft: (event) => ({
      key: event.id,
      kind: 'event',
      parentKey: calendarId,
      name: null,
      contentTag: event.changeKey ?? event.lastModifiedDateTime ?? '',
      properties: jsonProperties({ changeKey: event.changeKey, type: event.type, iCalUId: event.iCalUId }),
      ...(event.lastModifiedDateTime ? { modifiedAt: event.lastModifiedDateTime } : {}),
      read: (sink: ContentSink) => readEvent({ graph, userId, eventId: event.id }, sink),
    }),
  });
}

/** Calendars with single events and series masters; `changeKey` says which are read again. */
export function enumerateCalendars(context: EnumerateContext, graph: GraphClient): AsyncGenerator<Step, void, undefined> {
  return enumerateContainers(context, {
    area: AREAS.calendars,
    kind: 'calendar',
    itemKind: 'event',
    listing: graph.exchange.calendar.calendars({ userId: context.resource.graphId }),
    draft: (calendar) => ({
      name: calendar.name ?? '',
      properties: jsonProperties(without(calendar, 'id', 'name', 'changeKey')),
      hasItems: !isDerived(calendar),
    }),
    items: (id) => enumerateEvents(context, graph, id),
  });
}
