import type { Body } from '@holdfast/m365';
import type { ItemVersion } from '../../ports/item.ts';
import { contentOf, readJson, type ItemOutcome, type PlacedContainer, type RestoreContext } from '../restorer.ts';

/** What the service sets itself. */
const READ_ONLY = new Set(['id', 'changeKey', 'createdDateTime', 'lastModifiedDateTime', 'parentFolderId', 'photo']);
const PHOTO_LIMIT = 16 * 1024 * 1024;

/** A stored object without what the service sets itself or does not take. */
export function writable(stored: Readonly<Record<string, unknown>>, readOnly: ReadonlySet<string>): Body {
  const entries = Object.entries(stored).filter(([name, value]) => !readOnly.has(name) && !name.includes('@') && value !== null);
  return Object.fromEntries(entries);
}

function identity(contact: Readonly<Record<string, unknown>>): string {
  const [first] = (contact['emailAddresses'] ?? []) as readonly { readonly address?: string }[];
  return `${String(contact['displayName'] ?? '').toLowerCase()}|${(first?.address ?? '').toLowerCase()}`;
}

/** Puts contact folders and contacts back, photos included. */
export function createContactRestorer(context: RestoreContext) {
  const { request, graph, reader } = context;
  const { contacts } = graph.exchange;
  const userId = request.target.resource.graphId;
  const existing = new Map<string, Promise<Map<string, { readonly id: string; readonly modifiedAt: string }>>>();
  const folders = new Map<string, Promise<Map<string, string>>>();

  async function listContacts(folderId: string) {
    const found = new Map<string, { readonly id: string; readonly modifiedAt: string }>();
    for await (const contact of contacts.contacts({ userId, folderId })) {
      const entry = { id: contact.id, modifiedAt: contact.lastModifiedDateTime ?? '' };
      found.set(identity({ ...contact }), entry);
      found.set(contact.id, entry);
    }
    return found;
  }

  function contactsOf(folderId: string) {
    let list = existing.get(folderId);
    if (!list) {
      list = listContacts(folderId);
      existing.set(folderId, list);
    }
    return list;
  }

  async function listFolders(parentId: string | undefined): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    const parent = parentId === undefined ? undefined : { folderId: parentId };
    for await (const folder of contacts.contactFolders({ userId }, parent)) found.set((folder.displayName ?? '').toLowerCase(), folder.id);
    return found;
  }

  async function ensureFolder(name: string, parentId: string | undefined): Promise<PlacedContainer> {
    const at = parentId ?? '';
    let list = folders.get(at);
    if (!list) {
      list = listFolders(parentId);
      folders.set(at, list);
    }
    const siblings = await list;
    const known = siblings.get(name.toLowerCase());
    if (known !== undefined) return { outcome: 'skipped', targetId: known };
    const parent = parentId === undefined ? { userId } : { userId, folderId: parentId };
    const made = await contacts.createContactFolder(parent, { displayName: name });
    siblings.set(name.toLowerCase(), made.id);
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
    async restore(item: ItemVersion, parent: PlacedContainer): Promise<ItemOutcome> {
      const folderId = parent.targetId;
      const stored = await readJson(context, item);
      const known = await contactsOf(folderId);
      const old = request.collisions === 'keepBoth' ? undefined : (known.get(item.key) ?? known.get(identity(stored)));
      if (old && request.collisions === 'skip') return { outcome: 'skipped', targetId: old.id, code: 'restore.exists' };
      if (old && request.collisions === 'newerWins' && Date.parse(old.modifiedAt) > Date.parse(item.modifiedAt ?? '')) {
        return { outcome: 'skipped', targetId: old.id, code: 'restore.existing-newer' };
      }
      const made = await contacts.createContact({ userId, folderId }, writable(stored, READ_ONLY));
      const photo = contentOf(item, 'photo');
      if (photo) {
        const bytes = await reader.readAll(photo.ref, PHOTO_LIMIT);
        await contacts.setContactPhoto({ userId, contactId: made.id }, { bytes, contentType: photo.mediaType ?? 'image/jpeg' });
      }
      if (old) await contacts.deleteContact({ userId, contactId: old.id });
      return { outcome: old ? 'replaced' : 'restored', targetId: made.id, bytes: item.sizeBytes };
    },
    async collides(item: ItemVersion): Promise<boolean> {
      if (!context.isOriginal || item.parentKey === null) return false;
      return (await contactsOf(item.parentKey)).has(item.key);
    },
  };
}
