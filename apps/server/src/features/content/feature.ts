import type { Database, Scope, Tx } from '@holdfast/database';
import { createItemReader, type Catalog } from '@holdfast/engine';
import type { Clock } from '@holdfast/foundation/clock';
import type { Ids } from '@holdfast/foundation/ids';
import type { Previewer } from '@holdfast/previews';
import { createDocumentReader } from '@holdfast/words';
import { inEachRealm } from '../../http/in-each-realm.ts';
import type { Feature } from '../../platform/feature.ts';
import type { AuditInbox } from '../audit/index.ts';
import type { Vaults } from '../../storage/index.ts';
import { noteOf, type ContentAccess } from '../content-access/index.ts';
import { createContentTicketsStore } from './content-tickets.store.ts';
import { createContentRoutes } from './content.routes.ts';
import { createConversationsService, type ConversationOpening } from './conversations.service.ts';
import { linkedFiles } from './linked-files.ts';
import { createContentService, type ContentCaller, type ContentService, type Opening, type TakenAttachment } from './content.service.ts';

export interface ContentPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly vaults: Vaults;
  readonly audit: AuditInbox;
  readonly contentAccess: ContentAccess;
  readonly previewer: Pick<Previewer, 'page'>;
  catalogOf(scope: Scope, locationId: string): Catalog;
  /** Tells whose content was opened, in the transaction of the opening. */
  readonly contentOpened: (tx: Tx, scope: Scope, opening: ContentOpening) => Promise<void>;
}

interface ContentOpening {
  readonly content: { readonly by: 'resource'; readonly value: string };
  readonly reader: ContentCaller['actor'];
  readonly reason: string;
}

function recordIn({ audit, contentOpened }: ContentPorts) {
  async function note(
    tx: Tx,
    { actor, request, scope }: ContentCaller,
    event: 'content.opened' | 'content.conversation-opened',
    { item, resourceName, reason, ground, ...more }: Opening & { readonly messages?: number },
  ): Promise<void> {
    await contentOpened(tx, scope, { content: { by: 'resource', value: item.resourceId }, reader: actor, reason });
    await audit.record(tx, {
      event,
      actor: { kind: 'account', id: actor.accountId, name: actor.email, address: request.address, requestId: request.id },
      subject: { kind: 'item', id: item.itemKey, name: resourceName },
      reason,
      details: { resourceId: item.resourceId, sequence: item.sequence, ...more, ...noteOf(ground) },
    });
  }
  return Object.freeze({
    /** Its reason is that of the opening before it. */
    attachment: (tx: Tx, { actor, request }: ContentCaller, { item, ground }: TakenAttachment) =>
      audit.record(tx, {
        event: 'auditor-access.attachment-taken',
        actor: { kind: 'account', id: actor.accountId, name: actor.email, address: request.address, requestId: request.id },
        subject: { kind: 'item', id: item.itemKey },
        details: { resourceId: item.resourceId, sequence: item.sequence, ...noteOf(ground) },
      }),
    item: (tx: Tx, caller: ContentCaller, opening: Opening) => note(tx, caller, 'content.opened', opening),
    conversation: (tx: Tx, caller: ContentCaller, { place, frame, reason, ground }: ConversationOpening) =>
      note(tx, caller, 'content.conversation-opened', {
        item: { resourceId: place.resourceId, itemKey: place.key, sequence: place.version },
        resourceName: place.resourceName,
        reason,
        ground,
        messages: frame.messages.length,
      }),
  });
}

export interface ContentFeature extends Feature {
  /** For what shows items in a way of its own, by the same tickets. */
  readonly reading: Pick<ContentService, 'message' | 'file' | 'ticketed' | 'words'>;
}

export function createContentFeature(ports: ContentPorts): ContentFeature {
  const { database, clock, contentAccess: access } = ports;
  const items = createItemReader(clock);
  const documents = createDocumentReader({ clock });
  const record = recordIn(ports);
  const conversations = createConversationsService({ ...ports, access, record: record.conversation });
  const content = createContentService({
    ...ports,
    store: createContentTicketsStore(database),
    items,
    documents,
    access,
    record: record.item,
    recordAttachment: record.attachment,
    links: (tx, caller, item) => linkedFiles(access, tx, caller, item),
  });
  return Object.freeze<ContentFeature>({
    reading: content,
    mount: (app) => inEachRealm((realm) => createContentRoutes(app, { content, conversations }, realm)),
    async close() {
      await Promise.all([items.close(), documents.close()]);
    },
  });
}
