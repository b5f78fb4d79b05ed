import { isGraphError, type Body, type GraphClient, type Known } from '@holdfast/m365';
import { textOf } from '../../pipeline/text.ts';

/** A list, and the ids of what is in it. */
interface RowPlace {
  readonly listId: string;
  readonly ids: Set<string>;
}

/** Makes rows of lists, and finds those whose answers were lost. */
export function createRowMaker(graph: GraphClient, siteId: string) {
  /** The item that a lost answer was about: one that nobody had seen before, with these values. */
  async function lostItem({ listId, ids }: RowPlace, fields: Body): Promise<Known<object> | undefined> {
    for await (const { id } of graph.sites.items({ siteId, listId })) {
      if (ids.has(id)) continue;
      const { fields: found } = (await graph.sites.item({ siteId, listId, itemId: id })) as unknown as { readonly fields?: Body };
      if (textOf(found?.['Title']) !== textOf(fields['Title'])) continue;
      ids.add(id);
      return { id };
    }
    return undefined;
  }

  /** Of the content type that it had, where the list and the service have it. */
  async function makeItem(list: RowPlace, fields: Body, typeId: string | undefined): Promise<Known<object>> {
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

  return { makeItem };
}
