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
  /** Whether a new item was erased before: whatever lists it again leaves it out. */
  isErased(key: string): Promise<boolean>;
}

/** Answers of the catalog that are kept at a time. */
const REMEMBERED = 20_000;

/** Which unknown items were erased, asked together with what is known of a page and remembered until its items are taken. */
function createErasedItems(catalog: Catalog, resourceId: string) {
  const answers = new Map<string, boolean>();
  async function ask(keys: readonly string[]): Promise<ReadonlySet<string>> {
    const erased = await catalog.erased(resourceId, keys);
    for (const key of keys) answers.set(key, erased.has(key));
    for (const key of answers.keys()) {
      if (answers.size <= REMEMBERED) break;
      answers.delete(key);
    }
    return erased;
  }
  return {
    ask,
    has: async (key: string): Promise<boolean> => answers.get(key) ?? (await ask([key])).has(key),
  };
}

function matches(item: ItemVersion, query: ItemsQuery): boolean {
  if (query.keys && !query.keys.includes(item.key)) return false;
  if (query.kinds && !query.kinds.includes(item.kind)) return false;
  return query.parentKey === undefined || item.parentKey === query.parentKey;
}

/** The known items of one resource over `catalog`. */
export function createKnownItems(catalog: Catalog, resourceId: string): Overlay {
  const changed = new Map<string, ItemVersion | null>();
  const gone = createErasedItems(catalog, resourceId);

  async function load(keys: readonly string[]): Promise<ReadonlyMap<string, ItemVersion>> {
    const asked = keys.filter((key) => !changed.has(key));
    const found = new Map(asked.length > 0 ? await catalog.lookup(resourceId, asked) : []);
    const unknown = asked.filter((key) => !found.has(key));
    if (unknown.length > 0) await gone.ask(unknown);
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
    isErased: (key) => gone.has(key),
    clear(except) {
      for (const key of changed.keys()) if (!except.has(key)) changed.delete(key);
    },
  };
}
