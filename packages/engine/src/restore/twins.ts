import type { RestoreContext } from './restorer.ts';

/**
 * Tells which of the things that look like an item are that item under another id. The service gives ids and times of
 * making itself, so what an earlier restore has made is known by what it says alone.
 */
export interface Twins {
  /** Each candidate stands for one item only; one that is an item of the restore point itself stands for no other. */
  find<Candidate extends { readonly id: string }>(candidates: readonly Candidate[] | undefined): Promise<Candidate | undefined>;
}

export function createTwins({ catalog, request, sequence }: Pick<RestoreContext, 'catalog' | 'request' | 'sequence'>): Twins {
  const taken = new Set<string>();

  async function isItself(id: string): Promise<boolean> {
    for await (const item of catalog.items(request.source.id, sequence, { keys: [id] })) return item.key === id;
    return false;
  }

  return {
    async find(candidates = []) {
      for (const candidate of candidates) {
        if (taken.has(candidate.id)) continue;
        // Before anything is awaited: several items are restored at a time.
        taken.add(candidate.id);
        if (!(await isItself(candidate.id))) return candidate;
      }
      return undefined;
    },
  };
}

/** What is left of a list without some of it. */
export function without<Value>(all: readonly Value[], some: readonly Value[]): readonly Value[] {
  return some.length === 0 ? all : all.filter((one) => !some.includes(one));
}

/** Adds to the list that a map has under a key. */
export function addTo<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
