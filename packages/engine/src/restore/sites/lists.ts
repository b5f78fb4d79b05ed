import { isGraphError, type Body, type Known } from '@holdfast/m365';
import { textOf } from '../../pipeline/text.ts';
import type { ItemVersion, JsonObject } from '../../ports/item.ts';
import { besideName } from '../beside.ts';
import { keptInPlace } from '../kept-in-place.ts';
import { readJson, type ItemOutcome, type PlacedContainer, type RestoreContext } from '../restorer.ts';
import { without } from '../twins.ts';
import { createContentTypes } from './content-types.ts';
import { contentOfItem, createExistingItems, itemKey, type ListedItems } from './existing-items.ts';
import { listItemFields } from './list-fields.ts';
import { createListSchema } from './list-schema.ts';

interface PlacedList {
  readonly listId: string;
  /** Content types at the target, by the ids they are stored with. */
  readonly typeIds: ReadonlyMap<string, string>;
  readonly writable: ReadonlySet<string>;
  /** What was there before, and the ids of what this restore has made. */
  readonly items: ListedItems;
}

interface ContentTypeInfo {
  readonly id?: string;
  readonly name?: string;
}

function typeOf({ contentType }: { readonly contentType?: unknown }): ContentTypeInfo {
  return contentType ?? {};
}

/** Named when the item has another content type than it had; a type that somebody has renamed is the same one. */
function otherType({ properties }: ItemVersion, found: object, typeId: string | undefined): readonly string[] {
  const [wanted, given] = [typeOf(properties), typeOf(found)];
  const isSame = wanted.name === undefined || given.name === undefined || wanted.name === given.name || given.id === typeId;
  return isSame ? [] : ['contentType'];
}

/** Puts lists, their columns and their items back. Authors and times of items are the service's. */
export function createListRestorer(context: RestoreContext, siteId: string) {
  const { request, graph, beginnings } = context;
  const isSameSite = request.target.resource.id === request.source.id;
  const items = createExistingItems(context, siteId);
  const placed = new Map<string, PlacedList>();
  const { lists, create, createMissingColumns, writableColumns } = createListSchema(graph, siteId);
  const types = createContentTypes(graph, siteId);
  let existing: Promise<Map<string, string>> | undefined;

  /** The item that a lost answer was about: one that nobody had seen before, with these values. */
  async function lostItem({ listId, items: { ids } }: PlacedList, fields: Body): Promise<Known<object> | undefined> {
    for await (const { id } of graph.sites.items({ siteId, listId })) {
      if (ids.has(id)) continue;
      const { fields: found } = (await graph.sites.item({ siteId, listId, itemId: id })) as unknown as { readonly fields?: Body };
      if (textOf(found?.['Title']) !== textOf(fields['Title'])) continue;
      ids.add(id);
      return { id };
    }
    return undefined;
  }

  async function make(item: ItemVersion, name: string): Promise<PlacedContainer> {
    await beginnings.begin(item.key, []);
    return create(item, name);
  }

  /** Of the content type that it had, where the list and the service have it. */
  async function makeItem(list: PlacedList, fields: Body, typeId: string | undefined): Promise<Known<object>> {
    const place = { siteId, listId: list.listId };
    const recover = (): Promise<Known<object> | undefined> => lostItem(list, fields);
    if (typeId === undefined) return graph.sites.createItem(place, { fields }, { recover });
    try {
      return await graph.sites.createItem(place, { fields, contentType: { id: typeId } }, { recover });
    } catch (error) {
      if (!isGraphError(error, 'graph.bad-request')) throw error;
      return graph.sites.createItem(place, { fields }, { recover });
    }
  }

  async function found(item: ItemVersion, listId: string): Promise<PlacedContainer> {
    return { outcome: (await beginnings.isLeft(item.key, { id: listId })) ? 'restored' : 'skipped', targetId: listId };
  }

  return {
    async place(item: ItemVersion): Promise<PlacedContainer> {
      existing ??= lists();
      const names = await existing;
      const { folder } = request.target;
      const name = besideName(item.name, folder);
      const known = names.get(name.toLowerCase());
      const here = known === undefined ? await make(item, name) : await found(item, known);
      names.set(name.toLowerCase(), here.targetId);
      const { ids: typeIds, differences: typesLeft } = await types.place(item, here.targetId);
      const differences = [...typesLeft, ...(await createMissingColumns(item, here.targetId))];
      const writable = await writableColumns(here.targetId);
      placed.set(item.key, { listId: here.targetId, typeIds, writable, items: await items.list(here.targetId, writable) });
      return { ...here, differences };
    },
    async restore(item: ItemVersion): Promise<ItemOutcome> {
      const list = item.parentKey === null ? undefined : placed.get(item.parentKey);
      if (!list) return { outcome: 'failed', code: 'restore.container-failed' };
      const { listId, writable } = list;
      const typeId = list.typeIds.get(typeOf(item.properties).id ?? '');
      const stored = await readJson(context, item);
      const values = (stored['fields'] ?? item.properties['fields'] ?? {}) as JsonObject;
      const { fields, left: leftOut } = listItemFields(values, writable, isSameSite);
      const there = list.items.alike.get(contentOfItem(fields)) ?? [];
      const left = await beginnings.leftOf(item.key, there);
      const old = await items.oldOf(item, listId, without(there, left));
      const differences = [...leftOut, 'createdBy', 'lastModifiedBy', 'createdDateTime', 'lastModifiedDateTime'];
      if (old) {
        const kept = keptInPlace(request, item, old);
        if (kept) return kept;
        if (old.isIdentical) return { outcome: 'skipped', targetId: old.id, code: 'restore.identical' };
        await graph.sites.updateFields({ siteId, listId, itemId: old.itemId }, fields);
        return { outcome: 'replaced', targetId: old.id, differences: [...differences, ...otherType(item, old, typeId)] };
      }
      // An item is made in one go: what a worker that died has left of it is whole.
      if (left[0]) return { outcome: 'restored', targetId: left[0].id, differences };
      await beginnings.begin(item.key, there);
      const made = await makeItem(list, fields, typeId);
      list.items.ids.add(made.id);
      return { outcome: 'restored', targetId: itemKey(listId, made.id), differences: [...differences, ...otherType(item, made, typeId)] };
    },
  };
}
