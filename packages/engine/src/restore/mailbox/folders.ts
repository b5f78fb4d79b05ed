import { isGraphError } from '@holdfast/m365';
import type { ItemVersion } from '../../ports/item.ts';
import type { PlacedContainer, RestoreContext } from '../restorer.ts';
import { oncePerKey } from '../../pipeline/once-per-key.ts';

const ROOT = 'msgfolderroot';

/** Finds or makes mail folders at the target; each is looked up once. */
export interface TargetFolders {
  place(item: ItemVersion, parent: PlacedContainer | undefined): Promise<PlacedContainer>;
}

/** `:` and `/` are no part of folder names that people type as paths; they are kept, the service takes them. */
function sameName(a: string | null | undefined, b: string): boolean {
  return (a ?? '').trim().toLowerCase() === b.trim().toLowerCase();
}

export function createTargetFolders(context: RestoreContext): TargetFolders {
  const { request, graph, isOriginal, beginnings } = context;
  const { mail } = graph.exchange;
  const userId = request.target.resource.graphId;
  const children = oncePerKey(listChildren);
  let top: Promise<string> | undefined;

  async function listChildren(parentId: string): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    for await (const folder of mail.folders({ userId }, { folderId: parentId }))
      found.set((folder.displayName ?? '').trim().toLowerCase(), folder.id);
    return found;
  }

  async function exists(folderId: string): Promise<{ readonly id: string; readonly displayName?: string | null } | undefined> {
    try {
      return await mail.folder({ userId, folderId });
    } catch (error) {
      if (isGraphError(error, 'graph.folder-gone', 'graph.item-gone', 'graph.bad-request')) return undefined;
      throw error;
    }
  }

  async function ensureChild(parentId: string, name: string, isHidden: boolean): Promise<PlacedContainer> {
    const siblings = await children.of(parentId);
    const key = name.trim().toLowerCase();
    const known = siblings.get(key);
    if (known !== undefined) return { outcome: 'skipped', targetId: known };
    try {
      const made = await mail.createFolder({ userId, folderId: parentId }, { displayName: name, ...(isHidden ? { isHidden } : {}) });
      siblings.set(key, made.id);
      await beginnings.wrote({
        key: `folder ${made.id}`,
        kind: 'mailFolder',
        name,
        targetId: made.id,
        place: parentId,
        mark: made.displayName ?? name,
      });
      return { outcome: 'restored', targetId: made.id };
    } catch (error) {
      if (!isGraphError(error, 'graph.name-taken')) throw error;
      children.forget(parentId);
      const taken = (await children.of(parentId)).get(key);
      if (taken === undefined) throw error;
      return { outcome: 'skipped', targetId: taken };
    }
  }

  async function rootId(): Promise<string> {
    const { folder } = request.target;
    if (folder === undefined) return ROOT;
    let current = ROOT;
    for (const name of folder.split('/').filter((part) => part.trim() !== '')) current = (await ensureChild(current, name, false)).targetId;
    return current;
  }

  async function findOriginal(item: ItemVersion): Promise<string | undefined> {
    const wellKnown = item.properties['wellKnown'];
    if (typeof wellKnown === 'string') return (await exists(wellKnown))?.id;
    if (!isOriginal) return undefined;
    const same = await exists(item.key);
    return same && sameName(same.displayName, item.name) ? same.id : undefined;
  }

  return {
    async place(item, parent) {
      top ??= rootId();
      if (item.kind === 'area') return { outcome: 'skipped', targetId: await top };
      if (request.target.folder === undefined) {
        const original = await findOriginal(item);
        if (original !== undefined) return { outcome: 'skipped', targetId: original };
      }
      return ensureChild(parent?.targetId ?? (await top), item.name, item.properties['isHidden'] === true);
    },
  };
}
