import { composeMime } from '../content/generated-message.ts';
import { headerAddress, headerText } from '../content/mime-writer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../values/json.ts';
import type { Tenant } from '../state/tenant.ts';
import type { Received } from '../state/received.ts';
import type { ExtendedProperty, JsonContent, MessageRecord, StoredAttachment } from './mailbox-state.ts';
import type { AttachmentParts, Mailbox, MessageParts } from '../content/message-parts.ts';

function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** `{"emailAddress":{"name","address"}}`. */
export function readRecipient(value: JsonValue | undefined): Mailbox | undefined {
  const inner = isJsonObject(value) ? value['emailAddress'] : undefined;
  if (!isJsonObject(inner)) return undefined;
  const address = text(inner['address']);
  return { name: text(inner['name']) === '' ? address : text(inner['name']), address };
}

export function readRecipients(value: JsonValue | undefined): Mailbox[] {
  return Array.isArray(value) ? value.map((entry: JsonValue) => readRecipient(entry)).filter((entry) => entry !== undefined) : [];
}

function readHeaders(value: JsonValue | undefined): [string, string][] {
  if (!Array.isArray(value)) return [];
  return value
    .filter((entry: JsonValue) => isJsonObject(entry))
    .map((entry: JsonObject): [string, string] => [text(entry['name']), text(entry['value'])]);
}

function attachmentParts(received: Received, stored: StoredAttachment): AttachmentParts {
  return { ...stored, sizeBytes: stored.bytes.sizeBytes, bytes: () => received.read(stored.bytes) };
}

function plainOf(html: string): string {
  return html
    .replaceAll(/<(?:style|script)[\s\S]*?<\/(?:style|script)>/giu, ' ')
    .replaceAll(/<[^>]+>/gu, ' ')
    .replaceAll(/&nbsp;/gu, ' ');
}

/** Header lines that Exchange writes from a property of their own. */
const OWN_PROPERTY: ReadonlyMap<string, string> = new Map([
  ['string 0x1042', 'In-Reply-To'],
  ['string 0x1039', 'References'],
  ['string 0x0070', 'Thread-Topic'],
  ['string 0x1043', 'List-Help'],
  ['string 0x1044', 'List-Subscribe'],
  ['string 0x1045', 'List-Unsubscribe'],
]);
const MAPPED =
  /^(?:from|sender|to|cc|bcc|reply-to|subject|date|message-id|in-reply-to|references|thread-topic|list-help|list-subscribe|list-unsubscribe|mime-version|content-.+)$/iu;
const RESERVED = /^x-(?:ms|microsoft)-exchange-(?:organization|forest)/iu;

/**
 * Header lines from extended properties. MS-OXCMAIL 2.1.3.2.4: a name in the property set of internet headers becomes a
 * line of that name, unless another property is mapped to the line or the name is reserved.
 */
function extendedHeaders(extended: readonly ExtendedProperty[]): [string, string][] {
  return extended.flatMap(({ id, value }): [string, string][] => {
    const own = OWN_PROPERTY.get(id.toLowerCase());
    if (own !== undefined) return [[own, value]];
    const [, name] = /^String \{?00020386-0000-0000-C000-000000000046\}? Name (.+)$/iu.exec(id) ?? [];
    return name === undefined || MAPPED.test(name) || RESERVED.test(name) ? [] : [[name, value]];
  });
}

interface Heads {
  readonly from: Mailbox;
  readonly sender: Mailbox;
  readonly to: readonly Mailbox[];
  readonly cc: readonly Mailbox[];
  readonly bcc: readonly Mailbox[];
  readonly replyTo: readonly Mailbox[];
  readonly subject: string;
  readonly messageId: string;
}

function mimeHeaders(heads: Heads, record: MessageRecord, own: readonly [string, string][]): [string, string][] {
  const list = (mailboxes: readonly Mailbox[]): string =>
    mailboxes.map((mailbox) => headerAddress(mailbox.name, mailbox.address)).join(',\r\n ');
  const headers: [string, string][] = [];
  if (heads.from.address !== '') headers.push(['From', headerAddress(heads.from.name, heads.from.address)]);
  if (heads.sender.address !== '' && heads.sender.address !== heads.from.address)
    headers.push(['Sender', headerAddress(heads.sender.name, heads.sender.address)]);
  if (heads.to.length > 0) headers.push(['To', list(heads.to)]);
  if (heads.cc.length > 0) headers.push(['CC', list(heads.cc)]);
  if (heads.bcc.length > 0) headers.push(['BCC', list(heads.bcc)]);
  if (heads.replyTo.length > 0) headers.push(['Reply-To', list(heads.replyTo)]);
  headers.push(
    ['Subject', headerText(heads.subject)],
    ['Date', new Date(record.sentMs).toUTCString().replace('GMT', '+0000')],
    ['Message-ID', heads.messageId],
  );
  return [...headers, ...own.map(([name, value]): [string, string] => [name, headerText(value)])];
}

/** The parts of a message that came in as JSON, or was changed after it had come otherwise. */
export function jsonParts(tenant: Tenant, record: MessageRecord, content: JsonContent): MessageParts {
  const { message } = content;
  const from = readRecipient(message['from']) ?? { name: '', address: '' };
  const body = isJsonObject(message['body']) ? message['body'] : {};
  const isHtml = text(body['contentType']).toLowerCase() === 'html';
  const attachments = content.attachments.map((stored) => attachmentParts(tenant.received, stored));
  const given = text(message['internetMessageId']);
  const heads: Heads = {
    from,
    sender: readRecipient(message['sender']) ?? from,
    to: readRecipients(message['toRecipients']),
    cc: readRecipients(message['ccRecipients']),
    bcc: readRecipients(message['bccRecipients']),
    replyTo: readRecipients(message['replyTo']),
    subject: text(message['subject']),
    messageId: given === '' ? `<${record.key}.${record.createdMs.toString(36)}@${tenant.directory.domain}>` : given,
  };
  const words = tenant.received.read(content.text).toString();
  const plain = isHtml ? plainOf(words) : words;
  const own = [...readHeaders(message['internetMessageHeaders']), ...extendedHeaders(record.extended)];
  const headers = mimeHeaders(heads, record, own);
  const conversation = text(message['conversation']);
  return {
    ...heads,
    hasAttachments: attachments.some((attachment) => !attachment.isInline),
    conversation: conversation === '' ? `subject/${heads.subject.toLowerCase()}` : conversation,
    body: { contentType: isHtml ? 'html' : 'text', content: words },
    preview: plain.replaceAll(/\s+/gu, ' ').trim().slice(0, 255),
    headers,
    attachments,
    mime: () =>
      composeMime({
        headers,
        text: isHtml ? undefined : words,
        html: isHtml ? words : undefined,
        attachments,
        mark: heads.messageId,
        oddity: 'none',
      }),
  };
}
