import type { Catalog, ItemsQuery } from '../ports/catalog.ts';
import type { ItemVersion } from '../ports/item.ts';

/**
 * What is known of a resource while a run changes it: the newest state of the catalog with the
 * run's uncommitted changes laid over it, so that a workload sees one truth.
 */
export interface KnownItems {
  /** The newest versions of these keys; absent ones are unknown or removed. */
  load(keys: readonly string[]): Promise<ReadonlyMap<string, ItemVersion>>;
  /** Those of the keys that were erased, and stay so. */
  erased(keys: readonly string[]): Promise<ReadonlySet<string>>;
  /** Items that match, uncommitted ones included. */
  items(query: ItemsQuery): AsyncIterable<ItemVersion>;
  /** Keys of everything below a container, the deepest last. */
  descendants(key: string): AsyncIterable<string>;
}

export interface Overlay extends KnownItems {
  set(item: ItemVersion): void;
  remove(key: string): void;
  /** `undefined`: nothing uncommitted of this key; `null`: removed. */
  get(key: string): ItemVersion | null | undefined;
  /** The catalog's truth holds again for this key. */
  forget(key: string): void;
  /** Forgets what a commit has made part of the catalog; keys that are still being read stay. */
  clear(except: ReadonlyMap<string, unknown>): void;
}

function matches(item: ItemVersion, query: ItemsQuery): boolean {
  if (query.keys && !query.keys.includes(item.key)) return false;
  if (query.kinds && !query.kinds.includes(item.kind)) return false;
  return query.parentKey === undefined || item.parentKey === query.parentKey;
}

/** The known items of one resource over `catalog`. */
export function createKnownItems(catalog: Catalog, resourceId: string): Overlay {
  const changed = new Map<string, ItemVersion | null>();

  async function load(keys: readonly string[]): Promise<ReadonlyMap<string, ItemVersion>> {
    const asked = keys.filter((key) => !changed.has(key));
    const found = new Map(asked.length > 0 ? await catalog.lookup(resourceId, asked) : []);
    for (const key of keys) {
      const own = changed.get(key);
      if (own) found.set(key, own);
    }
    return found;
  }

  async function* items(query: ItemsQuery): AsyncGenerator<ItemVersion, void, undefined> {
    const own = [...changed.values()].filter((item): item is ItemVersion => item !== null && matches(item, query));
    for await (const item of catalog.items(resourceId, undefined, query)) {
      if (!changed.has(item.key)) yield item;
    }
    yield* own;
  }

  async function* descendants(key: string): AsyncGenerator<string, void, undefined> {
    const open = [key];
    for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
      for await (const item of items({ parentKey: parent })) {
        yield item.key;
        open.push(item.key);
      }
    }
  }

  return {
    load,
    erased: async (keys) => (keys.length === 0 ? new Set<string>() : catalog.erased(resourceId, keys)),
    items,
    descendants,
    set: (item) => void changed.set(item.key, item),
    remove: (key) => void changed.set(key, null),
    get: (key) => changed.get(key),
    forget: (key) => void changed.delete(key),
    clear(except) {
      for (const key of changed.keys()) if (!except.has(key)) changed.delete(key);
    },
  };
}
