import type { Conversation } from '@holdfast/contract/content';
import type { Database, Scope, Tx } from '@holdfast/database';
import { saidMessage, type Catalog } from '@holdfast/engine';
import type { ContentAccess } from '../content-access/index.ts';
import type { ContentCaller } from './content.service.ts';
import type { WantedItem } from './content-tickets.store.ts';
import { conversationOf, readConversation, type FoundConversation, type ReadMessageOf } from './conversation.ts';

/** Who opened which conversation, and why. */
export interface ConversationOpening extends FoundConversation {
  readonly reason: string;
}

interface ConversationsParts {
  readonly database: Database;
  readonly access: Pick<ContentAccess, 'requireAround'>;
  catalogOf(scope: Scope, locationId: string): Catalog;
  /** Writes the opening into the audit log, before anything of it is read. */
  record(tx: Tx, caller: ContentCaller, opening: ConversationOpening): Promise<void>;
}

/** Shows messages of chats and channels with what was said around them. */
export interface ConversationsService {
  open(caller: ContentCaller, wanted: WantedItem & { readonly reason: string }): Promise<Conversation>;
}

function shownOf({ framed, item }: ReadMessageOf): Conversation['messages'][number] {
  const { isDeleted, attachments, ...said } = saidMessage(item);
  const { key: nodeId, isHit, isRemoved } = framed;
  return { nodeId, isHit, isReply: item.kind === 'reply', ...said, attachments: [...attachments], isDeleted: isDeleted || isRemoved };
}

export function createConversationsService(parts: ConversationsParts): ConversationsService {
  const { database, access } = parts;
  return Object.freeze<ConversationsService>({
    async open(caller, { reason, ...wanted }) {
      const { actor, scope } = caller;
      const { place, frame } = await database.within(scope, async (tx) => {
        const found = await conversationOf(tx, wanted, {
          action: 'read',
          require: (within, around) => access.requireAround(within, { actor, scope, tenantId: wanted.tenantId }, around),
        });
        await parts.record(tx, caller, { ...found, reason });
        return found;
      });
      const { messages, gaps, ...same } = frame;
      const read = await readConversation(parts.catalogOf(scope, place.locationId), place.resourceId, { messages });
      return { ...same, gaps: [...gaps], messages: read.map(shownOf) };
    },
  });
}
