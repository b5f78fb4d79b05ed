import { sha256Hex } from '@holdfast/foundation/bytes';
import type { Content, ItemVersion, Json, Resource } from '../src/ports/item.ts';
import { canonicalJson } from '../src/shared/canonical.ts';
import type { Rig } from './rig.ts';

/** What one item is, by the key that the engine must give it, as both sides can say it. */
export interface Fact {
  readonly says: string;
  /** Keys under which the error list speaks for this item when all that it is in could not be read. */
  readonly within: readonly string[];
}

export type Facts = Map<string, Fact>;

/** Puts down what an item is; equal facts give equal text whatever the order of their names. */
export function factOf(values: object, within: readonly string[] = []): Fact {
  return { says: canonicalJson(JSON.parse(JSON.stringify(values)) as Json), within };
}

/** The values of these names; what is empty counts as not there, for the service leaves some of it out. */
export function picked(from: object | undefined, names: readonly string[]): object {
  const isThere = ([name, value]: readonly [string, unknown]): boolean =>
    names.includes(name) && value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(from ?? {}).filter(isThere));
}

/** What a vault gives back of a resource: items by key, and the bytes that they name. */
export async function openItems(rig: Rig, resource: Resource) {
  const items = await rig.items(resource);
  const byKey = new Map(items.map((item) => [item.key, item]));
  const reader = rig.vault.reader();
  const bytesOf = (content: Content) => reader.readAll(content.ref);
  return {
    of: (...kinds: readonly ItemVersion['kind'][]) => items.filter(({ kind }) => kinds.includes(kind)),
    parentName: ({ parentKey }: ItemVersion) => (parentKey === null ? '' : (byKey.get(parentKey)?.name ?? '')),
    /** The first content of a role, read as JSON. */
    json: async (item: ItemVersion, role: Content['role']): Promise<object | undefined> => {
      const content = item.contents.find((one) => one.role === role);
      return content && (JSON.parse(Buffer.from(await bytesOf(content)).toString()) as object);
    },
    /** The hashes of the bytes of a role, in no order. */
    hashes: async (item: ItemVersion, role: Content['role']): Promise<string[]> => {
      const found: string[] = [];
      for (const content of item.contents) if (content.role === role) found.push(sha256Hex(await bytesOf(content)));
      return found.toSorted();
    },
  };
}
