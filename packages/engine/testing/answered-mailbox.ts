import { sha256Hex } from '@holdfast/foundation/bytes';
import { collect } from '@holdfast/foundation/streams';
import { answered, type Answered, type ToldAs, type Values } from './answered.ts';
import type { Rig } from './rig.ts';

const LIMIT = 64 * 1024 * 1024;

/** Attachments by what they hold, in no order; their ids and times are the service's. */
async function attachmentsOf(
  attachments: AsyncIterable<object>,
  contentOf: (attachmentId: string) => { readonly bytes: AsyncIterable<Uint8Array> },
): Promise<readonly Values[]> {
  const found: Values[] = [];
  for await (const attachment of attachments) {
    const { id, lastModifiedDateTime: _time, contentBytes: _bytes, ...says } = attachment as Values & { readonly id: string };
    const isLink = says['@odata.type'] === '#microsoft.graph.referenceAttachment';
    found.push({ ...says, sha256: isLink ? '' : sha256Hex(await collect(contentOf(id).bytes, LIMIT)) });
  }
  return found.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
}

interface Body {
  readonly contentType?: string;
  readonly content?: string;
}

/** A text without the table of people that a restore puts at its end. */
function textOf(body: unknown): unknown {
  const { contentType, content = '' } = (body ?? {}) as Body;
  return { contentType, content: content.replace(/<hr><table>.*<\/table>/su, '') };
}

/** An occurrence of a series as people see it. */
function occurrence(value: unknown): Values {
  const { subject, start, end, originalStart, body, location, isAllDay, showAs, categories, isCancelled } = value as Values;
  return { subject, start, end, originalStart, body: textOf(body), location, isAllDay, showAs, categories, isCancelled };
}

/** A recurrence, and the zone of its days for itself. */
function recurrenceOf(value: unknown): Values {
  const { pattern, range } = (value ?? {}) as { readonly pattern?: unknown; readonly range?: Values };
  const { recurrenceTimeZone, ...dates } = range ?? {};
  return { recurrence: { pattern, range: dates }, recurrenceTimeZone };
}

/** Everything that Graph answers for one event. */
export async function answeredEvent(rig: Rig, userId: string, eventId: string): Promise<Answered> {
  const { calendar } = rig.graph.exchange;
  const event = { ...(await calendar.event({ userId, eventId })) } as Values;
  const exceptions = (event['exceptionOccurrences'] ?? []) as readonly unknown[];
  const attachments = await attachmentsOf(calendar.eventAttachments({ userId, eventId }), (attachmentId) =>
    calendar.eventAttachmentContent({ userId, eventId, attachmentId }),
  );
  const parts = {
    body: textOf(event['body']),
    exceptionOccurrences: exceptions.map(occurrence),
    // A cancelled occurrence is named by the id of its series and its date.
    cancelledOccurrences: ((event['cancelledOccurrences'] ?? []) as readonly string[]).map((id) => id.slice(-10)),
    attachments,
  };
  return answered({ ...event, ...recurrenceOf(event['recurrence']), ...parts });
}

export const EVENT_TOLD_AS: ToldAs = {
  recurrenceTimeZone: ['timeZone'],
  isOrganizer: ['organizer'],
  responseStatus: ['organizer'],
  attachments: ['attachedMessageAsFile', 'attachedLinks'],
};

/** Everything that Graph answers for one contact. */
export async function answeredContact(rig: Rig, userId: string, contactId: string): Promise<Answered> {
  const { contacts } = rig.graph.exchange;
  const photo = await contacts.contactPhoto({ userId, contactId });
  return answered({ ...(await contacts.contact({ userId, contactId })), photo: photo && sha256Hex(photo) });
}

/** Parts of a task without what the service gives each of them. */
function partsOf(value: unknown): readonly Values[] {
  return ((value ?? []) as readonly Values[]).map(({ id: _id, createdDateTime: _created, checkedDateTime: _checked, ...says }) => says);
}

function timesOf(value: unknown, name: string): readonly unknown[] {
  return ((value ?? []) as readonly Values[]).map((part) => part[name]);
}

/** Everything that Graph answers for the tasks of a mailbox, by id. */
export async function answeredTasks(rig: Rig, userId: string): Promise<ReadonlyMap<string, Answered>> {
  const { todo } = rig.graph.exchange;
  const found = new Map<string, Answered>();
  for await (const { id: listId } of todo.lists({ userId })) {
    for await (const task of todo.tasks({ userId, listId })) {
      const ref = { userId, listId, taskId: task.id };
      const attachments = await attachmentsOf(todo.taskAttachments(ref), (attachmentId) =>
        todo.taskAttachmentContent({ ...ref, attachmentId }),
      );
      const { checklistItems, linkedResources, createdDateTime } = task;
      const times = {
        createdDateTime: [createdDateTime, ...timesOf(checklistItems, 'createdDateTime')],
        checkedDateTime: timesOf(checklistItems, 'checkedDateTime'),
      };
      const own = { checklistItems: partsOf(checklistItems), linkedResources: partsOf(linkedResources) };
      found.set(task.id, answered({ ...task, ...own, ...times, attachments }));
    }
  }
  return found;
}
