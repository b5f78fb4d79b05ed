import { sha256Hex } from '@holdfast/foundation/bytes';
import { isGraphError, type Body } from '@holdfast/m365';
import { canonicalJson } from '../../shared/canonical.ts';
import { textOf } from '../../pipeline/text.ts';
import type { ItemVersion, Json, JsonObject } from '../../ports/item.ts';
import type { RestoreContext } from '../restorer.ts';
import { addTo, createTwins } from '../twins.ts';
import { listItemFields, type WritableColumns } from './list-fields.ts';
import { withoutPointers } from './write-row.ts';

/** An item at the target; its number alone means something in its list only. */
export interface Listed {
  readonly id: string;
  readonly itemId: string;
}

/** An item that is there already; one that was found by what it says is identical. */
export interface ExistingItem extends Listed {
  readonly modifiedAt: string | null | undefined;
  readonly contentType?: unknown;
  /** What its columns say, as they would be written; nothing for one that is identical. */
  readonly fields: Body;
  readonly isIdentical: boolean;
}

interface Alike extends Listed {
  /** What all its columns say, pointers included. */
  readonly content: string;
}

/** An item as the service gives it. */
interface Found {
  readonly lastModifiedDateTime?: string | null;
  readonly contentType?: unknown;
  readonly fields?: object | null;
}

/** Where an item of a restore may be. */
interface ListPlace {
  readonly listId: string;
  readonly writable: WritableColumns;
}

/** What is in a list, by what its columns say that point to nothing. */
export interface ListedItems {
  readonly ids: Set<string>;
  readonly alike: ReadonlyMap<string, readonly Alike[]>;
}

export function itemKey(listId: string, itemId: string): string {
  return `list:${listId}:${itemId}`;
}

/** What the columns of an item say. A list has millions of them: only the hash is kept. */
function contentOfItem(fields: Body): string {
  return sha256Hex(canonicalJson(fields as Json));
}

/** Items of lists that are at the target already. */
export function createExistingItems(context: RestoreContext, siteId: string) {
  const { request, graph } = context;
  const isSameSite = request.target.resource.id === request.source.id;
  const twins = createTwins(context);

  async function found(listId: string, itemId: string): Promise<Found | undefined> {
    try {
      return await graph.sites.item({ siteId, listId, itemId });
    } catch (error) {
      if (isGraphError(error, 'graph.item-gone')) return undefined;
      throw error;
    }
  }

  return {
    async list(listId: string, writable: WritableColumns): Promise<ListedItems> {
      const ids = new Set<string>();
      const alike = new Map<string, Alike[]>();
      for await (const { id, fields = {} } of graph.sites.items({ siteId, listId })) {
        ids.add(id);
        const said = listItemFields(fields as JsonObject, writable, isSameSite).fields;
        addTo(alike, contentOfItem(withoutPointers(said)), { id: itemKey(listId, id), itemId: id, content: contentOfItem(said) });
      }
      return { ids, alike };
    },
    /** What says the same: all of it, or all but what pointed to something that is gone and could not be written again. */
    async alike({ alike }: ListedItems, fields: Body, cleaned: () => Promise<Body | undefined>): Promise<readonly Listed[]> {
      const near = alike.get(contentOfItem(withoutPointers(fields))) ?? [];
      const same = near.filter(({ content }) => content === contentOfItem(fields));
      if (same.length > 0 || near.length === 0) return same;
      const rest = await cleaned();
      return rest === undefined ? [] : near.filter(({ content }) => content === contentOfItem(rest));
    },
    /** The item that is this one: by its number in the list that it comes from, or by what it says. */
    async oldOf(item: ItemVersion, { listId, writable }: ListPlace, there: readonly Listed[]): Promise<ExistingItem | undefined> {
      if (request.collisions === 'keepBoth') return undefined;
      const itemId = textOf(item.properties['itemId']);
      const own = context.isOriginal && item.parentKey === `list:${listId}` ? await found(listId, itemId) : undefined;
      if (own) {
        const { lastModifiedDateTime: modifiedAt, contentType } = own;
        const { fields } = listItemFields((own.fields ?? {}) as JsonObject, writable, isSameSite);
        return { id: itemKey(listId, itemId), itemId, modifiedAt, contentType, fields, isIdentical: false };
      }
      const twin = await twins.find(there);
      return twin && { ...twin, modifiedAt: undefined, fields: {}, isIdentical: true };
    },
  };
}
