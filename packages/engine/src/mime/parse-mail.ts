import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime';
import type { MailAddress, ParsedAttachment, ParsedMail } from './parsed-mail.ts';

function mailboxes(addresses: readonly Address[] | Address | undefined): MailAddress[] {
  const list = addresses === undefined ? [] : Array.isArray(addresses) ? addresses : [addresses as Address];
  return list.flatMap((one: Address) => {
    if (one.group) return one.group.map(({ name, address }) => ({ name, address }));
    return one.address === undefined || one.address === '' ? [] : [{ name: one.name, address: one.address }];
  });
}

function bytesOf(content: Attachment['content']): Uint8Array {
  if (typeof content === 'string') return Buffer.from(content);
  return content instanceof Uint8Array ? content : new Uint8Array(content);
}

function attachment(part: Attachment): ParsedAttachment {
  const name = part.filename ?? (part.mimeType === 'message/rfc822' ? 'message.eml' : 'attachment');
  const contentId = part.contentId?.replace(/^<|>$/gu, '');
  const isInline = part.disposition === 'inline' || part.related === true;
  return { name, mediaType: part.mimeType, isInline, bytes: bytesOf(part.content), ...(contentId ? { contentId } : {}) };
}

function headerBlock(raw: Uint8Array): string {
  const head = Buffer.from(raw.buffer, raw.byteOffset, Math.min(raw.byteLength, 64 * 1024)).toString('latin1');
  const end = /\r?\n\r?\n/u.exec(head);
  return end ? head.slice(0, end.index) : head;
}

function mailOf(email: Email, raw: Uint8Array): ParsedMail {
  const { subject, html, text, date, messageId } = email;
  const receipt = email.headers.find((header) => header.key === 'disposition-notification-to');
  return {
    subject: subject ?? '',
    ...(html === undefined ? {} : { html }),
    ...(text === undefined ? {} : { text }),
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
    attachments: email.attachments.map(attachment),
  };
}

/** Takes a message apart, with limits on depth and headers; throws what the parser does. */
export async function parseMail(raw: Uint8Array): Promise<ParsedMail> {
  return mailOf(await PostalMime.parse(raw, { forceRfc822Attachments: true, maxNestingDepth: 256 }), raw);
}
