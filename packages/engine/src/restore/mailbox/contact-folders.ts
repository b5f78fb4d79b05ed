import type { ItemVersion } from '../../ports/item.ts';
import type { PlacedContainer, RestoreContext } from '../restorer.ts';
import { oncePerKey } from '../../pipeline/once-per-key.ts';

/** Finds or makes contact folders; the default folder is the one that the target has. */
export function createContactFolders(context: RestoreContext) {
  const { request, graph, beginnings } = context;
  const { contacts } = graph.exchange;
  const userId = request.target.resource.graphId;
  /** By the parent's id; the empty one is the top. */
  const folders = oncePerKey(listFolders);

  async function listFolders(parentId: string): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    const parent = parentId === '' ? undefined : { folderId: parentId };
    for await (const folder of contacts.contactFolders({ userId }, parent)) found.set((folder.displayName ?? '').toLowerCase(), folder.id);
    return found;
  }

  async function ensureFolder(name: string, parentId: string | undefined): Promise<PlacedContainer> {
    const siblings = await folders.of(parentId ?? '');
    const known = siblings.get(name.toLowerCase());
    if (known !== undefined) return { outcome: 'skipped', targetId: known };
    const parent = parentId === undefined ? { userId } : { userId, folderId: parentId };
    const made = await contacts.createContactFolder(parent, { displayName: name });
    siblings.set(name.toLowerCase(), made.id);
    await beginnings.wrote({ key: `folder ${made.id}`, kind: 'contactFolder', name, targetId: made.id, place: parentId ?? '', mark: name });
    return { outcome: 'restored', targetId: made.id };
  }

  return {
    async place(item: ItemVersion, parent: PlacedContainer | undefined): Promise<PlacedContainer> {
      const parentId = parent?.targetId === '' ? undefined : parent?.targetId;
      const { folder } = request.target;
      if (item.kind === 'area')
        return folder === undefined ? { outcome: 'skipped', targetId: '' } : ensureFolder(folder.replaceAll('/', ' '), undefined);
      if (item.properties['isDefault'] === true && folder === undefined) {
        const standard = await contacts.defaultContactFolderId({ userId });
        if (standard !== undefined) return { outcome: 'skipped', targetId: standard };
        return { outcome: 'skipped', targetId: context.isOriginal ? item.key : 'contacts' };
      }
      return ensureFolder(item.name, parentId);
    },
  };
}
