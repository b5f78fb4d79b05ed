import { Failure, badRequest, fail } from '../http/failure.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../values/json.ts';
import { NO_BYTES, type Received } from '../state/received.ts';
import type { MailboxStore } from './mailbox.ts';
import type { ExtendedProperty, JsonContent, MessageRecord, StoredAttachment } from './mailbox-state.ts';
import { jsonParts } from './json-message.ts';
import { partsOf } from './message-source.ts';
import { recipient } from './render-message.ts';

/** The largest attachment that one request takes, as measured on the service; larger ones go by upload session. */
export const INLINE_LIMIT_BYTES = 3_145_611;
const FLAGS = 'integer 0x0e07';
const DELIVERED = 'systemtime 0x0e06';
const SUBMITTED = 'systemtime 0x0039';
const MSGFLAG_READ = 0x01;
const MSGFLAG_UNSENT = 0x08;

/** Properties of a JSON message that are its content, not its marks. */
export const CONTENT_PROPERTIES = [
  'subject',
  'body',
  'from',
  'sender',
  'toRecipients',
  'ccRecipients',
  'bccRecipients',
  'replyTo',
  'internetMessageId',
  'internetMessageHeaders',
];

function stringOf(value: JsonValue | undefined, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}

function bytesOf(value: JsonValue | undefined): Buffer {
  if (typeof value !== 'string') throw badRequest('outlook', 'The property contentBytes is required.');
  return Buffer.from(value, 'base64');
}

function itemBytes(mailbox: MailboxStore, item: JsonObject): Buffer {
  const record = blankMessage(mailbox, 0);
  const content = jsonContent(mailbox, item);
  return jsonParts(mailbox.tenant, { ...record, key: 'n0', arrival: 0, version: 0, contentVersion: 0 }, content).mime();
}

/** An attachment as a client sends it: file, item or reference. */
export function readAttachment(mailbox: MailboxStore, value: JsonObject): StoredAttachment {
  const { received } = mailbox.tenant;
  const type = stringOf(value['@odata.type'], '').toLowerCase();
  const name = stringOf(value['name'], '');
  if (name === '') throw badRequest('outlook', 'The attachment name is required.');
  const base = {
    name,
    isInline: value['isInline'] === true,
    contentId: typeof value['contentId'] === 'string' ? value['contentId'] : null,
  };
  if (type.endsWith('itemattachment')) {
    if (!isJsonObject(value['item'])) throw badRequest('outlook', 'The property item is required.');
    return {
      ...base,
      kind: 'item',
      contentType: 'message/rfc822',
      bytes: received.add(itemBytes(mailbox, value['item'])),
      details: value['item'],
    };
  }
  if (type.endsWith('referenceattachment'))
    return { ...base, kind: 'reference', contentType: 'text/html', bytes: NO_BYTES, details: value };
  const bytes = bytesOf(value['contentBytes']);
  if (bytes.byteLength > INLINE_LIMIT_BYTES)
    throw new Failure(413, 'ErrorMessageSizeExceeded', 'The attachment is too large; use an upload session.');
  return { ...base, kind: 'file', contentType: stringOf(value['contentType'], 'application/octet-stream'), bytes: received.add(bytes) };
}

/** The content of a message that comes as JSON. */
export function jsonContent(mailbox: MailboxStore, body: JsonObject): JsonContent {
  const headers = body['internetMessageHeaders'];
  if (Array.isArray(headers) && headers.some((header: JsonValue) => isJsonObject(header) && !/^x-/iu.test(stringOf(header['name'], '')))) {
    throw fail(400, 'InvalidInternetMessageHeader', "The internet message header name should start with 'x-' or 'X-'.");
  }
  const message = Object.fromEntries(CONTENT_PROPERTIES.filter((name) => body[name] !== undefined).map((name) => [name, body[name]]));
  const attachments = Array.isArray(body['attachments']) ? body['attachments'] : [];
  const stored = attachments.filter((value: JsonValue) => isJsonObject(value)).map((value: JsonObject) => readAttachment(mailbox, value));
  return settleContent(mailbox.tenant.received, { message, text: NO_BYTES, attachments: stored });
}

/** A message as JSON with the words of its body put where received bytes are. */
export function settleContent(received: Received, content: Omit<JsonContent, 'from'>): JsonContent {
  const { body } = content.message;
  if (!isJsonObject(body) || typeof body['content'] !== 'string') return { from: 'json', ...content };
  const { content: words, ...rest } = body;
  return { from: 'json', ...content, message: { ...content.message, body: rest }, text: received.add(Buffer.from(words)) };
}

/** The content with other values for some of its properties. */
export function changeContent(mailbox: MailboxStore, content: JsonContent, changes: JsonObject): JsonContent {
  const text = changes['body'] === undefined ? content.text : NO_BYTES;
  return settleContent(mailbox.tenant.received, { ...content, message: { ...content.message, ...changes }, text });
}

/** Reads `singleValueExtendedProperties`. */
export function readExtended(value: JsonValue | undefined): ExtendedProperty[] {
  if (!Array.isArray(value)) return [];
  return value
    .filter((entry: JsonValue) => isJsonObject(entry))
    .map((entry: JsonObject) => ({ id: stringOf(entry['id'], ''), value: stringOf(entry['value'], '') }))
    .map(requireExtended);
}

const EXTENDED_TYPES = 'Boolean|Binary|ApplicationTime|CLSID|Currency|Double|Error|Float|Integer|Long|Null|Object|Short|String|SystemTime';
const GUID = '\\{?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\\}?';
/** `String 0x007D`, `Integer {guid} Id 0x8233`, `String {guid} Name Colour`. */
const EXTENDED_ID = new RegExp(`^(?:${EXTENDED_TYPES})(?:Array)? (?:0x[0-9a-f]{1,4}|${GUID} (?:Id 0x[0-9a-f]{1,8}|Name .+))$`, 'iu');

function requireExtended(property: ExtendedProperty): ExtendedProperty {
  if (!EXTENDED_ID.test(property.id))
    throw fail(400, 'ErrorInvalidExtendedProperty', `The extended property '${property.id}' is not valid.`);
  return property;
}

function extendedValue(extended: readonly ExtendedProperty[], id: string): string | undefined {
  return extended.find((property) => property.id.toLowerCase() === id)?.value;
}

function timeOf(text: string | undefined, otherwise: number): number {
  const ms = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(ms) ? otherwise : ms;
}

/** A new message before anything is known of it: a draft of this moment. */
export function blankMessage(mailbox: MailboxStore, folder: number): Omit<MessageRecord, 'key' | 'arrival' | 'version' | 'contentVersion'> {
  const nowMs = Math.floor(mailbox.tenant.clock.nowMs() / 1000) * 1000;
  return {
    folder,
    createdMs: nowMs,
    modifiedMs: nowMs,
    receivedMs: nowMs,
    sentMs: nowMs,
    isRead: true,
    isDraft: true,
    flag: { flagStatus: 'notFlagged' },
    categories: [],
    importance: 'normal',
    inference: 'focused',
    content: { from: 'json', message: {}, text: NO_BYTES, attachments: [] },
    extended: [],
  };
}

type Marks = Pick<MessageRecord, 'isRead' | 'flag' | 'categories' | 'importance' | 'inference'>;

/** Read state, flag, categories and the like, where the body has them. */
export function readMarks(body: JsonObject, before: Marks): Marks {
  const categories = body['categories'];
  return {
    isRead: typeof body['isRead'] === 'boolean' ? body['isRead'] : before.isRead,
    flag: isJsonObject(body['flag']) ? body['flag'] : before.flag,
    categories: Array.isArray(categories) ? categories.filter((name: JsonValue) => typeof name === 'string') : before.categories,
    importance: stringOf(body['importance'], before.importance).toLowerCase(),
    inference: stringOf(body['inferenceClassification'], before.inference),
  };
}

/**
 * A message from JSON. It is a draft of this moment, unless extended properties say otherwise: 0x0E07 without the unsent
 * bit makes it a message that was sent, 0x0E06 and 0x0039 say when it came and when it went.
 */
export function messageFromJson(mailbox: MailboxStore, folder: number, body: JsonObject): MessageRecord {
  const blank = blankMessage(mailbox, folder);
  const extended = readExtended(body['singleValueExtendedProperties']);
  const flags = extendedValue(extended, FLAGS);
  const bits = Number(flags ?? MSGFLAG_UNSENT);
  const isDraft = flags === undefined || (bits & MSGFLAG_UNSENT) !== 0;
  const marks = readMarks(body, { ...blank, isRead: flags === undefined ? blank.isRead : (bits & MSGFLAG_READ) !== 0 });
  return mailbox.add({
    ...blank,
    ...marks,
    isDraft,
    receivedMs: timeOf(extendedValue(extended, DELIVERED), blank.receivedMs),
    sentMs: timeOf(extendedValue(extended, SUBMITTED), blank.sentMs),
    content: jsonContent(mailbox, body),
    extended,
  });
}

/** The content of any message as JSON, so that parts of it can be changed. */
export function editableContent(mailbox: MailboxStore, record: MessageRecord): JsonContent {
  if (record.content.from === 'json') return record.content;
  const { received } = mailbox.tenant;
  const parts = partsOf(mailbox.tenant, mailbox.person, record);
  const message: JsonObject = {
    subject: parts.subject,
    body: { ...parts.body },
    from: recipient(parts.from),
    sender: recipient(parts.sender),
    toRecipients: parts.to.map((mailboxOf) => recipient(mailboxOf)),
    ccRecipients: parts.cc.map((mailboxOf) => recipient(mailboxOf)),
    bccRecipients: parts.bcc.map((mailboxOf) => recipient(mailboxOf)),
    replyTo: parts.replyTo.map((mailboxOf) => recipient(mailboxOf)),
    internetMessageId: parts.messageId,
    conversation: parts.conversation,
  };
  const attachments = parts.attachments.map(({ kind, name, contentType, isInline, contentId, bytes }) => ({
    kind,
    name,
    contentType,
    isInline,
    contentId,
    bytes: received.add(bytes()),
  }));
  return settleContent(received, { message, text: NO_BYTES, attachments });
}

/** Puts one more attachment on a message; returns its number. */
export function addAttachment(
  mailbox: MailboxStore,
  record: MessageRecord,
  attachment: StoredAttachment,
): { readonly record: MessageRecord; readonly index: number } {
  const content = editableContent(mailbox, record);
  const attachments = [...content.attachments, attachment];
  return { record: mailbox.put({ ...record, content: { ...content, attachments } }, { isContent: true }), index: attachments.length - 1 };
}
