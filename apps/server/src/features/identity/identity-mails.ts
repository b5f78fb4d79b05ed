import type { Mail } from '../../mail/mail.ts';
import { composeMail, escapeHtml, type MailKind } from '../../mail/templates.ts';
import type { Account, AnyTx } from './accounts.store.ts';
import type { IdentityParts } from './identity-parts.ts';

/** What a mail and its code need of an account. */
export type Addressee = Pick<Account, 'id' | 'email' | 'language' | 'security_stamp'>;

interface Letter {
  readonly to: string;
  readonly language: 'en' | 'de';
  readonly kind: MailKind;
  readonly link?: string;
  readonly values?: Readonly<Record<string, string>>;
}

/** Queues one of the product's mails within the transaction that asks for it. Returns the mail's id. */
export async function queueMail(parts: IdentityParts, tx: AnyTx, letter: Letter): Promise<string> {
  return parts.mail.enqueue(tx, composeMail({ ...letter, address: parts.publicUrl() }));
}

/** Upstream's plain mails: what clients written against it look for. */
function upstreamMail(to: string, kind: 'confirm' | 'reset', value: string): Mail {
  if (kind === 'reset') {
    const text = `Please reset your password using the following code: ${value}`;
    return { to, subject: 'Reset your password', text, html: escapeHtml(text) };
  }
  return {
    to,
    subject: 'Confirm your email',
    text: `Please confirm your account by opening this address: ${value}`,
    html: `Please confirm your account by <a href='${escapeHtml(value)}'>clicking here</a>.`,
  };
}

/** The link that confirms an address, or asks to change to it. */
export async function mailConfirmation(
  parts: IdentityParts,
  tx: AnyTx,
  letter: { readonly account: Addressee; readonly to: string; readonly link: string; readonly isChange: boolean },
): Promise<string> {
  if (parts.options.profile === 'conformance') return parts.mail.enqueue(tx, upstreamMail(letter.to, 'confirm', letter.link));
  const kind = letter.isChange ? 'changeEmail' : 'confirm';
  return queueMail(parts, tx, { to: letter.to, language: letter.account.language, kind, link: letter.link });
}

/** The code that resets a password, for clients of the identity calls. */
export async function mailResetCode(parts: IdentityParts, tx: AnyTx, account: Addressee, code: string): Promise<string> {
  if (parts.options.profile === 'conformance') return parts.mail.enqueue(tx, upstreamMail(account.email, 'reset', code));
  return queueMail(parts, tx, { to: account.email, language: account.language, kind: 'resetCode', values: { code } });
}
