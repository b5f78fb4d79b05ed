import type { Body } from '@holdfast/m365';
import { keptInPlace } from '../kept-in-place.ts';
import type { ItemVersion } from '../../ports/item.ts';
import { contentOf, readJson, type ItemOutcome, type PlacedContainer, type RestoreContext } from '../restorer.ts';
import { createContactFolders } from './contact-folders.ts';
import { textOf } from '../../pipeline/text.ts';

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
  return `${textOf(contact['displayName']).toLowerCase()}|${(first?.address ?? '').toLowerCase()}`;
}

/** Puts contact folders and contacts back, photos included. */
export function createContactRestorer(context: RestoreContext) {
  const { request, graph, reader } = context;
  const { contacts } = graph.exchange;
  const userId = request.target.resource.graphId;
  const existing = new Map<string, Promise<Map<string, { readonly id: string; readonly modifiedAt: string }>>>();
  const folders = createContactFolders(context);

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

  async function setPhoto(item: ItemVersion, contactId: string): Promise<void> {
    const photo = contentOf(item, 'photo');
    if (!photo) return;
    const bytes = await reader.readAll(photo.ref, PHOTO_LIMIT);
    await contacts.setContactPhoto({ userId, contactId }, { bytes, contentType: photo.mediaType ?? 'image/jpeg' });
  }

  async function restore(item: ItemVersion, parent: PlacedContainer): Promise<ItemOutcome> {
    const folderId = parent.targetId;
    const stored = await readJson(context, item);
    const known = await contactsOf(folderId);
    const old = request.collisions === 'keepBoth' ? undefined : (known.get(item.key) ?? known.get(identity(stored)));
    const kept = old && keptInPlace(request, item, old);
    if (kept) return kept;
    const made = await contacts.createContact({ userId, folderId }, writable(stored, READ_ONLY));
    await setPhoto(item, made.id);
    if (old) await contacts.deleteContact({ userId, contactId: old.id });
    return { outcome: old ? 'replaced' : 'restored', targetId: made.id, bytes: item.sizeBytes };
  }

  return {
    place: (item: ItemVersion, parent: PlacedContainer | undefined) => folders.place(item, parent),
    restore,
    async collides(item: ItemVersion): Promise<boolean> {
      if (!context.isOriginal || item.parentKey === null) return false;
      return (await contactsOf(item.parentKey)).has(item.key);
    },
  };
}
