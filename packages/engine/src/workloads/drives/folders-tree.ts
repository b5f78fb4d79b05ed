import type { EnumerateContext } from '../../pipeline/workload.ts';
import type { DriveKeys } from './drive-item.ts';
import type { DriveTree, Node } from './drive-tree.ts';

const MAX_DEPTH = 400;

/**
 * Answers what of a drive lies in some of its folders, told by their ids: people rename folders. Nothing is kept of what
 * lies outside, so what is not known when a round has named everything lies there.
 */
export function createFoldersTree({ known, unread }: EnumerateContext, keys: DriveKeys, folders: ReadonlyMap<string, string>): DriveTree {
  const owners = new Set(folders.values());
  const parents = new Map<string, string | null>();
  /** Containers that were kept before this round. */
  const kept = new Set<string>();
  /** Those that came in this round, with how much lies in them. */
  const newcomers = new Map<string, number>();
  let isWhole = false;
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

  async function countIn(key: string): Promise<number> {
    let count = 0;
    for await (const item of known.items({ parentKey: key })) if (item.parentKey === key) count += 1;
    return count;
  }

  return {
    choice: JSON.stringify([...folders.keys()].sort()),
    begin(all) {
      isWhole = all;
      isEnded = false;
      kept.clear();
      newcomers.clear();
      parents.clear();
      for (const [id, owner] of folders) parents.set(keys.item(id), owner);
    },
    async remember(asked) {
      if (!isWhole) for (const key of (await known.load(asked)).keys()) kept.add(key);
    },
    note: (key, { parentKey }) => void parents.set(key, parentKey),
    async exclusion(node) {
      const place = await placeOf(node);
      return place === 'inside' ? undefined : place;
    },
    async isReshaped(key, { children = 0 }) {
      if (!isWhole && children > 0 && !kept.has(key)) newcomers.set(key, children);
      return false;
    },
    end: () => void (isEnded = true),
    async isLacking() {
      for (const [key, children] of newcomers) if ((await countIn(key)) < children) return true;
      return false;
    },
  };
}
