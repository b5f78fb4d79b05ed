import type { Body } from '@holdfast/m365';
import type { ItemVersion, JsonObject } from '../../ports/item.ts';
import { carriedHeaders, rewrittenHeaders, unsaidPeople } from '../../mime/carried-headers.ts';
import type { MailAddress, ParsedAttachment, ParsedMail } from '../../mime/parsed-mail.ts';

/** The largest attachment that one request takes; an upload session is refused for less than 3 MB. */
export const POST_LIMIT = 3_145_611;

/** Attachments up to this size together travel inside the message. */
export const INLINE_LIMIT = 3 * 1024 * 1024 - 200 * 1024;

const READ_FLAG = 1;
const HAS_ATTACHMENT_FLAG = 0x10;

/** All header lines as the message arrived with them. */
export const TRANSPORT_HEADERS = 'String 0x007D';

/** As the service shows people: somebody without a name is called by the address. */
function recipient({ name, address }: MailAddress): Body {
  return { emailAddress: { name: name === '' ? address : name, address } };
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

function addressOf(value: unknown): string {
  const { emailAddress } = (value ?? {}) as { readonly emailAddress?: { readonly address?: string } };
  return emailAddress?.address ?? '';
}

/** The sender as the service itself has named him; a message may name one without an address. */
function senderOf({ from }: ParsedMail, properties: JsonObject): Body | undefined {
  if (addressOf(properties['from']) !== '') return properties['from'] as Body;
  return from[0] && recipient(from[0]);
}

/** What makes a message a sent one: without them it stays a draft. */
function stateProperties(mail: ParsedMail, properties: JsonObject): readonly Body[] {
  const hasAttachments = mail.attachments.length > 0;
  const flags = (properties['isRead'] === true ? READ_FLAG : 0) | (hasAttachments ? HAS_ATTACHMENT_FLAG : 0);
  const received = isoTime(properties['receivedDateTime']) ?? isoTime(mail.date);
  const sent = isoTime(properties['sentDateTime']) ?? isoTime(mail.date) ?? received;
  return [
    { id: 'Integer 0x0E07', value: String(flags) },
    ...(received === undefined ? [] : [{ id: 'SystemTime 0x0E06', value: received }]),
    ...(sent === undefined ? [] : [{ id: 'SystemTime 0x0039', value: sent }]),
  ];
}

/** The header lines of a message, all together and one by one. */
function headerProperties(mail: ParsedMail): readonly Body[] {
  return [{ id: TRANSPORT_HEADERS, value: mail.headerBlock }, ...carriedHeaders(mail).properties];
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
export function itemAttachment({ name, isInline }: Pick<ParsedAttachment, 'name' | 'isInline'>, mail: ParsedMail): Body {
  const attachments = mail.attachments.filter((part) => part.mediaType !== 'message/rfc822').map(fileAttachment);
  return {
    '@odata.type': '#microsoft.graph.itemAttachment',
    name,
    isInline,
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
  const from = senderOf(mail, properties);
  const sender = mail.sender[0] ? recipient(mail.sender[0]) : from;
  return {
    subject: item.name === '' ? mail.subject : item.name,
    body: bodyOf(mail),
    toRecipients: recipients(mail.to),
    ccRecipients: recipients(mail.cc),
    bccRecipients: recipients(mail.bcc),
    replyTo: recipients(mail.replyTo),
    ...(from ? { from } : {}),
    ...(sender ? { sender } : {}),
    ...(typeof messageId === 'string' ? { internetMessageId: messageId } : {}),
    ...stateOf(properties),
    ...(mail.wantsReceipt ? { isReadReceiptRequested: false } : {}),
    singleValueExtendedProperties: [...stateProperties(mail, properties), ...headerProperties(mail)],
    ...(attachments.length > 0 ? { attachments } : {}),
  };
}

/** The same message without its header lines, for a service that refuses them. */
export function withoutHeaders(body: Body, item: ItemVersion, mail: ParsedMail): Body {
  return { ...body, singleValueExtendedProperties: stateProperties(mail, item.properties) };
}

function normal(value: unknown): string {
  return JSON.stringify(value ?? null).toLowerCase();
}

type Fields = Readonly<Record<string, unknown>>;

/** Both sides say it, and they say different things. */
function differs(sent: unknown, stored: unknown): boolean {
  return sent !== undefined && stored !== undefined && normal(sent) !== normal(stored);
}

/** Formats that the service makes of the parts it was given; any other is lost with the parts that were signed or sealed. */
const MADE_FORMATS = new Set(['text/plain', 'text/html', 'multipart/mixed', 'multipart/alternative', 'multipart/related']);

/** What of a message no request can carry: known before it is made. */
export function lossesOf(mail: ParsedMail): readonly string[] {
  return [
    ...carriedHeaders(mail).lost,
    ...unsaidPeople(mail),
    ...rewrittenHeaders(mail),
    ...(mail.html !== undefined && mail.text !== undefined ? ['plainText'] : []),
    ...(MADE_FORMATS.has(mail.mediaType) ? [] : [`messageFormat ${mail.mediaType}`]),
  ];
}

const COMPARED = ['isRead', 'categories', 'importance', 'internetMessageId', 'subject', 'from', 'sender'] as const;
const PEOPLE = ['toRecipients', 'ccRecipients', 'bccRecipients', 'replyTo'] as const;
/** Properties that the vault keeps as the service named them. */
const KEPT = ['importance', 'internetMessageId', 'from', 'flag', 'inferenceClassification'] as const;

/** Properties of a restored message that the service did not take as they were. */
export function messageDifferences(item: ItemVersion, sent: Fields, stored: Fields): readonly string[] {
  const { properties } = item;
  const plain = [...COMPARED, ...PEOPLE].filter((name) => differs(sent[name], stored[name]));
  const kept = KEPT.filter((name) => differs(properties[name], stored[name]));
  const missing = ['from', 'sender'].filter((name) => sent[name] !== undefined && (stored[name] ?? null) === null);
  const times = ['receivedDateTime', 'sentDateTime'].filter((name) => {
    return stored[name] !== undefined && differs(isoTime(properties[name]), isoTime(stored[name]));
  });
  const isLeftDraft = stored['isDraft'] === true && properties['isDraft'] !== true;
  return [...new Set([...plain, ...kept, ...missing, ...times, ...(isLeftDraft ? ['isDraft'] : [])])];
}
