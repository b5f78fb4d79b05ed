import type { ItemChange, ItemPut } from '@holdfast/vault';
import type { ContentRef } from '@holdfast/vault';
import type { Content, ContentRole, ItemKind, ItemVersion, JsonObject } from '../ports/item.ts';

interface StoredContent {
  readonly role: ContentRole;
  readonly label?: string;
  readonly mediaType?: string;
}

interface StoredMetadata {
  readonly sizeBytes: number;
  readonly createdAt?: string;
  readonly modifiedAt?: string;
  readonly contentTag: string;
  readonly contents: readonly StoredContent[];
  readonly properties: JsonObject;
}

/** An item version as the journal keeps it. The vault names streams by place, the engine by role and label. */
export function toJournal(item: ItemVersion): ItemPut {
  const { key, kind, parentKey, name, contents, ...rest } = item;
  const content: Record<string, ContentRef> = {};
  for (const [index, entry] of contents.entries()) content[String(index)] = entry.ref;
  const metadata: StoredMetadata = { ...rest, contents: contents.map(({ ref: _ref, ...stored }) => stored) };
  return { op: 'put', itemId: key, parentId: parentKey, kind, name, metadata: metadata as unknown as JsonObject, content };
}

/** The reverse of `toJournal`. */
export function fromJournal(entry: Omit<ItemPut, 'op'>): ItemVersion {
  const { contents: stored, ...rest } = entry.metadata as unknown as StoredMetadata;
  const contents: Content[] = [];
  for (const [index, one] of stored.entries()) {
    const ref = entry.content[String(index)];
    if (ref) contents.push({ ...one, ref });
  }
  return { key: entry.itemId, kind: entry.kind as ItemKind, parentKey: entry.parentId, name: entry.name, ...rest, contents };
}

/** Splits a segment's changes into what the catalog takes; a later change of a key replaces an earlier one. */
export async function collectChanges(
  changes: AsyncIterable<ItemChange>,
): Promise<{ readonly put: readonly ItemVersion[]; readonly removed: readonly string[]; readonly erased: readonly string[] }> {
  const put = new Map<string, ItemVersion>();
  const removed = new Set<string>();
  const erased = new Set<string>();
  for await (const change of changes) {
    if (change.op === 'put') {
      put.set(change.itemId, fromJournal(change));
      removed.delete(change.itemId);
    } else {
      (change.isErased ? erased : removed).add(change.itemId);
      put.delete(change.itemId);
    }
  }
  return { put: [...put.values()], removed: [...removed].filter((key) => !erased.has(key)), erased: [...erased] };
}
