import type { Database } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import type { AuditInbox } from '../audit/index.ts';
import type { ContentCaller, ContentService } from '../content/index.ts';
import type { ContentAccess } from '../content-access/index.ts';
import { actorEntry } from '../organisations/index.ts';
import { findArchivedMailbox } from './archived-mailboxes.views.ts';
import type { TicketedMessage } from './archived-messages.service.ts';
import { markPrivate } from './private-messages.store.ts';

export interface PrivateMessagesParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly audit: AuditInbox;
  readonly access: ContentAccess;
  readonly content: Pick<ContentService, 'ticketed'>;
}

/** What the owner of a mailbox keeps from everybody who opens it on a role or a proxy right. */
export interface PrivateMessages {
  mark(caller: ContentCaller, message: TicketedMessage, isPrivate: boolean): Promise<{ isPrivate: boolean }>;
}

export function createPrivateMessages({ database, clock, audit, access, content }: PrivateMessagesParts): PrivateMessages {
  return Object.freeze<PrivateMessages>({
    async mark(caller, { tenantId, messageId, ticket }, isPrivate) {
      const { actor, scope } = caller;
      const { resourceId } = await content.ticketed(caller, { tenantId, nodeId: messageId, ticket });
      return database.within(scope, async (tx) => {
        if (!(await access.owns(tx, { actor, scope, tenantId }, resourceId))) throw new AppError('archive.not-your-mailbox');
        const mailbox = await findArchivedMailbox(tx, tenantId, resourceId);
        const mark = { isPrivate, accountId: actor.accountId, at: now(clock) };
        if (await markPrivate(tx, { resourceId, messageId }, mark)) {
          await audit.record(tx, {
            event: isPrivate ? 'archive.marked-private' : 'archive.private-ended',
            actor: actorEntry(actor, { address: caller.request.address, requestId: caller.request.id }),
            subject: { kind: 'item', id: messageId, name: mailbox?.name ?? '' },
          });
        }
        return { isPrivate };
      });
    },
  });
}
