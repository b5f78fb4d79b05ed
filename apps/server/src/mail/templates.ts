import { fill, phrasesOf, type Language } from '../http/language.ts';
import type { Mail } from './mail.ts';

/** The mails of the product, by the name of their phrases. */
export type MailKind =
  | 'confirm'
  | 'changeEmail'
  | 'reset'
  | 'resetCode'
  | 'signInCode'
  | 'invitation'
  | 'alreadyRegistered'
  | 'passwordChanged'
  | 'emailChanging'
  | 'runFailed'
  | 'runDefective'
  | 'runOver'
  | 'verifyDeviation'
  | 'daySummary'
  | 'auditDeviation'
  | 'timestampsStalled'
  | 'forwardingStalled'
  | 'journalSilent'
  | 'archiveIncomplete'
  | 'contentOpened'
  | 'searchFound'
  | 'monthlyReport'
  | 'procedureDue'
  | 'requestDue'
  | 'reviewWaiting'
  | 'approvalAsked'
  | 'approvalExpired'
  | 'approvalDelayed'
  | 'holdNotice'
  | 'holdReminder';

/** A line of a list, and where it leads. */
export interface MailLine {
  readonly text: string;
  readonly link?: string;
}

/** A picture within a mail. */
export interface MailPicture {
  readonly title: string;
  readonly fileName: string;
  readonly bytes: Uint8Array;
}

export interface MailContent {
  readonly to: string;
  readonly language: Language;
  readonly kind: MailKind;
  readonly values?: Readonly<Record<string, string>>;
  /** What a person wrote, below the text; its line breaks are kept. */
  readonly message?: string;
  /** More lines below the text, as a list. */
  readonly lines?: readonly (string | MailLine)[];
  /** Shown below the list; readers without pictures see its title. */
  readonly picture?: MailPicture | undefined;
  /** Where the button leads. */
  readonly link?: string;
  /** The address of this installation, named at the end. */
  readonly address: string;
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text made safe for HTML and its attributes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign);
}

function oneLine(text: string): string {
  return text.replaceAll(/[\r\n]+/g, ' ').slice(0, 200);
}

function button(label: string, link: string, hint: string): string {
  const href = escapeHtml(link);
  return [
    `<p><a href="${href}" style="display:inline-block;padding:10px 18px;border-radius:4px;background:#0f3d75;color:#ffffff;text-decoration:none">${escapeHtml(label)}</a></p>`,
    `<p style="color:#555555;font-size:13px">${escapeHtml(hint)}<br>${href}</p>`,
  ].join('\n');
}

const PICTURE = 'picture';

function image({ title }: MailPicture): string {
  const words = escapeHtml(title);
  return `<p><strong>${words}</strong></p>\n<p><img src="cid:${PICTURE}" alt="${words}" width="560" style="max-width:100%;height:auto"></p>`;
}

/** A person's own words, set off from those of the product. Outlook knows no other way to keep line breaks. */
function said(message: string): string {
  const lines = escapeHtml(message).split(/\r?\n/).join('<br>');
  return `<blockquote style="margin:16px 0;padding-left:14px;border-left:3px solid #0f3d75">${lines}</blockquote>`;
}

function item({ text, link }: MailLine): string {
  return `<li>${link === undefined ? escapeHtml(text) : `<a href="${escapeHtml(link)}" style="color:#0f3d75">${escapeHtml(text)}</a>`}</li>`;
}

type OwnWords = { readonly subject: string; readonly text: string; readonly button?: string; readonly ignore?: string };

const linesOf = ({ lines = [] }: MailContent): readonly MailLine[] =>
  lines.map((line) => (typeof line === 'string' ? { text: line } : line));

function textBody(content: MailContent, own: OwnWords): string {
  const phrases = phrasesOf(content.language).mails;
  const listed = linesOf(content).map(({ text, link }) => `- ${text}${link === undefined ? '' : `\n  ${link}`}`);
  const lines = [phrases.greeting, fill(own.text, content.values ?? {})];
  if (content.message !== undefined) lines.push(content.message);
  if (listed.length > 0) lines.push(listed.join('\n'));
  if (content.link !== undefined) lines.push(`${own.button ?? ''}:\n${content.link}`);
  if (own.ignore !== undefined) lines.push(own.ignore);
  lines.push(`--\n${fill(phrases.closing, { address: content.address })}`);
  return lines.join('\n\n');
}

function htmlBody(content: MailContent, own: OwnWords): string {
  const { language, values = {}, message, picture, link, address } = content;
  const phrases = phrasesOf(language).mails;
  const listed = linesOf(content);
  return [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${escapeHtml(fill(own.subject, values))}</title></head>`,
    '<body style="font-family:Segoe UI,Arial,sans-serif;color:#1b1b1b;max-width:560px;margin:24px auto;line-height:1.5">',
    `<p>${escapeHtml(phrases.greeting)}</p>`,
    `<p>${escapeHtml(fill(own.text, values))}</p>`,
    message === undefined ? '' : said(message),
    listed.length === 0 ? '' : `<ul>${listed.map(item).join('')}</ul>`,
    picture === undefined ? '' : image(picture),
    link === undefined ? '' : button(own.button ?? '', link, phrases.linkHint),
    own.ignore === undefined ? '' : `<p>${escapeHtml(own.ignore)}</p>`,
    `<hr style="border:0;border-top:1px solid #dddddd"><p style="color:#555555;font-size:12px">${escapeHtml(fill(phrases.closing, { address }))}</p></body></html>`,
  ].join('\n');
}

/** Words a mail in the reader's language, as text and as HTML. */
export function composeMail(content: MailContent): Mail {
  const own: OwnWords = phrasesOf(content.language).mails[content.kind];
  const { to, values = {}, picture } = content;
  const mail = { to, subject: oneLine(fill(own.subject, values)), text: textBody(content, own), html: htmlBody(content, own) };
  if (picture === undefined) return mail;
  const { fileName, bytes } = picture;
  return {
    ...mail,
    attachments: [{ fileName, mediaType: 'image/png', base64: Buffer.from(bytes).toString('base64'), contentId: PICTURE }],
  };
}
