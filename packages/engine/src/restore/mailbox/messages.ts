import { crashPoint } from '@holdfast/foundation/crash-point';
import { isGraphError, type MailFolderRef, type MessageEntry } from '@holdfast/m365';
import type { MimeParser } from '../../mime/mime-parser.ts';
import type { ItemVersion } from '../../ports/item.ts';
import type { ItemOutcome, PlacedContainer, RestoreContext } from '../restorer.ts';
import { createExistingMessages } from './existing-messages.ts';
import { createMessageMaker } from './make-message.ts';

/** Puts messages back, one at a time each; several may run beside each other. */
export function createMessageRestorer(context: RestoreContext, parser: MimeParser) {
  const { request, graph, pointAt } = context;
  const { mail } = graph.exchange;
  const userId = request.target.resource.graphId;
  const existing = createExistingMessages(mail, userId);
  const { create } = createMessageMaker(context, parser, existing);

  async function isExistingNewer(entry: MessageEntry): Promise<boolean> {
    const { lastModifiedDateTime } = await mail.message({ userId, messageId: entry.id });
    return Date.parse(lastModifiedDateTime ?? '') > Date.parse(pointAt);
  }

  function isSame(entry: MessageEntry, item: ItemVersion): boolean {
    return entry.id === item.key && entry.changeKey !== undefined && entry.changeKey === item.properties['changeKey'];
  }

  /** The new one is whole before the old one goes; a kill between them leaves both. */
  async function replace(folder: MailFolderRef, item: ItemVersion, old: MessageEntry): Promise<ItemOutcome> {
    const made = await create(folder, item);
    await crashPoint('restore.before-delete');
    try {
      await mail.deleteMessage({ userId, messageId: old.id });
    } catch (error) {
      if (!isGraphError(error, 'graph.item-gone')) throw error;
    }
    await crashPoint('restore.after-delete');
    return { outcome: 'replaced', targetId: made.id, differences: made.differences, bytes: item.sizeBytes };
  }

  async function decide(folder: MailFolderRef, item: ItemVersion, old: MessageEntry): Promise<ItemOutcome> {
    if (request.collisions === 'skip') return { outcome: 'skipped', targetId: old.id, code: 'restore.exists' };
    if (isSame(old, item)) return { outcome: 'skipped', targetId: old.id, code: 'restore.identical' };
    if (request.collisions === 'newerWins' && (await isExistingNewer(old))) {
      return { outcome: 'skipped', targetId: old.id, code: 'restore.existing-newer' };
    }
    return replace(folder, item, old);
  }

  return {
    async restore(item: ItemVersion, parent: PlacedContainer): Promise<ItemOutcome> {
      const folder = { userId, folderId: parent.targetId };
      const old = request.collisions === 'keepBoth' ? undefined : await existing.find(parent.targetId, item);
      if (old) return decide(folder, item, old);
      const made = await create(folder, item);
      return { outcome: 'restored', targetId: made.id, differences: made.differences, bytes: item.sizeBytes };
    },
    async collides(item: ItemVersion): Promise<boolean> {
      if (!context.isOriginal || item.parentKey === null) return false;
      try {
        return (await existing.find(item.parentKey, item)) !== undefined;
      } catch (error) {
        if (isGraphError(error, 'graph.folder-gone', 'graph.item-gone')) return false;
        throw error;
      }
    },
  };
}
