import type { Database, InstallationTx, Tx } from '@holdfast/database';
import type { Clock } from '@holdfast/foundation/clock';
import { now } from '@holdfast/foundation/clock';
import { errorText } from '@holdfast/foundation/errors';
import type { Ids } from '@holdfast/foundation/ids';
import type { Logger } from '@holdfast/foundation/logger';
import { repeat } from '@holdfast/foundation/repeating';
import type { Sealing } from '../keys/sealing.ts';
import type { Mail, MailTransport } from './mail.ts';

/** Mails wait in the database, sealed, in the transaction that wants them; they are sent outside of every request. */
export interface MailQueue {
  /** Returns the mail's id. */
  enqueue(tx: Tx | InstallationTx, mail: Mail): Promise<string>;
  /** Takes a mail back in the transaction that queued it. */
  discard(tx: Tx | InstallationTx, id: string): Promise<void>;
  /** Sends what is due. Returns how many were handed over. */
  sendDue(): Promise<number>;
  /** Sends what comes, until stopped. */
  start(): () => Promise<void>;
}

export interface MailQueueOptions {
  readonly database: Database;
  readonly sealing: Sealing;
  readonly transport: MailTransport;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
}

const BATCH = 20;
const EVERY_MS = 500;
const RETRY_MS = [10_000, 60_000, 300_000, 900_000, 3_600_000];
/** After so many attempts a mail is given up. */
export const mostAttempts = 12;

function placeOf(id: string): { table: string; column: string; row: string } {
  return { table: 'mails', column: 'sealed', row: id };
}

interface Due {
  readonly id: string;
  readonly sealed: Buffer | null;
  readonly attempts: number;
}

/** Claims due mails for a minute, so that two processes do not send one twice. */
function claim(database: Database, clock: Clock): Promise<Due[]> {
  return database.installation((tx) =>
    tx
      .updateTable('mails')
      .set({ next_attempt_at: new Date(clock.nowMs() + 60_000) })
      .where(
        'id',
        'in',
        tx
          .selectFrom('mails')
          .select('id')
          .where('sent_at', 'is', null)
          .where('next_attempt_at', '<=', now(clock))
          .where('attempts', '<', mostAttempts)
          .orderBy('next_attempt_at')
          .limit(BATCH)
          .forUpdate()
          .skipLocked(),
      )
      .returning(['id', 'sealed', 'attempts'])
      .execute(),
  );
}

export function createMailQueue(options: MailQueueOptions): MailQueue {
  const { database, sealing, transport, clock, ids, logger } = options;

  async function deliver(due: Due): Promise<boolean> {
    try {
      if (due.sealed) await transport.send(JSON.parse(await sealing.openOwn(due.sealed, placeOf(due.id))) as Mail);
      await database.installation((tx) =>
        tx
          .updateTable('mails')
          .set({ sent_at: now(clock), sealed: null, last_error: null })
          .where('id', '=', due.id)
          .execute(),
      );
      return true;
    } catch (error) {
      const waitMs = RETRY_MS[Math.min(due.attempts, RETRY_MS.length - 1)] ?? 60_000;
      logger.warn({ err: error, mailId: due.id, attempt: due.attempts + 1 }, 'a mail could not be sent');
      await database.installation((tx) =>
        tx
          .updateTable('mails')
          .set({
            attempts: due.attempts + 1,
            next_attempt_at: new Date(clock.nowMs() + waitMs),
            last_error: errorText(error).slice(0, 500),
          })
          .where('id', '=', due.id)
          .execute(),
      );
      return false;
    }
  }

  async function sendDue(): Promise<number> {
    let sent = 0;
    for (const due of await claim(database, clock)) if (await deliver(due)) sent += 1;
    return sent;
  }

  return Object.freeze<MailQueue>({
    async enqueue(tx, mail) {
      const id = ids.uuid();
      const sealed = await sealing.sealOwn(JSON.stringify(mail), placeOf(id));
      await (tx as InstallationTx)
        .insertInto('mails')
        .values({ id, sealed, created_at: now(clock), next_attempt_at: now(clock), sent_at: null, last_error: null })
        .execute();
      return id;
    },
    async discard(tx, id) {
      await (tx as InstallationTx).deleteFrom('mails').where('id', '=', id).execute();
    },
    sendDue,
    start: () =>
      repeat({
        clock,
        everyMs: EVERY_MS,
        turn: sendDue,
        onError: (error) => logger.warn({ err: error }, 'mails could not be looked for'),
      }),
  });
}
