import { treeOver, leafHash, type AuditInbox } from '../audit/index.ts';
import type { OnCaptured } from '../../storage/index.ts';

/** The tree over the hashes of messages that were captured together. */
export const captureTree = (messages: readonly string[]) => treeOver(messages.map((message) => leafHash(Buffer.from(message, 'hex'))));

/**
 * Writes each capture into the audit log, in its transaction: the root of the tree over its messages is the subject of the
 * event, so that it is in the leaf and no erasure of personal data takes it away. Rebuilding a catalog
 * repeats captures that the log already has.
 */
export function recordCaptures(audit: AuditInbox): OnCaptured {
  return async (tx, { resourceId, sourceId, sequence, messages }) => {
    if (messages.length === 0) return;
    const root = captureTree(messages).root.toString('hex');
    const known = await tx.selectFrom('audit_events').select('sequence').where('subject_id', '=', root).limit(1).execute();
    if (known.length > 0) return;
    await audit.record(tx, {
      event: 'archive.captured',
      actor: { kind: 'worker', name: 'worker' },
      subject: { kind: 'capture', id: root },
      details: { resourceId, sourceId, sequence, messages: messages.length },
    });
  };
}
