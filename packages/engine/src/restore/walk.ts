import { AppError } from '@holdfast/foundation/errors';
import type { CatalogReader } from '../ports/catalog.ts';
import { isContainer, itemKinds, type ItemKind, type ItemVersion } from '../ports/item.ts';
import type { RestoreSelection } from './request.ts';

const containerKinds: readonly ItemKind[] = itemKinds.filter((kind) => isContainer(kind) && kind !== 'post');
const leafKinds: readonly ItemKind[] = itemKinds.filter((kind) => !isContainer(kind) || kind === 'post');

/** A container on the way of a restore; `item` is absent for what lies at the root of the resource. */
export interface WalkedContainer {
  readonly item: ItemVersion | undefined;
  /** The container it is in, which has been visited before. */
  readonly parent: ItemVersion | undefined;
  readonly path: string;
  /** False: only on the way to what was selected. */
  readonly isSelected: boolean;
  /** Its selected items that are no containers, streamed. */
  items(): AsyncIterable<ItemVersion>;
}

export interface WalkOptions {
  readonly catalog: CatalogReader;
  readonly resourceId: string;
  readonly sequence: number;
  readonly selection: RestoreSelection;
}

interface Tree {
  readonly children: ReadonlyMap<string | null, readonly ItemVersion[]>;
  readonly selected: ReadonlySet<string> | 'all';
  /** Selected leaves by container. */
  readonly leaves: ReadonlyMap<string | null, readonly ItemVersion[]>;
  /** Containers that have something selected in them. */
  readonly onTheWay: ReadonlySet<string>;
}

function group(items: readonly ItemVersion[]): Map<string | null, ItemVersion[]> {
  const out = new Map<string | null, ItemVersion[]>();
  for (const item of items) {
    const list = out.get(item.parentKey);
    if (list) list.push(item);
    else out.set(item.parentKey, [item]);
  }
  return out;
}

async function toList(source: AsyncIterable<ItemVersion>): Promise<ItemVersion[]> {
  const out: ItemVersion[] = [];
  for await (const item of source) out.push(item);
  return out;
}

/** The items of these keys. An answer stands for the message that it answers: alone it would have no place. */
async function leavesOf(
  { catalog, resourceId, sequence }: Omit<WalkOptions, 'selection'>,
  keys: readonly string[],
): Promise<ItemVersion[]> {
  if (keys.length === 0) return [];
  const found = await toList(catalog.items(resourceId, sequence, { keys }));
  const there = new Set(found.map(({ key }) => key));
  // To restore what is left of a choice would call it whole.
  if (keys.some((key) => !there.has(key))) {
    await requireStillThere({ catalog, resourceId, sequence });
    throw new AppError('restore.no-such-item');
  }
  const answered = new Set(found.flatMap(({ kind, parentKey }) => (kind === 'reply' && parentKey !== null ? [parentKey] : [])));
  const missing = [...answered].filter((key) => !there.has(key));
  const posts = missing.length === 0 ? [] : await toList(catalog.items(resourceId, sequence, { keys: missing }));
  // In the order of the catalog, which is that of time for messages: they can't be written in any other.
  return [...found.filter(({ kind }) => kind !== 'reply'), ...posts].sort((a, b) => (a.key < b.key ? -1 : 1));
}

async function buildTree({ catalog, resourceId, sequence, selection }: WalkOptions): Promise<Tree> {
  const containers = await toList(catalog.items(resourceId, sequence, { kinds: containerKinds }));
  const byKey = new Map(containers.map((item) => [item.key, item]));
  const children = group(containers);
  if (selection === 'all') return { children, selected: 'all', leaves: new Map(), onTheWay: new Set() };
  const selected = new Set(selection);
  const leafKeys = selection.filter((key) => !byKey.has(key));
  const found = await leavesOf({ catalog, resourceId, sequence }, leafKeys);
  const onTheWay = new Set<string>();
  const wanted = [...found, ...containers.filter((item) => selected.has(item.key))];
  for (const item of wanted) {
    for (let key = item.parentKey; key !== null && !onTheWay.has(key); key = byKey.get(key)?.parentKey ?? null) onTheWay.add(key);
  }
  return { children, selected, leaves: group(found), onTheWay };
}

/** A point that was given up while it was read would have looked emptier than it was. */
async function requireStillThere({ catalog, resourceId, sequence }: Omit<WalkOptions, 'selection'>): Promise<void> {
  const points = await catalog.points(resourceId);
  if (!points.some((point) => point.sequence === sequence)) throw new AppError('restore.no-such-point');
}

/**
 * Visits containers, parents first, each with its selected items. Memory: containers, and single selected items.
 * Begins with `restore.no-such-item` when a chosen item is not in the point. Ends with `restore.no-such-point` when the restore point went meanwhile: what was visited may not be all.
 */
export async function* walk(options: WalkOptions): AsyncGenerator<WalkedContainer, void, undefined> {
  const { catalog, resourceId, sequence } = options;
  const tree = await buildTree(options);

  function itemsOf(key: string | null, isWhole: boolean): () => AsyncIterable<ItemVersion> {
    return async function* items() {
      if (isWhole) yield* catalog.items(resourceId, sequence, { parentKey: key, kinds: leafKinds });
      else yield* tree.leaves.get(key) ?? [];
    };
  }

  function* visit(parent: ItemVersion | undefined, path: string, isWhole: boolean): Generator<WalkedContainer> {
    for (const item of tree.children.get(parent?.key ?? null) ?? []) {
      const isSelected = isWhole || tree.selected === 'all' || tree.selected.has(item.key);
      if (!isSelected && !tree.onTheWay.has(item.key)) continue;
      const here = path === '' ? item.name : `${path}/${item.name}`;
      yield { item, parent, path: here, isSelected, items: itemsOf(item.key, isSelected) };
      yield* visit(item, here, isSelected);
    }
  }

  yield {
    item: undefined,
    parent: undefined,
    path: '',
    isSelected: tree.selected === 'all',
    items: itemsOf(null, tree.selected === 'all'),
  };
  yield* visit(undefined, '', false);
  await requireStillThere(options);
}
