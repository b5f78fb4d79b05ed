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
  | 'verifyDeviation'
  | 'daySummary'
  | 'auditDeviation'
  | 'forwardingStalled'
  | 'contentOpened'
  | 'searchFound'
  | 'monthlyReport'
  | 'approvalAsked'
  | 'approvalExpired'
  | 'approvalDelayed';

export interface MailContent {
  readonly to: string;
  readonly language: Language;
  readonly kind: MailKind;
  readonly values?: Readonly<Record<string, string>>;
  /** More lines below the text, as a list. */
  readonly lines?: readonly string[];
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

/** Words a mail in the reader's language, as text and as HTML. */
export function composeMail(content: MailContent): Mail {
  const phrases = phrasesOf(content.language).mails;
  const own: { readonly subject: string; readonly text: string; readonly button?: string; readonly ignore?: string } =
    phrases[content.kind];
  const values = content.values ?? {};
  const closing = fill(phrases.closing, { address: content.address });
  const text = fill(own.text, values);
  const listed = content.lines ?? [];
  const lines = [phrases.greeting, text];
  if (listed.length > 0) lines.push(listed.map((line) => `- ${line}`).join('\n'));
  if (content.link !== undefined) lines.push(`${own.button ?? ''}:\n${content.link}`);
  if (own.ignore !== undefined) lines.push(own.ignore);
  lines.push(`--\n${closing}`);
  const html = [
    `<!doctype html><html lang="${content.language}"><head><meta charset="utf-8"><title>${escapeHtml(fill(own.subject, values))}</title></head>`,
    '<body style="font-family:Segoe UI,Arial,sans-serif;color:#1b1b1b;max-width:560px;margin:24px auto;line-height:1.5">',
    `<p>${escapeHtml(phrases.greeting)}</p>`,
    `<p>${escapeHtml(text)}</p>`,
    listed.length === 0 ? '' : `<ul>${listed.map((line) => `<li>${escapeHtml(line)}</li>`).join('')}</ul>`,
    content.link === undefined ? '' : button(own.button ?? '', content.link, phrases.linkHint),
    own.ignore === undefined ? '' : `<p>${escapeHtml(own.ignore)}</p>`,
    `<hr style="border:0;border-top:1px solid #dddddd"><p style="color:#555555;font-size:12px">${escapeHtml(closing)}</p></body></html>`,
  ].join('\n');
  return { to: content.to, subject: oneLine(fill(own.subject, values)), text: lines.join('\n\n'), html };
}
