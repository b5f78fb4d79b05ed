import type { Body } from '@holdfast/m365';
import type { ItemVersion, JsonObject } from '../../ports/item.ts';
import type { MailAddress, ParsedAttachment, ParsedMail } from '../../mime/parsed-mail.ts';

/** Attachments up to this size travel inside a request. */
export const INLINE_LIMIT = 3 * 1024 * 1024 - 200 * 1024;

const READ_FLAG = 1;
const HAS_ATTACHMENT_FLAG = 0x10;

/** The open property that names what a restored message was, for later restores. */
export const TRANSPORT_HEADERS = 'String 0x007D';

function recipient({ name, address }: MailAddress): Body {
  return { emailAddress: { name, address } };
}

function recipients(list: readonly MailAddress[]): readonly Body[] {
  return list.map(recipient);
}

function isoTime(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const ms = Date.parse(value);
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString().replace('.000Z', 'Z');
}

/** A file attachment as a request carries it. */
export function fileAttachment(part: ParsedAttachment): Body {
  const { name, mediaType, isInline, contentId, bytes } = part;
  return {
    '@odata.type': '#microsoft.graph.fileAttachment',
    name,
    contentType: mediaType,
    isInline,
    contentBytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'),
    ...(contentId === undefined ? {} : { contentId }),
  };
}

function bodyOf({ html, text }: ParsedMail): Body {
  return html === undefined ? { contentType: 'text', content: text ?? '' } : { contentType: 'html', content: html };
}

function extendedProperties(mail: ParsedMail, properties: JsonObject, hasAttachments: boolean): readonly Body[] {
  const flags = (properties['isRead'] === true ? READ_FLAG : 0) | (hasAttachments ? HAS_ATTACHMENT_FLAG : 0);
  const received = isoTime(properties['receivedDateTime']) ?? isoTime(mail.date);
  const sent = isoTime(properties['sentDateTime']) ?? isoTime(mail.date) ?? received;
  return [
    { id: 'Integer 0x0E07', value: String(flags) },
    ...(received === undefined ? [] : [{ id: 'SystemTime 0x0E06', value: received }]),
    ...(sent === undefined ? [] : [{ id: 'SystemTime 0x0039', value: sent }]),
    { id: TRANSPORT_HEADERS, value: mail.headerBlock },
  ];
}

/** Properties that the vault keeps beside the MIME and a request takes as they are. */
export function stateOf(properties: JsonObject): Body {
  const out: Record<string, unknown> = { isRead: properties['isRead'] === true };
  for (const name of ['categories', 'flag', 'importance', 'inferenceClassification'] as const) {
    if (properties[name] !== undefined) out[name] = properties[name];
  }
  return out;
}

/** An attached message as an attachment of its own kind; it is taken apart like the one that carries it. */
export function itemAttachment(name: string, mail: ParsedMail): Body {
  const attachments = mail.attachments.filter((part) => part.mediaType !== 'message/rfc822').map(fileAttachment);
  return {
    '@odata.type': '#microsoft.graph.itemAttachment',
    name,
    item: {
      '@odata.type': '#microsoft.graph.message',
      subject: mail.subject,
      body: bodyOf(mail),
      toRecipients: recipients(mail.to),
      ccRecipients: recipients(mail.cc),
      ...(mail.from[0] ? { from: recipient(mail.from[0]) } : {}),
      ...(mail.messageId === undefined ? {} : { internetMessageId: mail.messageId }),
      ...(attachments.length > 0 ? { attachments } : {}),
    },
  };
}

/** Everything of a message that one POST can carry: content, people, times, state. */
export function messageBody(item: ItemVersion, mail: ParsedMail, attachments: readonly Body[]): Body {
  const { properties } = item;
  const messageId = properties['internetMessageId'] ?? mail.messageId;
  const [from] = mail.from;
  const sender = mail.sender[0] ?? from;
  return {
    subject: mail.subject === '' ? item.name : mail.subject,
    body: bodyOf(mail),
    toRecipients: recipients(mail.to),
    ccRecipients: recipients(mail.cc),
    bccRecipients: recipients(mail.bcc),
    replyTo: recipients(mail.replyTo),
    ...(from ? { from: recipient(from) } : {}),
    ...(sender ? { sender: recipient(sender) } : {}),
    ...(typeof messageId === 'string' ? { internetMessageId: messageId } : {}),
    ...stateOf(properties),
    ...(mail.wantsReceipt ? { isReadReceiptRequested: false } : {}),
    singleValueExtendedProperties: extendedProperties(mail, properties, mail.attachments.length > 0),
    ...(attachments.length > 0 ? { attachments } : {}),
  };
}

function normal(value: unknown): string {
  return JSON.stringify(value ?? null).toLowerCase();
}

function addressOf(value: unknown): string {
  const { emailAddress } = (value ?? {}) as { readonly emailAddress?: { readonly address?: string } };
  return emailAddress?.address ?? '';
}

type Fields = Readonly<Record<string, unknown>>;

/** Both sides say it, and they say different things. */
function differs(sent: unknown, stored: unknown): boolean {
  return sent !== undefined && stored !== undefined && normal(sent) !== normal(stored);
}

/** Properties of a restored message that the service did not take as they were. */
export function messageDifferences(item: ItemVersion, sent: Fields, stored: Fields): readonly string[] {
  const { properties } = item;
  const plain = ['isRead', 'categories', 'importance', 'internetMessageId', 'subject'].filter((name) => differs(sent[name], stored[name]));
  const people = ['from', 'sender'].filter((name) => sent[name] !== undefined && differs(addressOf(sent[name]), addressOf(stored[name])));
  const times = ['receivedDateTime', 'sentDateTime'].filter((name) => {
    return stored[name] !== undefined && differs(isoTime(properties[name]), isoTime(stored[name]));
  });
  const isLeftDraft = stored['isDraft'] === true && properties['isDraft'] !== true;
  return [...plain, ...people, ...times, ...(isLeftDraft ? ['isDraft'] : [])];
}
