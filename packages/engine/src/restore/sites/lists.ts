import { isGraphError, type Body, type Known } from '@holdfast/m365';
import type { ItemVersion, Json } from '../../ports/item.ts';
import { readJson, type ItemOutcome, type PlacedContainer, type RestoreContext } from '../restorer.ts';

interface Column {
  readonly name?: string;
  readonly displayName?: string;
  readonly readOnly?: boolean;
  readonly hidden?: boolean;
  readonly sealed?: boolean;
  readonly [facet: string]: unknown;
}

const FACETS = ['text', 'number', 'boolean', 'choice', 'dateTime', 'currency', 'personOrGroup', 'hyperlinkOrPicture'] as const;
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

function columnBody(column: Column): Body | undefined {
  if (column.readOnly || column.sealed || !column.name || BUILT_IN.has(column.name)) return undefined;
  const facet = FACETS.find((name) => column[name] !== undefined && column[name] !== null);
  if (!facet) return undefined;
  const body: Record<string, unknown> = { [facet]: column[facet] };
  for (const name of PLAIN) if (column[name] !== undefined && column[name] !== null) body[name] = column[name];
  return body;
}

function columnsOf(list: ItemVersion): readonly Column[] {
  const columns = list.properties['columns'];
  return Array.isArray(columns) ? columns : [];
}

interface PlacedList {
  readonly listId: string;
  readonly writable: ReadonlySet<string>;
}

/** Puts lists, their columns and their items back. Authors and times of items are the service's. */
export function createListRestorer(context: RestoreContext, siteId: string) {
  const { request, graph } = context;
  const placed = new Map<string, PlacedList>();
  let existing: Promise<Map<string, string>> | undefined;

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
      if (!column.name || names.has(column.name) || column.readOnly || BUILT_IN.has(column.name)) continue;
      const body = columnBody(column);
      if (!body) {
        differences.push(`column ${column.name}`);
        continue;
      }
      const recover = async () => undefined;
      await graph.sites.createColumn({ siteId, listId }, body, { recover });
    }
    return differences;
  }

  async function create(item: ItemVersion, displayName: string): Promise<PlacedContainer> {
    const { list, description } = item.properties;
    const template = (list as { readonly template?: string } | undefined)?.template ?? 'genericList';
    const columns = columnsOf(item)
      .map(columnBody)
      .filter((body) => body !== undefined);
    const recover = async (): Promise<Known<object> | undefined> => {
      const id = (await lists()).get(displayName.toLowerCase());
      return id === undefined ? undefined : { id };
    };
    const body = { displayName, list: { template }, columns, ...(description === undefined ? {} : { description }) };
    const made = await graph.sites.createList({ siteId }, body, { recover });
    return { outcome: 'restored', targetId: made.id };
  }

  function fieldsOf(stored: Readonly<Record<string, unknown>>, writable: ReadonlySet<string>): Body {
    const out: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(stored)) {
      if (value === null || name.includes('@') || name === 'id' || name === 'ContentType') continue;
      if (writable.has(name) || name === 'Title') out[name] = value;
      else if (name.endsWith('LookupId') && writable.has(name.slice(0, -'LookupId'.length))) out[name] = value;
    }
    return out;
  }

  async function isThere(listId: string, itemId: string): Promise<boolean> {
    try {
      await graph.sites.item({ siteId, listId, itemId });
      return true;
    } catch (error) {
      if (isGraphError(error, 'graph.item-gone')) return false;
      throw error;
    }
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
      const writable = new Set(
        columnsOf(item)
          .filter((column) => !column.readOnly && column.name)
          .map((column) => column.name ?? ''),
      );
      placed.set(item.key, { listId: here.targetId, writable });
      return { ...here, differences };
    },
    async restore(item: ItemVersion): Promise<ItemOutcome> {
      const list = item.parentKey === null ? undefined : placed.get(item.parentKey);
      if (!list) return { outcome: 'failed', code: 'restore.container-failed' };
      const { listId, writable } = list;
      const stored = await readJson(context, item);
      const fields = fieldsOf((stored['fields'] ?? item.properties['fields'] ?? {}) as Readonly<Record<string, unknown>>, writable);
      const itemId = String(item.properties['itemId'] ?? '');
      const isPresent = context.isOriginal && item.parentKey === `list:${listId}` && (await isThere(listId, itemId));
      const differences = ['createdBy', 'lastModifiedBy', 'createdDateTime', 'lastModifiedDateTime'];
      if (isPresent && request.collisions !== 'keepBoth') {
        if (request.collisions === 'skip') return { outcome: 'skipped', targetId: itemId, code: 'restore.exists' };
        await graph.sites.updateFields({ siteId, listId, itemId }, fields);
        return { outcome: 'replaced', targetId: itemId, differences };
      }
      const recover = async (): Promise<Known<object> | undefined> => undefined;
      const made = await graph.sites.createItem({ siteId, listId }, { fields }, { recover });
      return { outcome: 'restored', targetId: made.id, differences };
    },
    async collides(item: ItemVersion): Promise<boolean> {
      if (!context.isOriginal || item.parentKey === null) return false;
      return isThere(item.parentKey.slice('list:'.length), String(item.properties['itemId'] ?? ''));
    },
  };
}
