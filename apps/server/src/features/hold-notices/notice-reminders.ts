import { noticeRemindersMax } from '@holdfast/contract/hold-notices';
import type { Tx } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import type { Logger } from '@holdfast/foundation/logger';
import type { AuditInbox } from '../audit/index.ts';
import type { DueReminder, HoldNoticesStore, ToldPerson } from './hold-notices.store.ts';
import type { SendNotice } from './notice-sending.ts';

export interface RemindersParts {
  readonly store: HoldNoticesStore;
  readonly send: SendNotice;
  readonly audit: AuditInbox;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Reminds whoever has not acknowledged, as long as the hold is in force. */
export interface Reminders {
  /** Queues what is due; returns how many. */
  sweep(): Promise<number>;
}

const DAY_MS = 86_400_000;
const BATCH = 100;

export function createReminders({ store, send, audit, clock, logger }: RemindersParts): Reminders {
  const inDays = (days: number): Date => new Date(clock.nowMs() + days * DAY_MS);

  async function remind(tx: Tx, told: ToldPerson, days: number): Promise<void> {
    const { recipient, notice, hold } = told;
    await send(tx, told, 'holdReminder');
    const isLast = recipient.reminders + 1 >= noticeRemindersMax;
    await store.remindNext(tx, recipient.recipient_id, { at: isLast ? null : inDays(days), isReminded: true });
    await audit.record(tx, {
      event: 'hold-notices.reminded',
      actor: { kind: 'system', name: 'notices of legal holds' },
      subject: { kind: 'hold', id: hold.hold_id, name: hold.name },
      details: { subject: notice.subject, recipient: recipient.address },
    });
  }

  /** One reminder in one transaction: whatever process dies, it was queued and counted, or neither. */
  async function remindOne({ scope, recipientId }: DueReminder): Promise<boolean> {
    return store.within(scope, async (tx) => {
      const told = await store.lockDue(tx, recipientId, now(clock));
      if (!told) return false;
      const days = told.notice.remind_days;
      if (days === null || !told.hold.is_in_force) {
        await store.remindNext(tx, recipientId, { at: null, isReminded: false });
        return false;
      }
      if (await store.isMailWaiting(tx, recipientId)) {
        // Nobody is reminded of what has not reached them.
        await store.remindNext(tx, recipientId, { at: inDays(1), isReminded: false });
        return false;
      }
      await remind(tx, told, days);
      return true;
    });
  }

  return Object.freeze<Reminders>({
    async sweep() {
      let reminded = 0;
      for (const due of await store.due(now(clock), BATCH)) {
        // One organisation whose reminder fails must not keep the others from theirs.
        const isDone = await remindOne(due).catch((error: unknown) => {
          logger.warn({ err: error, recipientId: due.recipientId }, 'a reminder of a hold could not be queued');
          return false;
        });
        if (isDone) reminded += 1;
      }
      return reminded;
    },
  });
}
