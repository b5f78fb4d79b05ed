import { mayDo } from '@holdfast/contract/actions';
import type { ArchivedMessage, OpenedMessage } from '@holdfast/contract/archived-messages';
import type { Page } from '@holdfast/contract/paging';
import type { Database, Tx } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import { membershipIn } from '../../access/actor.ts';
import type { ContentCaller, ContentService } from '../content/index.ts';
import type { ContentAccess } from '../content-access/index.ts';
import type { Asking } from '../identity/index.ts';
import { findArchivedMailbox } from './archived-mailboxes.views.ts';
import { isMarkedPrivate } from './private-messages.store.ts';
import { holdsOnMessage, messagesPage, placementsOfMessage, wholeEnvelopes, type MessagesQuery } from './archived-messages.views.ts';

/** Who looks into which archived mailbox, and why. */
export interface LookingIn extends Asking {
  readonly tenantId: string;
  readonly mailboxId: string;
  readonly reason: string;
}

/** A message by a ticket that was given for it. */
export interface TicketedMessage {
  readonly tenantId: string;
  readonly messageId: string;
  readonly ticket: string;
}

export interface ArchivedMessagesParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly access: ContentAccess;
  readonly content: Pick<ContentService, 'message' | 'file'>;
  /** The retention policies that keep a message, the longest first; without an end while a period waits for an event. */
  policiesOf(
    tx: Tx,
    message: { readonly resourceId: string; readonly messageId: string },
  ): Promise<readonly { readonly name: string; readonly until: Date | null }[]>;
  /** The retention policies that delete it, the first that does first. */
  deletedBy(
    tx: Tx,
    message: { readonly resourceId: string; readonly messageId: string },
  ): Promise<readonly { readonly name: string; readonly from: Date | null; readonly isReviewed: boolean }[]>;
  /** Writes the look into the audit log, in the transaction that answers it. */
  record(tx: Tx, looking: LookingIn, found: { readonly mailbox: string; readonly messages: number }): Promise<void>;
}

export interface ArchivedMessagesService {
  list(looking: LookingIn, query: MessagesQuery): Promise<Page<ArchivedMessage>>;
  get(caller: ContentCaller, message: TicketedMessage): Promise<OpenedMessage>;
  /** The exact bytes, or those of one part. */
  file(
    caller: ContentCaller,
    message: TicketedMessage & { readonly part?: number },
    signal: AbortSignal,
  ): ReturnType<ContentService['file']>;
}

const placeOf = ({ tenantId, messageId: nodeId, ticket }: TicketedMessage) => ({ tenantId, nodeId, ticket });

/** The messages of archived mailboxes: content of somebody, for those alone who may open it. */
export function createArchivedMessages(parts: ArchivedMessagesParts): ArchivedMessagesService {
  const { database, clock, access, content } = parts;
  return Object.freeze<ArchivedMessagesService>({
    list: (looking, query) =>
      database.within(looking.scope, async (tx) => {
        const reach = await access.searchable(tx, looking);
        const mailbox = await findArchivedMailbox(tx, looking.tenantId, looking.mailboxId);
        if (!mailbox) throw new AppError('not-found');
        const { sourceId, locationId, name } = mailbox;
        const page =
          sourceId === null || locationId === null
            ? { items: [], nextCursor: null, total: 0 }
            : await messagesPage(tx, { sourceId, locationId }, reach, query);
        await parts.record(tx, looking, { mailbox: name, messages: page.total });
        return page;
      }),
    async get(caller, message) {
      const { actor, scope } = caller;
      const { resourceId, item, preview, headers, isVerified } = await content.message(caller, placeOf(message));
      const role = membershipIn(actor, scope.organisationId, now(clock).getTime())?.role;
      return database.within(scope, async (tx) => {
        const mailbox = await findArchivedMailbox(tx, message.tenantId, resourceId);
        // A ticket for an item of a backup is none for a message of the archive.
        if (!mailbox) throw new AppError('content.item-unknown');
        const { placements: stored } = item.properties;
        const placements = placementsOfMessage(stored, role === 'auditor' ? await wholeEnvelopes(tx, stored) : undefined);
        const policies = await parts.policiesOf(tx, { resourceId, messageId: item.key });
        const deletedBy = await parts.deletedBy(tx, { resourceId, messageId: item.key });
        return {
          messageId: item.key,
          mailbox: { mailboxId: mailbox.mailboxId, name: mailbox.name, email: mailbox.email },
          sizeBytes: item.sizeBytes,
          // A message is its hash: another one's bytes are not this message, however whole they are.
          isVerified: isVerified && item.contents.find(({ role }) => role === 'mime')?.ref.sha256 === item.key,
          isReconstructed: item.properties['reconstructed'] === true,
          archivedAt: placements[0]?.capturedAt ?? null,
          headers: headers.map(([name, value]) => ({ name, value })),
          content: preview,
          placements,
          keptUntil: policies[0]?.until?.toISOString() ?? null,
          policies: policies.map(({ name, until }) => ({ name, until: until?.toISOString() ?? null })),
          deletedBy: deletedBy.map(({ name, from, isReviewed }) => ({ name, from: from?.toISOString() ?? null, isReviewed })),
          isPrivate: await isMarkedPrivate(tx, { resourceId, messageId: item.key }),
          isOwn: await access.owns(tx, { actor, scope, tenantId: message.tenantId }, resourceId),
          holds: await holdsOnMessage(tx, { resourceId, key: item.key }, role !== undefined && mayDo(role, 'deletion.manage')),
        };
      });
    },
    file: (caller, { part, ...message }, signal) =>
      content.file(caller, { ...placeOf(message), ...(part === undefined ? {} : { attachment: part }) }, signal),
  });
}
