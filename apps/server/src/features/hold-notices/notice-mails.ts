import type { Mail } from '../../mail/mail.ts';
import { composeMail } from '../../mail/templates.ts';
import type { ToldPerson } from './hold-notices.store.ts';

export type NoticeMailKind = 'holdNotice' | 'holdReminder';

/** A notice, or the reminder of one, in the language that its writer has chosen for it. */
export function noticeMail(
  told: Omit<ToldPerson, 'hold'>,
  kind: NoticeMailKind,
  at: { readonly address: string; readonly code: string },
): Mail {
  const { recipient, notice, organisationName } = told;
  return composeMail({
    to: recipient.address,
    language: notice.language,
    kind,
    values: { subject: notice.subject, sender: notice.sender, organisation: organisationName },
    message: notice.message,
    link: `${at.address}/hold-notice/${at.code}`,
    address: at.address,
  });
}
