import { isGraphError, type Body, type Known } from '@holdfast/m365';
import type { ItemVersion, JsonObject } from '../../ports/item.ts';
import { readJson, type ItemOutcome, type PlacedContainer, type RestoreContext } from '../restorer.ts';
import { keptInPlace } from '../kept-in-place.ts';
import { listItemFields } from './list-fields.ts';
import { createListSchema } from './list-schema.ts';
import { textOf } from '../../pipeline/text.ts';

interface PlacedList {
  readonly listId: string;
  readonly writable: ReadonlySet<string>;
  /** Items that were there before, and those that this restore has made. */
  readonly seen: Set<string>;
}

/** Puts lists, their columns and their items back. Authors and times of items are the service's. */
export function createListRestorer(context: RestoreContext, siteId: string) {
  const { request, graph } = context;
  const placed = new Map<string, PlacedList>();
  const { lists, create, createMissingColumns, writableColumns } = createListSchema(graph, siteId);
  let existing: Promise<Map<string, string>> | undefined;

  async function found(listId: string, itemId: string): Promise<Awaited<ReturnType<typeof graph.sites.item>> | undefined> {
    try {
      return await graph.sites.item({ siteId, listId, itemId });
    } catch (error) {
      if (isGraphError(error, 'graph.item-gone')) return undefined;
      throw error;
    }
  }

  async function itemsOf(listId: string, isNew: boolean): Promise<Set<string>> {
    const ids = new Set<string>();
    if (isNew) return ids;
    for await (const { id } of graph.sites.items({ siteId, listId })) ids.add(id);
    return ids;
  }

  /** The item that a lost answer was about: one that nobody had seen before, with these values. */
  async function lostItem({ listId, seen }: PlacedList, fields: Body): Promise<Known<object> | undefined> {
    for await (const { id } of graph.sites.items({ siteId, listId })) {
      if (seen.has(id)) continue;
      const { fields: found } = (await graph.sites.item({ siteId, listId, itemId: id })) as unknown as { readonly fields?: Body };
      if (textOf(found?.['Title']) !== textOf(fields['Title'])) continue;
      seen.add(id);
      return { id };
    }
    return undefined;
  }

  return {
    async place(item: ItemVersion): Promise<PlacedContainer> {
      existing ??= lists();
      const names = await existing;
      const { folder } = request.target;
      const name = folder === undefined ? item.name : `${item.name} (${folder.replaceAll('/', ' ')})`;
      const known = names.get(name.toLowerCase());
      const here: PlacedContainer = known === undefined ? await create(item, name) : { outcome: 'skipped', targetId: known };
      names.set(name.toLowerCase(), here.targetId);
      const differences = await createMissingColumns(item, here.targetId);
      const writable = await writableColumns(here.targetId);
      placed.set(item.key, { listId: here.targetId, writable, seen: await itemsOf(here.targetId, known === undefined) });
      return { ...here, differences };
    },
    async restore(item: ItemVersion): Promise<ItemOutcome> {
      const list = item.parentKey === null ? undefined : placed.get(item.parentKey);
      if (!list) return { outcome: 'failed', code: 'restore.container-failed' };
      const { listId, writable } = list;
      const stored = await readJson(context, item);
      const values = (stored['fields'] ?? item.properties['fields'] ?? {}) as JsonObject;
      const isSameSite = request.target.resource.id === request.source.id;
      const { fields, left } = listItemFields(values, writable, isSameSite);
      const itemId = textOf(item.properties['itemId']);
      const mayBeThere = context.isOriginal && item.parentKey === `list:${listId}` && request.collisions !== 'keepBoth';
      const old = mayBeThere ? await found(listId, itemId) : undefined;
      const differences = [...left, 'createdBy', 'lastModifiedBy', 'createdDateTime', 'lastModifiedDateTime'];
      if (old) {
        const kept = keptInPlace(request, item, { id: itemId, modifiedAt: old.lastModifiedDateTime });
        if (kept) return kept;
        await graph.sites.updateFields({ siteId, listId, itemId }, fields);
        return { outcome: 'replaced', targetId: itemId, differences };
      }
      const recover = (): Promise<Known<object> | undefined> => lostItem(list, fields);
      const made = await graph.sites.createItem({ siteId, listId }, { fields }, { recover });
      list.seen.add(made.id);
      return { outcome: 'restored', targetId: made.id, differences };
    },
    async collides(item: ItemVersion): Promise<boolean> {
      if (!context.isOriginal || item.parentKey === null) return false;
      return (await found(item.parentKey.slice('list:'.length), textOf(item.properties['itemId']))) !== undefined;
    },
  };
}
