import type { Tx } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import type { Random } from '@holdfast/foundation/random';
import type { MailQueue } from '../../mail/mail-queue.ts';
import { createSecretText, tokenHash } from '../identity/index.ts';
import type { HoldNoticesStore, ToldPerson } from './hold-notices.store.ts';
import { noticeMail, type NoticeMailKind } from './notice-mails.ts';

export interface SendingParts {
  readonly store: HoldNoticesStore;
  readonly mail: MailQueue;
  /** Whether mails reach people. Without, they are put into a folder. */
  readonly isMailed: boolean;
  readonly publicUrl: () => string;
  readonly clock: Clock;
  readonly random: Random;
}

/** Queues a mail with a link of its own, in the transaction that says so. Links of earlier mails stay good until they expire. */
export type SendNotice = (tx: Tx, told: Omit<ToldPerson, 'hold'>, kind: NoticeMailKind) => Promise<void>;

/** Longer than the longest wait for a reminder, which brings a new link. */
const LINK_MS = 90 * 86_400_000;

export function createSendNotice({ store, mail, isMailed, publicUrl, clock, random }: SendingParts): SendNotice {
  return async (tx, told, kind) => {
    const code = createSecretText(random);
    const mailId = await mail.enqueue(tx, noticeMail(told, kind, { address: publicUrl(), code }));
    await store.addMail(tx, {
      mail_id: mailId,
      recipient_id: told.recipient.recipient_id,
      code_hash: tokenHash(code),
      expires_at: new Date(clock.nowMs() + LINK_MS),
      is_mailed: isMailed,
      queued_at: now(clock),
    });
  };
}
