import { listPage } from '../delta/list-page.ts';
import { positionsOf } from '../state/feed.ts';
import { fail, notFound } from '../http/failure.ts';
import type { JsonObject } from '../values/json.ts';
import { project } from '../http/query.ts';
import { bytes, created, type Reply } from '../http/reply.ts';
import type { Context, RouteEntry } from '../http/route.ts';
import { openAttachmentSession, takeAttachmentPart } from '../mail/attachment-sessions.ts';
import { openMailbox } from '../mail/mailbox.ts';
import type { StoredAttachment } from '../mail/mailbox-state.ts';
import { outlookTime } from '../mail/render-message.ts';
import { readAttachment } from '../mail/write-message.ts';
import { putItem } from '../state/item-list.ts';
import { ownedId } from '../http/owned-ids.ts';
import { calendarState, type EventRecord } from './calendar-state.ts';
import { openCalendar, requireEvent } from './open-calendar.ts';

const INLINE_BODY_BYTES = 4.5 * 1024 * 1024;
const TYPES = {
  file: '#microsoft.graph.fileAttachment',
  item: '#microsoft.graph.itemAttachment',
  reference: '#microsoft.graph.referenceAttachment',
} as const;

function render({ tenant }: Context, ownerId: string, record: EventRecord, index: number): JsonObject {
  const attachment = record.attachments[index] as StoredAttachment;
  const base: JsonObject = {
    '@odata.type': TYPES[attachment.kind],
    id: ownedId(ownerId, 'eventAttachment', { number: record.number, part: index }, false),
    lastModifiedDateTime: outlookTime(record.modifiedMs),
    name: attachment.name,
    contentType: attachment.contentType,
    size: attachment.bytes.sizeBytes,
    isInline: attachment.isInline,
  };
  if (attachment.kind !== 'file') return base;
  return {
    ...base,
    contentId: attachment.contentId,
    contentLocation: null,
    contentBytes: tenant.received.read(attachment.bytes).toString('base64'),
  };
}

function listAttachments(context: Context): Reply {
  const calendar = openCalendar(context);
  const { record } = requireEvent(calendar, context.params[1] ?? '');
  return listPage(context, {
    items: positionsOf(record.attachments.map((_attachment, index) => index)),
    context: `users('${calendar.owner.id}')/events('${context.params[1] ?? ''}')/attachments`,
    defaultSize: 100,
    maxSize: 999,
    render: (index) => project(render(context, calendar.owner.id, record, index), context.query.select),
  });
}

function readContent(context: Context): Reply {
  const calendar = openCalendar(context);
  const { record } = requireEvent(calendar, context.params[1] ?? '');
  const found = record.attachments.find(
    (_attachment, part) => ownedId(calendar.owner.id, 'eventAttachment', { number: record.number, part }, false) === context.params[2],
  );
  if (!found) throw notFound('outlook');
  if (found.kind === 'reference') throw fail(405, 'ErrorInvalidRequest', 'A reference attachment has no content.');
  return bytes(context.tenant.received.read(found.bytes), found.kind === 'item' ? 'text/plain' : found.contentType);
}

async function addAttachment(context: Context): Promise<Reply> {
  const calendar = openCalendar(context);
  const { record } = requireEvent(calendar, context.params[1] ?? '');
  const attachment = readAttachment(openMailbox(context.tenant, calendar.owner), await context.json(INLINE_BODY_BYTES));
  const changed = putItem(calendar.state.events, context.tenant.clock.nowMs(), {
    ...record,
    attachments: [...record.attachments, attachment],
  });
  const annotation = {
    '@odata.context': context.links.context(`users('${calendar.owner.id}')/events('${context.params[1] ?? ''}')/attachments/$entity`),
  };
  return created({ ...annotation, ...render(context, calendar.owner.id, changed, changed.attachments.length - 1) });
}

async function openSession(context: Context): Promise<Reply> {
  const calendar = openCalendar(context);
  requireEvent(calendar, context.params[1] ?? '');
  return openAttachmentSession(context, calendar.owner, 'Events');
}

function takePart(context: Context): Promise<Reply> {
  const owner = context.tenant.directory.user(context.params[0] ?? '');
  if (!owner) throw notFound('outlook');
  const state = calendarState(context.tenant, owner);
  return takeAttachmentPart(context, (attachment) => {
    const { record } = requireEvent({ owner, state }, context.params[1] ?? '');
    const changed = putItem(state.events, context.tenant.clock.nowMs(), { ...record, attachments: [...record.attachments, attachment] });
    const id = ownedId(owner.id, 'eventAttachment', { number: record.number, part: changed.attachments.length - 1 }, false);
    return `https://outlook.office.com/api/v2.0/Users('${owner.id}')/Events('${context.params[1] ?? ''}')/Attachments('${id}')`;
  });
}

const service = 'outlook';

/** Attachments of events, small and large. */
export const eventAttachmentRoutes: readonly RouteEntry[] = [
  { method: 'GET', path: '/users/{id}/events/{id}/attachments', service, query: ['$select', '$top'], handler: listAttachments },
  { method: 'POST', path: '/users/{id}/events/{id}/attachments', service, handler: addAttachment },
  { method: 'GET', path: '/users/{id}/events/{id}/attachments/{id}/$value', service, handler: readContent },
  { method: 'POST', path: '/users/{id}/events/{id}/attachments/createUploadSession', service, handler: openSession },
  { method: 'PUT', path: '/api/v2.0/Users/{id}/Events/{id}/AttachmentSessions/{id}', host: 'outlook', service, handler: takePart },
];
