import { isGraphError, type Body, type GraphClient } from '@holdfast/m365';
import type { WritableColumns } from './list-fields.ts';

const POINTER = 'LookupId';

/** A row that was written, and what the report says of values that the service refused. */
interface WrittenRow<T> {
  readonly row: T;
  readonly refused: readonly string[];
}

function pointers(fields: Body): readonly string[] {
  return Object.keys(fields).filter((name) => name.endsWith(POINTER));
}

function without(fields: Body, names: readonly string[]): Body {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name.replace(/@odata\.type$/u, ''))));
}

/** What a row says beside whom and what it points to. */
export function withoutPointers(fields: Body): Body {
  return without(fields, pointers(fields));
}

interface CleanedFields {
  readonly rest: Body;
  readonly lost: readonly string[];
}

/**
 * Writes rows whose people and lookups may point to what is gone. The service refuses such a row as a whole and does not
 * say which value is at fault, so what they point to is looked for, and the row is tried once more without it.
 */
export function createRowWriter(graph: GraphClient, siteId: string) {
  let people: Promise<string | undefined> | undefined;

  async function findPeople(): Promise<string | undefined> {
    for await (const { id, list } of graph.sites.lists({ siteId })) if (list?.template === 'userInformation') return id;
    return undefined;
  }

  async function isThere(listId: string | undefined, itemId: string): Promise<boolean> {
    if (listId === undefined || listId === '') return false;
    try {
      await graph.sites.item({ siteId, listId, itemId });
      return true;
    } catch (error) {
      if (isGraphError(error, 'graph.item-gone', 'graph.bad-request')) return false;
      throw error;
    }
  }

  /** The list in which a column finds its values. */
  async function listBehind(columns: WritableColumns, name: string): Promise<string | undefined> {
    const column = columns.get(name);
    people ??= findPeople();
    return column?.['personOrGroup'] ? people : (column?.['lookup'] as { readonly listId?: string } | undefined)?.listId;
  }

  /** What a pointer leads to that is there, of one value or of several. */
  async function present(columns: WritableColumns, name: string, value: unknown): Promise<readonly unknown[] | 'all'> {
    const listId = await listBehind(columns, name.slice(0, -POINTER.length));
    const ids = Array.isArray(value) ? (value as readonly unknown[]) : [value];
    const there: unknown[] = [];
    for (const id of ids) if (await isThere(listId, String(id))) there.push(id);
    return there.length === ids.length ? 'all' : there;
  }

  /** The fields without what points to nothing, and the names of those; undefined when all pointers lead somewhere. */
  async function withoutDead(fields: Body, columns: WritableColumns): Promise<CleanedFields | undefined> {
    const left = new Map<string, readonly unknown[]>();
    for (const name of pointers(fields)) {
      const there = await present(columns, name, fields[name]);
      if (there !== 'all') left.set(name, there);
    }
    if (left.size === 0) return undefined;
    const partly = [...left].filter(([, there]) => there.length > 0);
    const gone = [...left.keys()].filter((name) => !partly.some(([kept]) => kept === name));
    return { rest: { ...without(fields, gone), ...Object.fromEntries(partly) }, lost: [...left.keys()] };
  }

  return {
    withoutDead,
    async write<T>(fields: Body, columns: WritableColumns, send: (fields: Body) => Promise<T>): Promise<WrittenRow<T>> {
      try {
        return { row: await send(fields), refused: [] };
      } catch (error) {
        if (!isGraphError(error, 'graph.bad-request') || pointers(fields).length === 0) throw error;
        // The service may have a reason of its own to refuse a pointer that leads somewhere: none of them is sent then.
        const { rest, lost } = (await withoutDead(fields, columns)) ?? { rest: withoutPointers(fields), lost: pointers(fields) };
        return { row: await send(rest), refused: lost.map((name) => `fieldRefused ${name.slice(0, -POINTER.length)}`) };
      }
    },
  };
}
