import type { Body } from '@holdfast/m365';
import type { Json, JsonObject } from '../../ports/item.ts';

/** Values for the columns of a list item, and names of those that could not be taken over. */
export interface ListItemFields {
  readonly fields: Body;
  readonly left: readonly string[];
}

interface Pointer {
  readonly LookupId?: Json;
}

function lookupIds(value: Json): readonly number[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const ids = (value as readonly Json[]).map((entry) => Number((entry as Pointer | null)?.LookupId));
  return ids.length > 0 && ids.every((id) => Number.isInteger(id)) ? ids : undefined;
}

function isTextList(value: Json): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((entry: Json) => typeof entry === 'string');
}

/**
 * What an item's columns take. Lists of values carry their type; people and lookups go by number,
 * which means the same thing only inside the site they come from.
 */
export function listItemFields(stored: JsonObject, writable: ReadonlySet<string>, isSameSite: boolean): ListItemFields {
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

  for (const [name, value] of Object.entries(stored)) {
    if (value === null || name.includes('@')) continue;
    const column = name.endsWith('LookupId') ? name.slice(0, -'LookupId'.length) : name;
    if (!writable.has(column) && column !== 'Title') continue;
    const ids = lookupIds(value);
    if (column !== name) point(column, value, Array.isArray(value) ? 'Collection(Edm.Int32)' : undefined);
    else if (ids) point(column, ids, 'Collection(Edm.Int32)');
    else {
      fields[name] = value;
      if (isTextList(value)) fields[`${name}@odata.type`] = 'Collection(Edm.String)';
    }
  }
  delete fields['ContentType'];
  return { fields, left: [...left] };
}
