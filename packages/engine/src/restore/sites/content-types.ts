import { isGraphError, type GraphClient, type Known } from '@holdfast/m365';
import { listOf } from '../../pipeline/list-of.ts';
import { textOf } from '../../pipeline/text.ts';
import type { ItemVersion, Json } from '../../ports/item.ts';

/** A content type of a list, as it is stored. */
interface StoredType {
  readonly id: string;
  readonly name: string;
  /** The content type of the site that it is a copy of. */
  readonly parentId: string;
  readonly description: string;
  readonly group: string;
  /** Undefined when nobody has asked for them. */
  readonly columns: readonly string[] | undefined;
}

/** A content type at the target. */
interface FoundType {
  readonly id: string;
  readonly name?: string | null;
  readonly parentId?: string | null;
}

/** The content types of a list at the target, and what could not be had of those it should have. */
export interface PlacedTypes {
  /** Their ids in the list, by the ids they are stored with. */
  readonly ids: ReadonlyMap<string, string>;
  readonly differences: readonly string[];
}

/** Columns that every content type has from the first one on. */
const OF_EVERY_TYPE = new Set(['ContentType', 'Title']);

function typesOf(list: ItemVersion): readonly StoredType[] {
  return listOf(list.properties['contentTypes']).map((type) => ({
    id: textOf(type['id']),
    name: textOf(type['name']),
    parentId: textOf(type['parentId']),
    description: textOf(type['description']),
    group: textOf(type['group']),
    columns: type['columns'] === undefined ? undefined : listOf(type['columns'] as Json).map(({ name }) => textOf(name)),
  }));
}

/** True when it is so now, false when the service will not have it. What is there already is refused, after lost answers too. */
async function unlessRefused(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (isGraphError(error, 'graph.name-taken')) return true;
    if (isGraphError(error, 'graph.bad-request', 'graph.item-gone')) return false;
    throw error;
  }
}

function named(types: readonly FoundType[], name: string): FoundType | undefined {
  return types.find((one) => (one.name ?? '').toLowerCase() === name.toLowerCase());
}

/** The nearest ancestor that the site has: the id of a content type begins with those of its ancestors. */
function ancestorOf(type: StoredType, known: readonly FoundType[]): FoundType | undefined {
  const [nearest] = known
    .filter(({ id }) => id.length > '0x'.length && type.parentId.startsWith(id))
    .toSorted((a, b) => b.id.length - a.id.length);
  return nearest;
}

/**
 * Gives lists the content types they had. A list takes copies of what its site has; what the site lacks is made there first,
 * out of the columns that the site has: those of a list alone can be in no content type of a site.
 */
export function createContentTypes(graph: GraphClient, siteId: string) {
  let ofSite: Promise<readonly FoundType[]> | undefined;

  async function siteTypes(): Promise<readonly FoundType[]> {
    const found: FoundType[] = [];
    for await (const type of graph.sites.siteContentTypes({ siteId })) found.push(type);
    return found;
  }

  async function typesIn(listId: string): Promise<readonly FoundType[]> {
    const found: FoundType[] = [];
    for await (const type of graph.sites.listContentTypes({ siteId, listId })) found.push(type);
    return found;
  }

  /** Whether the new type has all the columns that it had. */
  async function takeColumns(typeId: string, { columns }: StoredType): Promise<boolean> {
    if (!columns) return false;
    const there = new Map<string, string>();
    for await (const { id, name } of graph.sites.siteColumns({ siteId })) if (name) there.set(name, id);
    let isWhole = true;
    for (const name of columns.filter((column) => !OF_EVERY_TYPE.has(column))) {
      const columnId = there.get(name);
      const isTaken = columnId !== undefined && (await unlessRefused(() => graph.sites.addContentTypeColumn({ siteId }, typeId, columnId)));
      isWhole &&= isTaken;
    }
    return isWhole;
  }

  async function make(type: StoredType, base: FoundType): Promise<FoundType> {
    const { name, description, group } = type;
    const body = { name, description, group, base: { id: base.id } };
    const recover = async (): Promise<Known<object> | undefined> => named(await siteTypes(), name);
    const made = await graph.sites.createSiteContentType({ siteId }, body, { recover });
    ofSite = undefined;
    return made;
  }

  /** Adds one content type to a list. Answers what could not be had of it. */
  async function add(type: StoredType, listId: string): Promise<readonly string[]> {
    ofSite ??= siteTypes();
    const known = await ofSite;
    let source = known.find(({ id }) => id === type.parentId) ?? named(known, type.name);
    const differences: string[] = [];
    const isAdded = await unlessRefused(async () => {
      const base = ancestorOf(type, known);
      if (!source && base) {
        source = await make(type, base);
        if (!(await takeColumns(source.id, type))) differences.push(`contentTypeColumns ${type.name}`);
      }
      if (source) await graph.sites.addContentTypeCopy({ siteId, listId }, source.id);
    });
    return isAdded && source ? differences : [`listContentType ${type.name}`];
  }

  return {
    async place(item: ItemVersion, listId: string): Promise<PlacedTypes> {
      const wanted = typesOf(item);
      let there = await typesIn(listId);
      // Somebody may have renamed it, and built-in ones have a name in each language.
      const idOf = ({ name, parentId }: StoredType): string | undefined =>
        (named(there, name) ?? there.find((one) => one.parentId === parentId))?.id;
      const lacking = wanted.filter((type) => idOf(type) === undefined);
      const differences: string[] = [];
      for (const type of lacking) differences.push(...(await add(type, listId)));
      if (lacking.length > 0) there = await typesIn(listId);
      const pairs = wanted.flatMap((type): readonly (readonly [StoredType, string])[] => {
        const id = idOf(type);
        return id === undefined ? [] : [[type, id]];
      });
      return { ids: new Map(pairs.map(([type, id]) => [type.id, id])), differences };
    },
  };
}
