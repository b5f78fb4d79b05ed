import { sha256Hex } from '@holdfast/foundation/bytes';
import type { ParsedMail } from '../mime/parsed-mail.ts';
import type { ItemVersion } from '../ports/item.ts';
import { htmlText, LONGEST_HTML } from '../shared/html-text.ts';
import { headerIds } from './item-facts.ts';
import { instantOf } from './item-preview.ts';

/** What tells where a mail belongs in a conversation, and what it says there. */
export interface MailInThread {
  readonly messageId: string | null;
  /** What it says that it answers, oldest first. */
  readonly references: readonly string[];
  readonly subject: string;
  /** What it says, once as plain text and once as HTML where it has both; null where that is longer than is read. */
  readonly texts: readonly string[] | null;
  /** SHA-256 of each attachment. */
  readonly attachments: readonly string[];
  /** The sender's word. ISO 8601, UTC. */
  readonly sentAt: string | null;
}

/** A mail as one of a thread. Of an HTML text that would be cut nobody can say that it stands whole elsewhere. */
export function mailInThread(item: ItemVersion, mail: ParsedMail): MailInThread {
  const { text = '', html = '' } = mail;
  return {
    messageId: headerIds(mail, 'message-id')[0] ?? null,
    references: [...new Set([...headerIds(mail, 'references'), ...headerIds(mail, 'in-reply-to')])].filter((id) => id !== ''),
    subject: mail.subject === '' ? item.name : mail.subject,
    texts: html.length > LONGEST_HTML ? null : [text, htmlText(html)].filter((one) => one.trim() !== ''),
    attachments: mail.attachments.map(({ bytes }) => sha256Hex(bytes)),
    sentAt: instantOf(mail.date),
  };
}
