import { phraseOfApproval } from '@holdfast/contract/approvals';
import { fill, phrasesOf } from '../../http/language.ts';
import type { MailQueue } from '../../mail/mail-queue.ts';
import { composeMail } from '../../mail/templates.ts';
import type { ApprovalLetters, Reachable } from './approvals.service.ts';
import type { ApprovalRow } from './approvals.store.ts';

const PAGE = '/configuration/approvals';

/** The mails about requests, each in the language of its reader. */
export function createApprovalLetters(mail: Pick<MailQueue, 'enqueue'>, publicUrl: () => string): ApprovalLetters {
  function letter(kind: 'approvalAsked' | 'approvalDelayed' | 'approvalExpired', { email, language }: Reachable, row: ApprovalRow) {
    const what = phrasesOf(language).approvals;
    const details = row.details as Readonly<Record<string, string | number>>;
    const values = Object.fromEntries(Object.entries(details).map(([name, value]) => [name, String(value)]));
    return composeMail({
      to: email,
      language,
      kind,
      values: {
        requester: row.requester,
        name: row.subject_name,
        what: fill(what[phraseOfApproval(row.kind, details)], { name: row.subject_name, ...values }),
        at: row.effective_at === null ? '' : `${row.effective_at.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
      },
      link: `${publicUrl()}${PAGE}`,
      address: publicUrl(),
    });
  }
  return Object.freeze<ApprovalLetters>({
    async asked(tx, to, row) {
      for (const person of to) await mail.enqueue(tx, letter('approvalAsked', person, row));
    },
    async expired(tx, to, row) {
      for (const person of to) await mail.enqueue(tx, letter('approvalExpired', person, row));
    },
    async delayed(tx, to, row) {
      for (const person of to) await mail.enqueue(tx, letter('approvalDelayed', person, row));
    },
  });
}
