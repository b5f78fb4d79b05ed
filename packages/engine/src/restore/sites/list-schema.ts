import { isGraphError, type Body, type GraphClient, type Known } from '@holdfast/m365';
import type { ItemVersion } from '../../ports/item.ts';
import type { PlacedContainer } from '../restorer.ts';

interface Column {
  readonly name?: string;
  readonly displayName?: string;
  readonly readOnly?: boolean;
  readonly hidden?: boolean;
  readonly sealed?: boolean;
  readonly [facet: string]: unknown;
}

const FACETS = ['text', 'number', 'boolean', 'choice', 'dateTime', 'currency', 'personOrGroup', 'hyperlinkOrPicture'] as const;
/** Types that point to other things of the site: made one by one, because the service may refuse them. */
const POINTING = ['lookup', 'calculated', 'thumbnail', 'geolocation'] as const;
const PLAIN = ['name', 'displayName', 'description', 'required', 'indexed', 'enforceUniqueValues', 'defaultValue'] as const;
/** Columns that every list has. */
const BUILT_IN = new Set([
  'Title',
  'LinkTitle',
  'LinkTitleNoMenu',
  'ContentType',
  'Attachments',
  'Edit',
  'ID',
  'Modified',
  'Created',
  'Author',
  'Editor',
]);

function columnBody(column: Column, facets: readonly string[]): Body | undefined {
  if ((column.readOnly && !column['calculated']) || column.sealed || !column.name || BUILT_IN.has(column.name)) return undefined;
  const facet = facets.find((name) => column[name] !== undefined && column[name] !== null);
  if (!facet) return undefined;
  const body: Record<string, unknown> = { [facet]: column[facet] };
  for (const name of PLAIN) if (column[name] !== undefined && column[name] !== null) body[name] = column[name];
  return body;
}

function columnsOf(list: ItemVersion): readonly Column[] {
  const columns = list.properties['columns'];
  return Array.isArray(columns) ? columns : [];
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

  async function createMissingColumns(item: ItemVersion, listId: string): Promise<readonly string[]> {
    const names = await columnNames(listId);
    const differences: string[] = [];
    for (const column of columnsOf(item)) {
      if (!column.name || names.has(column.name) || (column.readOnly && !column['calculated']) || BUILT_IN.has(column.name)) continue;
      const body = columnBody(column, [...FACETS, ...POINTING]);
      if (!body) {
        differences.push(`column ${column.name}`);
        continue;
      }
      try {
        await graph.sites.createColumn({ siteId, listId }, body, { recover: async () => undefined });
      } catch (error) {
        if (!isGraphError(error, 'graph.bad-request', 'graph.name-taken')) throw error;
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
    const body = { displayName, list: { template }, columns, ...(description === undefined ? {} : { description }) };
    const made = await graph.sites.createList({ siteId }, body, { recover });
    return { outcome: 'restored', targetId: made.id };
  }

  /** Names of the columns at the target that take values. */
  async function writableColumns(listId: string): Promise<ReadonlySet<string>> {
    const names = new Set<string>();
    for await (const column of graph.sites.columns({ siteId, listId })) if (column.name && !column.readOnly) names.add(column.name);
    return names;
  }

  return { lists, create, createMissingColumns, writableColumns };
}
