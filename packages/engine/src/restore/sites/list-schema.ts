import { isGraphError, type Body, type GraphClient, type Known } from '@holdfast/m365';
import type { ItemVersion } from '../../ports/item.ts';
import type { PlacedContainer } from '../restorer.ts';
import { isBuiltIn, isFilledByService } from './built-in-columns.ts';
import type { Column, WritableColumns } from './list-fields.ts';

const FACETS = ['text', 'number', 'boolean', 'choice', 'dateTime', 'currency', 'personOrGroup', 'hyperlinkOrPicture'] as const;
/** Types that point to other things of the site: made one by one, because the service may refuse them. */
const POINTING = ['lookup', 'calculated', 'thumbnail', 'geolocation'] as const;
const PLAIN = ['name', 'displayName', 'description', 'required', 'indexed', 'enforceUniqueValues', 'defaultValue'] as const;
function columnBody(column: Column, facets: readonly string[]): Body | undefined {
  if ((column.readOnly && !column['calculated']) || column.sealed || !column.name || isBuiltIn(column.name)) return undefined;
  const facet = facets.find((name) => column[name] !== undefined && column[name] !== null);
  if (!facet) return undefined;
  const body: Record<string, unknown> = { [facet]: column[facet] };
  for (const name of PLAIN) if (column[name] !== undefined && column[name] !== null) body[name] = column[name];
  return body;
}

/** The service will not have it. It says so of columns as a fault of its own too, whatever it is asked again. */
function isRefusal(error: unknown): boolean {
  return isGraphError(error, 'graph.bad-request', 'graph.name-taken', 'graph.service-fault', 'graph.write-uncertain');
}

function columnsOf(list: ItemVersion): readonly Column[] {
  const columns = list.properties['columns'];
  return Array.isArray(columns) ? columns : [];
}

/** The address of a new list is made from its name, wherever the list was before. */
function createdList({ properties }: ItemVersion, made: Known<object> & { readonly webUrl?: string | null }): PlacedContainer {
  const isElsewhere = made.webUrl !== properties['webUrl'];
  return { outcome: 'restored', targetId: made.id, ...(isElsewhere ? { differences: ['listAddress'] } : {}) };
}

/** Columns of the original that hold values of people and that the list at the target does not have. */
export function columnsLost(list: ItemVersion, writable: WritableColumns): ReadonlySet<string> {
  const names = columnsOf(list).flatMap(({ name, readOnly }) =>
    name === undefined || readOnly === true || isFilledByService(name) ? [] : [name],
  );
  return new Set(names.filter((name) => !writable.has(name)));
}

/** Makes lists and the columns they lack. */
export function createListSchema(graph: GraphClient, siteId: string) {
  async function lists(): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    for await (const list of graph.sites.lists({ siteId })) found.set((list.displayName ?? '').toLowerCase(), list.id);
    return found;
  }

  async function columnNames(listId: string): Promise<Set<string>> {
    const names = new Set<string>();
    for await (const column of graph.sites.columns({ siteId, listId })) if (column.name) names.add(column.name);
    return names;
  }

  async function columnNamed(listId: string, name: string): Promise<Known<object> | undefined> {
    for await (const column of graph.sites.columns({ siteId, listId })) if (column.name === name) return column;
    return undefined;
  }

  async function createMissingColumns(item: ItemVersion, listId: string): Promise<readonly string[]> {
    const names = await columnNames(listId);
    const differences: string[] = [];
    for (const column of columnsOf(item)) {
      if (!column.name || names.has(column.name) || (column.readOnly && !column['calculated']) || isBuiltIn(column.name)) continue;
      const body = columnBody(column, [...FACETS, ...POINTING]);
      if (!body) {
        differences.push(`column ${column.name}`);
        continue;
      }
      try {
        await graph.sites.createColumn({ siteId, listId }, body, { recover: () => columnNamed(listId, column.name ?? '') });
      } catch (error) {
        if (!isRefusal(error)) throw error;
        differences.push(`column ${column.name}`);
      }
    }
    return differences;
  }

  async function create(item: ItemVersion, displayName: string): Promise<PlacedContainer> {
    const { list, description } = item.properties;
    const template = (list as { readonly template?: string } | undefined)?.template ?? 'genericList';
    const columns = columnsOf(item)
      .map((column) => columnBody(column, FACETS))
      .filter((body) => body !== undefined);
    const recover = async (): Promise<Known<object> | undefined> => {
      const id = (await lists()).get(displayName.toLowerCase());
      return id === undefined ? undefined : { id };
    };
    const body = { displayName, list: { template }, ...(description === undefined ? {} : { description }) };
    try {
      return createdList(item, await graph.sites.createList({ siteId }, { ...body, columns }, { recover }));
    } catch (error) {
      // One column that the service does not take spoils the whole list: they are made one by one then, and those named.
      if (!isRefusal(error) || columns.length === 0) throw error;
      return createdList(item, (await recover()) ?? (await graph.sites.createList({ siteId }, body, { recover })));
    }
  }

  /** The columns at the target that take values. */
  async function writableColumns(listId: string): Promise<WritableColumns> {
    const found = new Map<string, Column>();
    for await (const column of graph.sites.columns({ siteId, listId })) {
      if (column.name && !column.readOnly && !isFilledByService(column.name)) found.set(column.name, column as unknown as Column);
    }
    return found;
  }

  return { lists, create, createMissingColumns, writableColumns };
}
