import type { Database, Scope, Tx } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import type { Logger } from '@holdfast/foundation/logger';
import { repeat } from '@holdfast/foundation/repeating';
import type { AuditInbox } from '../audit/index.ts';
import { timeZoneOf } from '../organisations/index.ts';
import { changeReceiver, type ReceiverRow } from './receivers.store.ts';
import { isSilent } from './silence.policy.ts';

export interface SilenceParts {
  readonly database: Database;
  readonly audit: AuditInbox;
  readonly clock: Clock;
  readonly logger: Logger;
  scopes(): Promise<readonly Scope[]>;
  /** Mails owners and administrators. */
  silent(tx: Tx, scope: Scope, news: { readonly name: string; readonly since: Date }): Promise<void>;
}

/** Watches that journal mail keeps arriving. */
export interface SilenceWatch {
  turn(): Promise<void>;
  start(): () => Promise<void>;
}

const EVERY_MS = 15_000;

const note = ({ audit }: SilenceParts, tx: Tx, row: ReceiverRow, event: 'alarms.journal-silent' | 'receivers.recovered'): Promise<void> =>
  audit.record(tx, {
    event,
    outcome: event === 'receivers.recovered' ? 'succeeded' : 'failed',
    actor: { kind: 'system', name: 'receivers' },
    subject: { kind: 'receiver', id: row.receiver_id, name: row.name },
  });

const hasMailSince = ({ last_received_at: last, watched_since: watched }: ReceiverRow, silentSince: Date): boolean =>
  Math.max(last?.getTime() ?? 0, watched.getTime()) > silentSince.getTime();

/** Raises the alarm of one receiver once, and ends it by itself with the next mail. */
async function watch(
  parts: SilenceParts,
  tx: Tx,
  scope: Scope,
  { row, zone }: { readonly row: ReceiverRow; readonly zone: string },
): Promise<void> {
  const at = now(parts.clock);
  if (row.silent_since) {
    if (row.is_enabled && !hasMailSince(row, row.silent_since)) return;
    await changeReceiver(tx, row.receiver_id, { silent_since: null });
    if (row.is_enabled) await note(parts, tx, row, 'receivers.recovered');
    return;
  }
  if (!row.is_enabled || !isSilent(row, { nowMs: at.getTime(), zone })) return;
  await changeReceiver(tx, row.receiver_id, { silent_since: at });
  await note(parts, tx, row, 'alarms.journal-silent');
  await parts.silent(tx, scope, { name: row.name, since: row.last_received_at ?? row.watched_since });
}

export function createSilenceWatch(parts: SilenceParts): SilenceWatch {
  const { database, clock, logger } = parts;

  async function turn(): Promise<void> {
    for (const scope of await parts.scopes()) {
      await database.within(scope, async (tx) => {
        const rows = await tx.selectFrom('receivers').selectAll().orderBy('receiver_id').forUpdate().skipLocked().execute();
        if (rows.length === 0) return;
        const zone = await timeZoneOf(tx);
        for (const row of rows) await watch(parts, tx, scope, { row, zone });
      });
    }
  }

  const onError = (error: unknown): void => logger.warn({ err: error }, 'the silence of receivers could not be watched');
  return Object.freeze<SilenceWatch>({ turn, start: () => repeat({ clock, everyMs: EVERY_MS, turn, onError }) });
}
