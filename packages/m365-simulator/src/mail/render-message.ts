import { createHash } from 'node:crypto';
import { hashText } from '../values/seeded.ts';
import type { Person } from '../state/directory.ts';
import type { JsonObject, JsonValue } from '../values/json.ts';
import type { Context } from '../http/route.ts';
import type { Tenant } from '../state/tenant.ts';
import { type MailIds, mailIds } from './mail-ids.ts';
import type { MessageRecord } from './mailbox-state.ts';
import type { AttachmentParts, Envelope, Mailbox, MessageParts } from '../content/message-parts.ts';
import { envelopeOfRecord, partsOf } from './message-source.ts';
import { decodeHeader } from './mime-reader.ts';

/** What rendering one message needs; parts are made only when a property asks for them. */
export interface MessageView {
  readonly tenant: Tenant;
  readonly person: Person;
  readonly record: MessageRecord;
  readonly ids: MailIds;
  readonly isImmutable: boolean;
  readonly bodyType: 'html' | 'text';
  envelope: Envelope | undefined;
  parts: MessageParts | undefined;
}

/** Reads what rendering wants of the request. */
export function viewOf(context: Context, person: Person, record: MessageRecord): MessageView {
  return {
    tenant: context.tenant,
    person,
    record,
    ids: mailIds(person.id),
    isImmutable: context.prefer.isImmutableId,
    bodyType: context.prefer.bodyContentType === 'text' ? 'text' : 'html',
    envelope: undefined,
    parts: undefined,
  };
}

function envelope(view: MessageView): Envelope {
  view.envelope ??= view.parts ?? envelopeOfRecord(view.tenant, view.person, view.record);
  return view.envelope;
}

function parts(view: MessageView): MessageParts {
  view.parts ??= partsOf(view.tenant, view.person, view.record);
  return view.parts;
}

const DAY_MS = 86_400_000;
/** `2026-10-01T` by day: a page of messages has few days and many times. */
const days = new Map<number, string>();
const KEPT_DAYS = 5000;

function dayText(day: number): string {
  let text = days.get(day);
  if (text === undefined) {
    text = new Date(day * DAY_MS).toISOString().slice(0, 11);
    if (days.size >= KEPT_DAYS) days.clear();
    days.set(day, text);
  }
  return text;
}

const DIGIT = 0x30;

function putTwoDigits(out: Uint8Array, at: number, value: number): void {
  out[at] = DIGIT + Math.floor(value / 10);
  out[at + 1] = DIGIT + (value % 10);
}

/** Writes a time over another one, in place. */
export function putOutlookTime(out: Uint8Array, at: number, ms: number): void {
  const day = Math.floor(ms / DAY_MS);
  const seconds = Math.floor((ms - day * DAY_MS) / 1000);
  const minutes = Math.floor(seconds / 60);
  const text = dayText(day);
  for (let place = 0; place < text.length; place += 1) out[at + place] = text.charCodeAt(place);
  putTwoDigits(out, at + 11, Math.floor(minutes / 60));
  putTwoDigits(out, at + 14, minutes % 60);
  putTwoDigits(out, at + 17, seconds % 60);
}

const time = Buffer.from('2026-01-01T00:00:00Z');

/** To the second, as Outlook writes times. */
export function outlookTime(ms: number): string {
  putOutlookTime(time, 0, ms);
  return time.toString('latin1');
}

export function recipient(mailbox: Mailbox): JsonObject {
  return { emailAddress: { name: mailbox.name, address: mailbox.address } };
}

const changeKey = Buffer.from('090000160000000000000000000000000000', 'hex');

/** Moves with every change: a mark of the mailbox and the count of changes. */
export function changeKeyOf(key: string, version: number): string {
  changeKey.writeUInt32BE(hashText(key), 6);
  changeKey.writeUInt32BE(version, 14);
  return changeKey.toString('base64');
}

function conversationId(view: MessageView): string {
  const hash = createHash('sha256')
    .update(`${view.person.id}/${envelope(view).conversation}`)
    .digest();
  return `AAQk${Buffer.concat([hash, hash.subarray(0, 13)]).toString('base64url')}`;
}

function plainBody(view: MessageView): JsonObject {
  const { contentType, content } = parts(view).body;
  if (contentType === 'html' && view.bodyType === 'text') {
    return { contentType: 'text', content: content.replaceAll(/<style[\s\S]*?<\/style>/giu, '').replaceAll(/<[^>]+>/gu, '') };
  }
  return { contentType, content };
}

type Renderer = (view: MessageView) => JsonValue;

const list = (mailboxes: readonly Mailbox[]): JsonValue => mailboxes.map((mailbox) => recipient(mailbox));

/** One renderer for each property, so that a delta pays only for what it selects. */
const renderers: Readonly<Record<string, Renderer>> = {
  id: (view) => view.ids.message(view.record.key, view.record.folder, view.isImmutable),
  createdDateTime: (view) => outlookTime(view.record.createdMs),
  lastModifiedDateTime: (view) => outlookTime(view.record.modifiedMs),
  changeKey: (view) => changeKeyOf(view.record.key, view.record.version),
  categories: (view) => view.record.categories,
  receivedDateTime: (view) => outlookTime(view.record.receivedMs),
  sentDateTime: (view) => outlookTime(view.record.sentMs),
  hasAttachments: (view) => envelope(view).hasAttachments,
  internetMessageId: (view) => envelope(view).messageId,
  subject: (view) => envelope(view).subject,
  bodyPreview: (view) => parts(view).preview,
  importance: (view) => view.record.importance,
  parentFolderId: (view) => view.ids.folder(view.record.folder),
  conversationId,
  conversationIndex: (view) => createHash('sha256').update(envelope(view).conversation).digest().subarray(0, 22).toString('base64'),
  isDeliveryReceiptRequested: () => null,
  isReadReceiptRequested: () => false,
  isRead: (view) => view.record.isRead,
  isDraft: (view) => view.record.isDraft,
  webLink: (view) =>
    `https://outlook.office365.com/owa/?ItemID=${view.ids.message(view.record.key, view.record.folder, false)}&exvsurl=1&viewmodel=ReadMessageItem`,
  inferenceClassification: (view) => view.record.inference,
  body: plainBody,
  sender: (view) => (envelope(view).sender.address === '' ? null : recipient(envelope(view).sender)),
  from: (view) => (envelope(view).from.address === '' ? null : recipient(envelope(view).from)),
  toRecipients: (view) => list(envelope(view).to),
  ccRecipients: (view) => list(envelope(view).cc),
  bccRecipients: (view) => list(envelope(view).bcc),
  replyTo: (view) => list(envelope(view).replyTo),
  flag: (view) => view.record.flag,
};

/** Only when they are selected by name. */
const onRequest: Readonly<Record<string, Renderer>> = {
  internetMessageHeaders: (view) => parts(view).headers.map(([name, value]) => ({ name, value: decodeHeader(value) })),
  uniqueBody: plainBody,
};

const ALL = Object.entries(renderers);

/** Names that `$select` may have on a message. */
export const messageProperties: ReadonlySet<string> = new Set([...Object.keys(renderers), ...Object.keys(onRequest)]);

/** A message in JSON: all properties, or those of `$select` and the id. */
export function renderMessage(view: MessageView, select: readonly string[] | undefined): Record<string, JsonValue> {
  const out: Record<string, JsonValue> = { '@odata.etag': `W/"${changeKeyOf(view.record.key, view.record.version)}"` };
  if (!select) {
    parts(view);
    for (const [name, render] of ALL) out[name] = render(view);
    return out;
  }
  out['id'] = renderers['id']?.(view) ?? null;
  for (const name of select) {
    const render = renderers[name] ?? onRequest[name];
    if (render && name !== 'id') out[name] = render(view);
  }
  return out;
}

const KINDS = {
  file: '#microsoft.graph.fileAttachment',
  item: '#microsoft.graph.itemAttachment',
  reference: '#microsoft.graph.referenceAttachment',
} as const;

/** An attachment in JSON; bytes of files come in full unless `$select` leaves them out. */
export function renderAttachment(view: MessageView, attachment: AttachmentParts, index: number): JsonObject {
  const base: JsonObject = {
    '@odata.type': KINDS[attachment.kind],
    '@odata.mediaContentType': attachment.contentType,
    id: view.ids.attachment(view.record.key, index),
    lastModifiedDateTime: outlookTime(view.record.modifiedMs),
    name: attachment.name,
    contentType: attachment.kind === 'item' ? null : attachment.contentType,
    size: attachment.sizeBytes,
    isInline: attachment.isInline,
  };
  if (attachment.kind !== 'file') return base;
  return { ...base, contentId: attachment.contentId, contentLocation: null, contentBytes: attachment.bytes().toString('base64') };
}
