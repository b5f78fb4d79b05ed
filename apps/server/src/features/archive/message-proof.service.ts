import type { MessageProof } from '@holdfast/contract/message-proof';
import type { Database } from '@holdfast/database';
import { AppError } from '@holdfast/foundation/errors';
import { once } from '@holdfast/foundation/streams';
import type { Download } from '../../http/context.ts';
import type { AuditService } from '../audit/index.ts';
import type { ContentCaller, ContentService } from '../content/index.ts';
import { findArchivedMailbox } from './archived-mailboxes.views.ts';
import type { TicketedMessage } from './archived-messages.service.ts';
import { captureTree } from './capture-log.ts';
import { capturedWith } from './captures.views.ts';

export interface MessageProofParts {
  readonly database: Database;
  readonly content: Pick<ContentService, 'message'>;
  readonly proofs: Pick<AuditService, 'proofAbout'>;
}

/** Proofs of single messages, as files that are checked without this product. */
export interface MessageProofs {
  proof(caller: ContentCaller, message: TicketedMessage): Promise<Download>;
}

export function createMessageProofs({ database, content, proofs }: MessageProofParts): MessageProofs {
  async function proofOf(caller: ContentCaller, { tenantId, messageId, ticket }: TicketedMessage): Promise<MessageProof> {
    const { scope } = caller;
    const { resourceId } = await content.message(caller, { tenantId, nodeId: messageId, ticket });
    const messages: readonly string[] = await database.within(scope, async (tx) => {
      const mailbox = await findArchivedMailbox(tx, tenantId, resourceId);
      if (!mailbox) throw new AppError('content.item-unknown');
      return mailbox.sourceId === null ? [] : capturedWith(tx, mailbox.sourceId, messageId);
    });
    const tree = captureTree(messages);
    const root = tree.root.toString('hex');
    const found = messages.length === 0 ? undefined : await proofs.proofAbout(scope, 'archive.captured', root);
    if (!found) throw new AppError('archive.no-proof');
    const at = messages.indexOf(messageId);
    const { sequence, at: time, event, outcome, subject_kind: subjectKind, subject_id: subjectId, payload_hash } = found.event;
    return {
      version: 1,
      message: messageId,
      capture: { at, of: messages.length, path: (await tree.path(at)).map((hash) => hash.toString('hex')), root },
      event: {
        sequence,
        at: time.toISOString(),
        organisationId: scope.organisationId,
        realm: scope.realm,
        event,
        outcome,
        subjectKind,
        subjectId,
        payloadHash: payload_hash.toString('hex'),
      },
      log: { path: found.path, checkpoint: found.checkpoint },
      ...(found.stamp && {
        timestamp: {
          at: found.stamp.stampedAt.toISOString(),
          authority: found.stamp.authority,
          token: found.stamp.token.toString('base64'),
        },
      }),
      publicKey: found.publicKey,
    };
  }

  return Object.freeze<MessageProofs>({
    async proof(caller, message) {
      const bytes = Buffer.from(`${JSON.stringify(await proofOf(caller, message), null, 2)}\n`);
      return {
        fileName: `proof-${message.messageId.slice(0, 16)}.json`,
        mediaType: 'application/json',
        sizeBytes: bytes.byteLength,
        content: once(bytes),
      };
    },
  });
}
