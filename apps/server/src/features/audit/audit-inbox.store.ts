import type { Tx } from '@holdfast/database';
import type { Clock } from '@holdfast/foundation/clock';
import { now } from '@holdfast/foundation/clock';
import type { Ids } from '@holdfast/foundation/ids';
import { payloadOf, type AuditEntry } from './audit-entry.ts';

/** Writes events into the transaction of the change they tell of: both are there, or neither. */
export interface AuditInbox {
  record(tx: Tx, entry: AuditEntry): Promise<void>;
}

export function createAuditInbox(options: { readonly clock: Clock; readonly ids: Ids }): AuditInbox {
  return Object.freeze<AuditInbox>({
    async record(tx, entry) {
      await tx
        .insertInto('audit_inbox')
        .values({
          id: options.ids.uuid(),
          at: now(options.clock),
          event: entry.event,
          outcome: entry.outcome ?? 'succeeded',
          subject_kind: entry.subject?.kind ?? null,
          subject_id: entry.subject?.id ?? null,
          payload: JSON.stringify(payloadOf(entry)),
        })
        .execute();
    },
  });
}
