import type { CatalogReader } from '../ports/catalog.ts';
import type { ItemVersion } from '../ports/item.ts';
import type { Replaced, WrittenThing } from '../restore/request.ts';
import { driveKeys } from '../workloads/drives/drive-item.ts';

/** What a backup calls something that a restore replaced. */
export function replacedKey({ kind, place }: Pick<WrittenThing, 'kind' | 'place'>, { id }: Replaced): string {
  return kind === 'file' ? driveKeys(place).item(id) : id;
}

export function hashOf({ properties }: ItemVersion): string | undefined {
  return ((properties['hashes'] ?? {}) as { readonly quickXorHash?: string }).quickXorHash;
}

/** The state that a backup found an item in, tagged as restores note it. */
function markOf(item: ItemVersion): unknown {
  if (item.kind === 'file') return hashOf(item);
  return item.kind === 'task' ? item.modifiedAt : item.properties['changeKey'];
}

/** Kinds whose replaced state a backup can tell for certain. */
const TOLD: readonly ItemVersion['kind'][] = ['message', 'event', 'contact', 'task', 'file'];

/** Finds what lay where restores put these things, in exactly the state that they replaced; by the key of the thing. */
export async function keptBefore(
  catalog: CatalogReader,
  at: { readonly resourceId: string; readonly sequence: number },
  things: readonly WrittenThing[],
): Promise<ReadonlyMap<string, ItemVersion>> {
  const wanted = new Map<string, { readonly key: string; readonly mark: string }>();
  for (const thing of things) {
    const { key, kind, replaced } = thing;
    if (replaced && replaced.mark !== '' && TOLD.includes(kind)) wanted.set(replacedKey(thing, replaced), { key, mark: replaced.mark });
  }
  const found = new Map<string, ItemVersion>();
  if (wanted.size === 0) return found;
  for await (const item of catalog.items(at.resourceId, at.sequence, { keys: [...wanted.keys()] })) {
    const thing = wanted.get(item.key);
    if (thing && markOf(item) === thing.mark) found.set(thing.key, item);
  }
  return found;
}
