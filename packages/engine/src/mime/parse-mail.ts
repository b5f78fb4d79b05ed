import PostalMime, { decodeWords, type Address, type Email } from 'postal-mime';
import { contentOfPart, readMimePart, type MimePart } from './mime-part.ts';
import type { MailAddress, ParsedAttachment, ParsedMail } from './parsed-mail.ts';
import { decodeText } from './text-of-bytes.ts';

function mailboxes(addresses: readonly Address[] | Address | undefined): MailAddress[] {
  const list = addresses === undefined ? [] : Array.isArray(addresses) ? addresses : [addresses as Address];
  return list.flatMap((one: Address): MailAddress[] => {
    if (one.group) return mailboxes(one.group);
    const address = one.address === '' ? one.name : one.address;
    return address === '' ? [] : [{ name: one.name, address }];
  });
}

function attachmentOf(part: MimePart): ParsedAttachment {
  const { fileName, mediaType, contentId, disposition } = part;
  const bytes = new Uint8Array(contentOfPart(part));
  const isInline = disposition === 'inline' || (disposition === '' && contentId !== undefined);
  const name = fileName ?? (mediaType === 'message/rfc822' ? subjectOf(bytes) : 'attachment');
  return { name, mediaType, isInline, bytes, ...(contentId === undefined || contentId === '' ? {} : { contentId }) };
}

/** An attached message is called by its subject, as the service calls it. */
function subjectOf(message: Uint8Array): string {
  const { headers } = readMimePart(Buffer.from(message.buffer, message.byteOffset, message.byteLength));
  const subject = decodeWords(headers.find(([name]) => name.toLowerCase() === 'subject')?.[1] ?? '').trim();
  return subject === '' ? 'message.eml' : subject;
}

interface Found {
  html?: string;
  text?: string;
  readonly attachments: ParsedAttachment[];
}

/** The first text of each kind is the message; every other part is an attachment. */
function collect(part: MimePart, found: Found): void {
  if (part.parts.length > 0) {
    for (const inner of part.parts) collect(inner, found);
    return;
  }
  const isText = part.disposition !== 'attachment' && part.fileName === undefined;
  if (isText && part.mediaType === 'text/html' && found.html === undefined) {
    found.html = decodeText(contentOfPart(part), part.charset);
  } else if (isText && part.mediaType === 'text/plain' && found.text === undefined) {
    found.text = decodeText(contentOfPart(part), part.charset);
  } else if (!part.mediaType.startsWith('multipart/')) {
    found.attachments.push(attachmentOf(part));
  }
}

function headerBlock(raw: Buffer): string {
  const head = raw.toString('latin1', 0, 64 * 1024);
  const end = /\r?\n\r?\n/u.exec(head);
  return end ? head.slice(0, end.index) : head;
}

function mailOf(email: Email, whole: MimePart, raw: Buffer): ParsedMail {
  const { subject, date, messageId } = email;
  const receipt = email.headers.find((header) => header.key === 'disposition-notification-to');
  const found: Found = { attachments: [] };
  collect(whole, found);
  return {
    subject: subject ?? '',
    ...(date === undefined ? {} : { date }),
    ...(messageId === undefined ? {} : { messageId }),
    from: mailboxes(email.from),
    sender: mailboxes(email.sender),
    to: mailboxes(email.to),
    cc: mailboxes(email.cc),
    bcc: mailboxes(email.bcc),
    replyTo: mailboxes(email.replyTo),
    wantsReceipt: receipt !== undefined,
    headerBlock: headerBlock(raw),
    headers: whole.headers.map(([name, value]) => [name, decodeWords(value)]),
    mediaType: whole.mediaType,
    ...found,
  };
}

/** Takes a message apart: the header by the parser, the parts byte for byte as they were packed. */
export async function parseMail(raw: Uint8Array): Promise<ParsedMail> {
  const data = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const whole = readMimePart(data);
  const head = data.subarray(0, data.byteLength - whole.body.byteLength);
  return mailOf(await PostalMime.parse(head, { maxHeadersSize: 2 * 1024 * 1024 }), whole, data);
}
