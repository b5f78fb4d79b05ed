import type { Selection } from '../../backup/run.ts';
import type { EnumerateContext } from '../../pipeline/workload.ts';
import type { DriveKeys } from './drive-item.ts';

interface Node {
  readonly name: string;
  readonly parentKey: string | null;
}

function normal(path: string): string {
  return path
    .split('/')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '')
    .join('/');
}

function isBelow(path: string, wanted: readonly string[]): boolean {
  return wanted.some((entry) => path === entry || path.startsWith(`${entry}/`));
}

function leadsTo(path: string, wanted: readonly string[]): boolean {
  return wanted.some((entry) => entry.startsWith(`${path}/`));
}

/** Answers which places of a drive are protected. Knows the tree by id only, as delta gives it. */
export interface DriveTree {
  note(key: string, node: Node): void;
  /** Why this place is not protected; `undefined` when it is; `unknown` while a container on the way is not known yet. */
  exclusion(key: string, node: Node): Promise<'excluded' | 'notSelected' | 'unknown' | undefined>;
  readonly isSelective: boolean;
}

export function createDriveTree(context: EnumerateContext, keys: DriveKeys, selection: Selection): DriveTree {
  const include = (selection.include ?? []).map(normal);
  const exclude = (selection.exclude ?? []).map(normal);
  const isSelective = include.length > 0 || exclude.length > 0;
  const nodes = new Map<string, Node>();

  async function nodeOf(key: string): Promise<Node | undefined> {
    const known = nodes.get(key) ?? (await context.known.load([key])).get(key);
    if (known) nodes.set(key, { name: known.name, parentKey: known.parentKey });
    return known;
  }

  async function pathOf(node: Node): Promise<string | undefined> {
    const names = [node.name];
    let next = node.parentKey;
    while (next !== null && next !== keys.library) {
      const parent = await nodeOf(next);
      if (!parent || names.length > 400) return undefined;
      names.unshift(parent.name);
      next = parent.parentKey;
    }
    return normal(names.join('/'));
  }

  return {
    isSelective,
    note: (key, node) => void (isSelective && nodes.set(key, node)),
    async exclusion(_key, node) {
      if (!isSelective) return undefined;
      const path = await pathOf(node);
      if (path === undefined) return 'unknown';
      if (isBelow(path, exclude)) return 'excluded';
      if (include.length === 0 || isBelow(path, include) || leadsTo(path, include)) return undefined;
      return 'notSelected';
    },
  };
}
