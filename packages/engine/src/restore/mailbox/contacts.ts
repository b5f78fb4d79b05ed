import type { Body } from '@holdfast/m365';
import { unlessGone } from '../attempt.ts';
import { keptInPlace } from '../kept-in-place.ts';
import type { ItemVersion, Json, JsonObject } from '../../ports/item.ts';
import { contentOf, readJson, writtenOf, type ItemOutcome, type PlacedContainer, type RestoreContext } from '../restorer.ts';
import { createContactFolders } from './contact-folders.ts';
import { canonicalJson } from '../../shared/canonical.ts';
import { textOf } from '../../pipeline/text.ts';
import { addTo, createTwins, without } from '../twins.ts';
import { oncePerKey } from '../../pipeline/once-per-key.ts';

/** What the service sets itself. */
const READ_ONLY = new Set(['id', 'changeKey', 'createdDateTime', 'lastModifiedDateTime', 'parentFolderId', 'photo']);
const PHOTO_LIMIT = 16 * 1024 * 1024;

/** A stored object without what the service sets itself or does not take. */
export function writable(stored: Readonly<Record<string, unknown>>, readOnly: ReadonlySet<string>): Body {
  const entries = Object.entries(stored).filter(([name, value]) => !readOnly.has(name) && !name.includes('@') && value !== null);
  return Object.fromEntries(entries);
}

/** Name and address; of who has neither, everything that is known. */
function identity(contact: Readonly<Record<string, unknown>>): string {
  const [first] = (contact['emailAddresses'] ?? []) as readonly { readonly address?: string }[];
  const name = textOf(contact['displayName']).toLowerCase();
  const address = (first?.address ?? '').toLowerCase();
  return name === '' && address === '' ? canonicalJson(writable(contact, READ_ONLY) as unknown as Json) : `${name}|${address}`;
}

interface Existing {
  readonly id: string;
  readonly modifiedAt: string;
  readonly changeKey: string;
}

/** The contacts of a folder, by id and by who they are. */
interface ExistingContacts {
  readonly known: ReadonlyMap<string, Existing>;
  readonly alike: ReadonlyMap<string, readonly Existing[]>;
}

/** Puts contact folders and contacts back, photos included. */
export function createContactRestorer(context: RestoreContext) {
  const { request, graph, reader, beginnings } = context;
  const { contacts } = graph.exchange;
  const userId = request.target.resource.graphId;
  const existing = oncePerKey(listContacts);
  const twins = createTwins(context);
  const folders = createContactFolders(context);

  async function listContacts(folderId: string): Promise<ExistingContacts> {
    const known = new Map<string, Existing>();
    const alike = new Map<string, Existing[]>();
    for await (const contact of contacts.contacts({ userId, folderId })) {
      const entry = { id: contact.id, modifiedAt: contact.lastModifiedDateTime ?? '', changeKey: contact.changeKey ?? '' };
      known.set(contact.id, entry);
      addTo(alike, identity({ ...contact }), entry);
    }
    return { known, alike };
  }

  /** The contacts of a folder that are the same by what they say. */
  async function like(stored: JsonObject, folderId: string): Promise<readonly Existing[]> {
    return (await existing.of(folderId)).alike.get(identity(stored)) ?? [];
  }

  async function existingContact(item: ItemVersion, folderId: string, there: readonly Existing[]): Promise<Existing | undefined> {
    return (await existing.of(folderId)).known.get(item.key) ?? twins.find(there);
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
    const there = await like(stored, folderId);
    const left = await beginnings.leftOf(item.key, there);
    const old = request.collisions === 'keepBoth' ? undefined : await existingContact(item, folderId, without(there, left));
    const kept = old && keptInPlace(request, item, old);
    if (kept) return kept;
    await beginnings.begin(item.key, there);
    const made = await contacts.createContact({ userId, folderId }, writable(stored, READ_ONLY));
    await setPhoto(item, made.id);
    const { changeKey } = contentOf(item, 'photo') && beginnings.isNoted ? await contacts.contact({ userId, contactId: made.id }) : made;
    const replaced = old ? { replaced: { id: old.id, mark: old.changeKey } } : {};
    await beginnings.wrote({ ...writtenOf(item), targetId: made.id, place: folderId, mark: changeKey ?? '', ...replaced });
    // What a worker that died had made of it goes as well: whether that was whole can't be seen.
    for (const { id } of [...left, ...(old ? [old] : [])]) await unlessGone(() => contacts.deleteContact({ userId, contactId: id }));
    return { outcome: old ? 'replaced' : 'restored', targetId: made.id, bytes: item.sizeBytes };
  }

  return {
    place: (item: ItemVersion, parent: PlacedContainer | undefined) => folders.place(item, parent),
    restore,
  };
}
