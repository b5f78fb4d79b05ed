import { isInPart, type Journal, type StatePart } from '@holdfast/vault';
import type { Catalog } from '../ports/catalog.ts';
import type { ItemVersion, Json } from '../ports/item.ts';
import { canonicalJson } from '../shared/canonical.ts';
import { fromJournal } from './journal-entry.ts';

const LOOKED_UP_AT_ONCE = 500;

/** What the newest state of the journal lacks: an item as the catalog knows it, or the key of one that is gone. */
export type Restated = { readonly put: ItemVersion } | { readonly removed: string; readonly isErased: boolean };

const textOf = (item: ItemVersion): string => canonicalJson(item as unknown as Json);

async function* differences(
  catalog: Catalog,
  resourceId: string,
  items: readonly ItemVersion[],
): AsyncGenerator<Restated, void, undefined> {
  const known = await catalog.lookup(
    resourceId,
    items.map(({ key }) => key),
  );
  const erased = await catalog.erased(
    resourceId,
    items.map(({ key }) => key).filter((key) => !known.has(key)),
  );
  for (const item of items) {
    const now = known.get(item.key);
    if (!now) yield { removed: item.key, isErased: erased.has(item.key) };
    else if (textOf(now) !== textOf(item)) yield { put: now };
  }
}

/** Keys that are held at once: of more items than this, one part after the other is compared. */
const KEYS_AT_ONCE = 200_000;

async function countOf(items: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  for await (const _ of items) count += 1;
  return count;
}

async function* differencesOf(journal: Journal, catalog: Catalog, part: StatePart): AsyncGenerator<Restated, void, undefined> {
  const { resourceId } = journal;
  const there = new Set<string>();
  let group: ItemVersion[] = [];
  for await (const state of journal.stateAt(undefined, { onLost: () => undefined, part })) {
    there.add(state.itemId);
    group.push(fromJournal(state));
    if (group.length < LOOKED_UP_AT_ONCE) continue;
    yield* differences(catalog, resourceId, group);
    group = [];
  }
  yield* differences(catalog, resourceId, group);
  for await (const item of catalog.items(resourceId, undefined)) {
    if (isInPart(item.key, part) && !there.has(item.key)) yield { put: item };
  }
}

/**
 * Compares the newest state that the journal can still give with the catalog, which has taken every commit before it was
 * lost. Content is named as it is stored: nothing is read from the service. What it holds does not grow with the resource.
 */
export async function* restateLost(
  journal: Journal,
  catalog: Catalog,
  keysAtOnce = KEYS_AT_ONCE,
): AsyncGenerator<Restated, void, undefined> {
  const parts = Math.max(1, Math.ceil((await countOf(catalog.items(journal.resourceId, undefined))) / keysAtOnce));
  for (let at = 0; at < parts; at += 1) yield* differencesOf(journal, catalog, { at, of: parts });
}
