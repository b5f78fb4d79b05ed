import type { AuditInbox } from '../audit/index.ts';
import type { OnErased } from '../../storage/index.ts';

/**
 * Writes each erasure into the audit log, in its transaction. The hash of the segment is the subject: it attests the names of
 * what was erased. Rebuilding a catalog repeats erasures that the log already has.
 */
export function recordErasures(audit: AuditInbox): OnErased {
  return async (tx, { resourceId, sequence, hash, items, why }) => {
    const known = await tx.selectFrom('audit_events').select('sequence').where('subject_id', '=', hash).limit(1).execute();
    if (known.length > 0) return;
    await audit.record(tx, {
      event: 'archive.erased',
      actor: { kind: 'worker', name: 'worker' },
      subject: { kind: 'erasure', id: hash },
      reason: why.reason,
      details: {
        resourceId,
        sequence,
        messages: items,
        deletionId: why.deletionId,
        basis: why.basis,
        requester: why.requester,
        approver: why.approver,
      },
    });
  };
}
