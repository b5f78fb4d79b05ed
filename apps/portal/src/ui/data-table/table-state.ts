import { pageSizes } from '@holdfast/contract/limits';
import { z } from 'zod';

/** What of a table stands in the address, so that a view can be shared, reloaded and gone back to. */
export interface TableState {
  readonly sort: string | null;
  readonly search: string;
  readonly filters: Readonly<Record<string, string>>;
  /** The cursors of the pages gone through; the last one is the page shown. */
  readonly cursors: readonly string[];
}

const sortText = z.string().regex(/^-?[A-Za-z]\w{0,40}$/);
const searchText = z.string().max(200);
const cursorText = z.string().min(1).max(2_000);
const maxCursors = 200;

function valid<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> | null {
  const parsed = schema.safeParse(value);
  return parsed.success ? parsed.data : null;
}

/** The names a table's state has in the address; `prefix` tells two tables of a page apart. */
function names(prefix: string): { sort: string; search: string; after: string; filter: (id: string) => string } {
  return { sort: `${prefix}sort`, search: `${prefix}search`, after: `${prefix}after`, filter: (id) => `${prefix}${id}` };
}

/** Reads a state; values that nobody knows are ignored. */
export function parseTableState(
  params: URLSearchParams,
  known: {
    readonly prefix?: string;
    readonly filters: readonly { readonly id: string; readonly choices: readonly { readonly value: string }[] }[];
    readonly sorts: readonly string[];
  },
): TableState {
  const name = names(known.prefix ?? '');
  const sort = valid(sortText, params.get(name.sort));
  const filters: Record<string, string> = {};
  for (const { id, choices } of known.filters) {
    const value = params.get(name.filter(id));
    if (value !== null && choices.some((choice) => choice.value === value)) filters[id] = value;
  }
  const cursors = params.getAll(name.after).flatMap((cursor) => valid(cursorText, cursor) ?? []);
  return {
    sort: sort !== null && known.sorts.includes(sort.replace(/^-/, '')) ? sort : null,
    search: valid(searchText, params.get(name.search)) ?? '',
    filters,
    cursors: cursors.slice(0, maxCursors),
  };
}

/** Writes a state into an address; what else stands there stays. */
export function writeTableState(
  before: URLSearchParams,
  state: TableState,
  known: { readonly prefix?: string; readonly filterIds: readonly string[] },
): URLSearchParams {
  const name = names(known.prefix ?? '');
  const params = new URLSearchParams(before);
  const put = (key: string, value: string): void => (value === '' ? params.delete(key) : params.set(key, value));
  put(name.sort, state.sort ?? '');
  put(name.search, state.search);
  for (const id of known.filterIds) put(name.filter(id), state.filters[id] ?? '');
  params.delete(name.after);
  for (const cursor of state.cursors) params.append(name.after, cursor);
  return params;
}

/** The next state of a sortable column: ascending, descending, as it came. */
export function nextSort(current: string | null, column: string): string | null {
  if (current === column) return `-${column}`;
  return current === `-${column}` ? null : column;
}

export const defaultPageSize = pageSizes[1];
