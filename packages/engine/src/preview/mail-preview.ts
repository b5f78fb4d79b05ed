import type { MailAddress, ParsedMail } from '../mime/parsed-mail.ts';
import type { ItemVersion } from '../ports/item.ts';
import { htmlText } from '../shared/html-text.ts';
import { blank, instantOf, readable, type ItemPreview } from './item-preview.ts';

export function addressText({ name, address }: MailAddress): string {
  return name === '' || name === address ? address : `${name} <${address}>`;
}

function receivedAt(item: ItemVersion): string | undefined {
  const time = item.properties['receivedDateTime'] ?? item.properties['sentDateTime'];
  return typeof time === 'string' ? time : (item.createdAt ?? item.modifiedAt);
}

/** A message as its MIME says, readable as plain text: HTML is read for its words only. */
export function mailPreview(item: ItemVersion, mail: ParsedMail): ItemPreview {
  const sender = mail.from[0] ?? mail.sender[0];
  return {
    ...blank(item.kind, mail.subject === '' ? item.name : mail.subject),
    from: sender === undefined ? null : addressText(sender),
    to: mail.to.map(addressText),
    cc: mail.cc.map(addressText),
    at: instantOf(mail.date) ?? instantOf(receivedAt(item)),
    text: readable(mail.text) ?? readable(mail.html === undefined ? null : htmlText(mail.html)),
    attachments: mail.attachments.map(({ name, mediaType, bytes }, index) => ({ index, name, mediaType, sizeBytes: bytes.byteLength })),
  };
}
