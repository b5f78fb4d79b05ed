import type { EnumerateContext } from '../../pipeline/workload.ts';
import type { DriveKeys } from './drive-item.ts';
import { createNewcomers } from './newcomers.ts';

/** An entry of a drive as it is in the tree. */
export interface Node {
  readonly name: string;
  readonly parentKey: string | null;
  /** Of a container: how much is in it. */
  readonly children?: number;
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

/** What of the entries lies below a path, as it is called from there. */
function below(path: string, entries: readonly string[]): readonly string[] {
  const prefix = path === '' ? '' : `${path}/`;
  return entries.flatMap((entry) => (entry.startsWith(prefix) ? [entry.slice(prefix.length)] : [])).sort();
}

type Reason = 'excluded' | 'notSelected';

interface Rule {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

const isOfAll = ({ include, exclude }: Rule): boolean => include.length === 0 && exclude.length === 0;

function reasonBy({ include, exclude }: Rule, path: string): Reason | undefined {
  if (isBelow(path, exclude)) return 'excluded';
  return include.length === 0 || isBelow(path, include) || leadsTo(path, include) ? undefined : 'notSelected';
}

/** What a rule says of a path and of everything below it: two paths of the same shape are treated alike. */
function shapeBy({ include, exclude }: Rule, path: string): string {
  if (isBelow(path, exclude)) return '-';
  const isIn = include.length === 0 || isBelow(path, include);
  return JSON.stringify([isIn || below(path, include), below(path, exclude)]);
}

/** Answers which places of a drive are protected by any job. Knows the tree by id only, as delta gives it. */
export interface DriveTree {
  /** A round begins that names all of the drive, or what has changed. */
  begin(isWhole: boolean): void;
  /** Keeps how these are treated where they lie now, to be asked before they are noted anew. */
  remember(keys: readonly string[]): Promise<void>;
  note(key: string, node: Node): void;
  /**
   * Why this place is not protected; `undefined` when it is; `unknown` while a container on the way is not known yet.
   * Nothing is kept of what lies `outside`, containers neither.
   */
  exclusion(node: Node): Promise<Reason | 'outside' | 'unknown' | undefined>;
  /** Whether what is in a container is treated otherwise than where it was: delta names the container, and not its contents. */
  isReshaped(key: string, node: Node): Promise<boolean>;
  /** The round has named everything. */
  end(): void;
  /** Whether contents of a container were not named that came from where nothing is kept of it. */
  isLacking(): Promise<boolean>;
  /** What is chosen of the drive; undefined for all of it. */
  readonly choice: string | undefined;
}

export function createDriveTree(context: EnumerateContext, keys: DriveKeys): DriveTree {
  const rules = context.selections.map(({ include = [], exclude = [] }) => ({
    include: include.map(normal),
    exclude: exclude.map(normal),
  }));
  const isSelective = !rules.some(isOfAll);
  const nodes = new Map<string, Node>();
  const before = new Map<string, string>();
  const newcomers = createNewcomers(context);

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

  async function exclusion(node: Node): Promise<Reason | 'unknown' | undefined> {
    if (!isSelective) return undefined;
    const path = await pathOf(node);
    if (path === undefined) return 'unknown';
    const reasons = rules.map((rule) => reasonBy(rule, path));
    if (reasons.includes(undefined)) return undefined;
    return reasons.includes('excluded') ? 'excluded' : 'notSelected';
  }

  const shapeOf = (path: string): string => [...new Set(rules.map((rule) => shapeBy(rule, path)))].sort().join(' ');

  return {
    choice: isSelective ? shapeOf('') : undefined,
    async remember(asked) {
      await newcomers.remember(asked);
      if (!isSelective) return;
      const stored = await context.known.load(asked.filter((key) => !nodes.has(key)));
      for (const key of asked) {
        const node = nodes.get(key) ?? stored.get(key);
        const path = node && !before.has(key) ? await pathOf(node) : undefined;
        if (path !== undefined) before.set(key, shapeOf(path));
      }
    },
    begin(isWhole) {
      newcomers.begin(isWhole);
      before.clear();
    },
    end: () => undefined,
    isLacking: () => newcomers.isLacking(),
    note: (key, node) => void (isSelective && nodes.set(key, node)),
    exclusion,
    async isReshaped(key, node) {
      if ((await exclusion(node)) === undefined) newcomers.note(key, node.children ?? 0);
      const was = before.get(key);
      if (was === undefined) return false;
      const path = await pathOf(node);
      return path !== undefined && shapeOf(path) !== was;
    },
  };
}
