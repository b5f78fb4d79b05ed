import type { ItemVersion, JsonObject } from '../../ports/item.ts';
import { besideName } from '../beside.ts';
import { keptInPlace } from '../kept-in-place.ts';
import { contentOf, readJson, writtenOf, type ItemOutcome, type PlacedContainer, type RestoreContext } from '../restorer.ts';
import { without } from '../twins.ts';
import { createContentTypes } from './content-types.ts';
import { createExistingItems, itemKey, type ListedItems } from './existing-items.ts';
import { listItemFields, valuesWithoutColumn, type WritableColumns } from './list-fields.ts';
import { columnsLost, createListSchema } from './list-schema.ts';
import { createRowMaker } from './make-row.ts';
import { createRowReplacer } from './replace-row.ts';
import { createRowWriter } from './write-row.ts';

interface PlacedList {
  readonly listId: string;
  /** Content types at the target, by the ids they are stored with. */
  readonly typeIds: ReadonlyMap<string, string>;
  readonly writable: WritableColumns;
  /** Columns of the original that the target lacks. */
  readonly lost: ReadonlySet<string>;
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
  const rows = createRowWriter(graph, siteId);
  const replacer = createRowReplacer(graph, rows);
  const { makeItem } = createRowMaker(graph, siteId);
  let existing: Promise<Map<string, string>> | undefined;

  async function make(item: ItemVersion, name: string): Promise<PlacedContainer> {
    await beginnings.begin(item.key, []);
    const made = await create(item, name);
    await beginnings.wrote({ ...writtenOf(item), name, targetId: made.targetId, place: siteId, mark: name });
    return made;
  }

  async function noteWritten(
    item: ItemVersion,
    listId: string,
    row: { readonly id: string; readonly eTag?: string | null },
  ): Promise<void> {
    if (!beginnings.isNoted) return;
    const eTag = row.eTag ?? (await graph.sites.item({ siteId, listId, itemId: row.id })).eTag;
    await beginnings.wrote({ ...writtenOf(item), targetId: row.id, place: listId, mark: eTag ?? '' });
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
      const differences = [...(here.differences ?? []), ...typesLeft, ...(await createMissingColumns(item, here.targetId))];
      const writable = await writableColumns(here.targetId);
      const lost = columnsLost(item, writable);
      placed.set(item.key, { listId: here.targetId, typeIds, writable, lost, items: await items.list(here.targetId, writable) });
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
      const there = await items.alike(list.items, fields, async () => (await rows.withoutDead(fields, writable))?.rest);
      const left = await beginnings.leftOf(item.key, there);
      const old = await items.oldOf(item, list, without(there, left));
      const versions = contentOf(item, 'version') ? ['versions'] : [];
      const unplaced = valuesWithoutColumn(values, list.lost);
      const differences = [...leftOut, ...unplaced, ...versions, 'createdBy', 'lastModifiedBy', 'createdDateTime', 'lastModifiedDateTime'];
      if (old) {
        const kept = keptInPlace(request, item, old);
        if (kept) return kept;
        if (old.isIdentical) return { outcome: 'skipped', targetId: old.id, code: 'restore.identical' };
        const place = { siteId, listId, itemId: old.itemId };
        const refused = await replacer.replace({ place, present: old.fields, fields, writable });
        return { outcome: 'replaced', targetId: old.id, differences: [...differences, ...refused, ...otherType(item, old, typeId)] };
      }
      // An item is made in one go: what a worker that died has left of it is whole.
      if (left[0]) {
        await noteWritten(item, listId, { id: left[0].itemId });
        return { outcome: 'restored', targetId: left[0].id, differences };
      }
      await beginnings.begin(item.key, there);
      const { row, refused } = await rows.write(fields, writable, (taken) => makeItem({ listId, ids: list.items.ids }, taken, typeId));
      list.items.ids.add(row.id);
      await noteWritten(item, listId, row);
      const told = [...differences, ...refused, ...otherType(item, row, typeId)];
      return { outcome: 'restored', targetId: itemKey(listId, row.id), differences: told };
    },
  };
}
