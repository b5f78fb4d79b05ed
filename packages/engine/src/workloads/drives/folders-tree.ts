import type { EnumerateContext } from '../../pipeline/workload.ts';
import type { DriveKeys } from './drive-item.ts';
import type { DriveTree, Node } from './drive-tree.ts';
import { createNewcomers } from './newcomers.ts';

const MAX_DEPTH = 400;

/**
 * Answers what of a drive is in some of its folders, told by their ids: people rename folders. Nothing is kept of what
 * lies outside, so what is not known when a round has named everything is there.
 */
export function createFoldersTree(context: EnumerateContext, keys: DriveKeys, folders: ReadonlyMap<string, string>): DriveTree {
  const { known, unread } = context;
  const owners = new Set(folders.values());
  const parents = new Map<string, string | null>();
  const newcomers = createNewcomers(context);
  let isEnded = false;

  async function parentOf(key: string): Promise<string | null | undefined> {
    if (!parents.has(key)) {
      // One that could not be read has its place all the same.
      const stored = (await known.load([key])).get(key) ?? unread.get(key);
      if (!stored) return undefined;
      parents.set(key, stored.parentKey);
    }
    return parents.get(key);
  }

  async function placeOf({ parentKey }: Node): Promise<'inside' | 'outside' | 'unknown'> {
    let next: string | null | undefined = parentKey;
    for (let depth = 0; depth < MAX_DEPTH && typeof next === 'string'; depth += 1) {
      if (owners.has(next)) return 'inside';
      if (next === keys.library) return 'outside';
      next = await parentOf(next);
    }
    return isEnded ? 'outside' : 'unknown';
  }

  return {
    choice: JSON.stringify([...folders.keys()].sort()),
    begin(isWhole) {
      newcomers.begin(isWhole);
      isEnded = false;
      parents.clear();
      for (const [id, owner] of folders) parents.set(keys.item(id), owner);
    },
    remember: (asked) => newcomers.remember(asked),
    note: (key, { parentKey }) => void parents.set(key, parentKey),
    async exclusion(node) {
      const place = await placeOf(node);
      return place === 'inside' ? undefined : place;
    },
    async isReshaped(key, { children = 0 }) {
      newcomers.note(key, children);
      return false;
    },
    end: () => void (isEnded = true),
    isLacking: () => newcomers.isLacking(),
  };
}
