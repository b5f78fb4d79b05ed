import type { Body } from '@holdfast/m365';
import type { Json, JsonObject } from '../../ports/item.ts';

/** A column as the target describes it, with the facet that tells its type. */
export interface Column {
  readonly name?: string;
  readonly displayName?: string;
  readonly readOnly?: boolean;
  readonly hidden?: boolean;
  readonly sealed?: boolean;
  readonly text?: { readonly allowMultipleLines?: boolean | null; readonly maxLength?: number | null } | null;
  readonly [facet: string]: unknown;
}

/** The columns of a list that take values, by name. */
export type WritableColumns = ReadonlyMap<string, Column>;

/** Values for the columns of a list item, and what the report says of those that do not come back as they were. */
export interface ListItemFields {
  readonly fields: Body;
  readonly left: readonly string[];
}

interface Pointer {
  readonly LookupId?: Json;
}

/** Types whose values Graph gives out and takes in no form. */
const UNWRITABLE = ['hyperlinkOrPicture', 'term', 'geolocation'] as const;
const LONGEST_LINE = 255;

function lookupIds(value: Json): readonly number[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const ids = (value as readonly Json[]).map((entry) => Number((entry as Pointer | null)?.LookupId));
  return ids.length > 0 && ids.every((id) => Number.isInteger(id)) ? ids : undefined;
}

function isTextList(value: Json): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((entry: Json) => typeof entry === 'string');
}

function isObject(value: Json): boolean {
  const [first] = Array.isArray(value) ? (value as readonly Json[]) : [value];
  return typeof first === 'object' && first !== null;
}

/** How long a value of the column may be; undefined where it has no limit of its own. */
function longestOf({ text }: Column): number | undefined {
  return text && text.allowMultipleLines !== true ? (text.maxLength ?? LONGEST_LINE) : undefined;
}

/** A value as its column takes it; undefined when the column takes it in no form. */
function writable(column: Column, value: Json): { readonly value: Json; readonly isShorter?: boolean } | undefined {
  if (UNWRITABLE.some((facet) => column[facet] !== undefined && column[facet] !== null)) return undefined;
  if (column['thumbnail'] && isObject(value)) return { value: JSON.stringify(value) };
  if (isObject(value)) return undefined;
  const longest = longestOf(column);
  const isShorter = longest !== undefined && typeof value === 'string' && value.length > longest;
  return isShorter ? { value: value.slice(0, longest), isShorter } : { value };
}

/** The column that a stored value belongs to: people and lookups are stored under the number they go by. */
function columnNamed(name: string): string {
  return name.endsWith('LookupId') ? name.slice(0, -'LookupId'.length) : name;
}

/** Names the values for which the target has no column. */
export function valuesWithoutColumn(stored: JsonObject, lost: ReadonlySet<string>): readonly string[] {
  const names = Object.entries(stored).flatMap(([name, value]) => (value === null ? [] : [columnNamed(name)]));
  return [...new Set(names)].filter((name) => lost.has(name)).map((name) => `fieldWithoutColumn ${name}`);
}

/**
 * What an item's columns take. Lists of values carry their type; people and lookups go by number,
 * which means the same thing only inside the site they come from.
 */
export function listItemFields(stored: JsonObject, columns: WritableColumns, isSameSite: boolean): ListItemFields {
  const fields: Record<string, unknown> = {};
  const left = new Set<string>();

  function point(column: string, value: unknown, type?: string): void {
    if (!isSameSite) {
      left.add(`field ${column}`);
      return;
    }
    fields[`${column}LookupId`] = value;
    if (type !== undefined) fields[`${column}LookupId@odata.type`] = type;
  }

  function write(name: string, column: Column, stated: Json): void {
    const taken = writable(column, stated);
    if (!taken) {
      left.add(`fieldUnwritable ${name}`);
      return;
    }
    fields[name] = taken.value;
    if (taken.isShorter) left.add(`fieldShortened ${name}`);
    if (isTextList(stated)) fields[`${name}@odata.type`] = 'Collection(Edm.String)';
  }

  for (const [name, value] of Object.entries(stored)) {
    if (value === null || name.includes('@')) continue;
    const pointed = columnNamed(name);
    // People write the title of every list, whichever column it is called there.
    const column = columns.get(pointed) ?? (pointed === 'Title' ? {} : undefined);
    if (!column) continue;
    const ids = lookupIds(value);
    if (pointed !== name) point(pointed, value, Array.isArray(value) ? 'Collection(Edm.Int32)' : undefined);
    else if (ids) point(pointed, ids, 'Collection(Edm.Int32)');
    else write(name, column, value);
  }
  return { fields, left: [...left] };
}
