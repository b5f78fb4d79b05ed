import { badRequest } from '../http/failure.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../http/json.ts';
import { type ColumnKind, kindOf } from './columns.ts';
import type { ColumnRecord, ListRecord } from './list-records.ts';

type Test = (value: JsonValue) => boolean;

const isText: Test = (value) => typeof value === 'string';
const isTexts: Test = (value) => Array.isArray(value) && value.every((entry: JsonValue) => isText(entry));
const isNumber: Test = (value) => typeof value === 'number';

/** What each type of column takes, by the name of the column itself; people and lookups go by `…LookupId`. */
const TAKES: Readonly<Partial<Record<ColumnKind, Test>>> = {
  text: isText,
  number: isNumber,
  currency: isNumber,
  boolean: (value) => typeof value === 'boolean',
  dateTime: (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
  choice: (value) => isText(value) || isTexts(value),
  personOrGroup: (value) => Array.isArray(value),
  lookup: (value) => Array.isArray(value),
  hyperlinkOrPicture: (value) => isJsonObject(value),
  geolocation: (value) => isJsonObject(value),
  term: (value) => isJsonObject(value) || Array.isArray(value),
  thumbnail: isText,
};

const isLookupId: Test = (value) => isNumber(value) || (typeof value === 'string' && /^\d*$/.test(value)) || Array.isArray(value);

interface Found {
  readonly column: ColumnRecord;
  readonly takes: Test;
}

function columnFor(list: ListRecord, name: string): Found | undefined {
  const direct = list.columns.find((column) => column.name === name);
  if (direct) return { column: direct, takes: TAKES[kindOf(direct) ?? 'text'] ?? (() => true) };
  const pointed = list.columns.find((column) => `${column.name}LookupId` === name);
  const kind = pointed && kindOf(pointed);
  return pointed && (kind === 'personOrGroup' || kind === 'lookup') ? { column: pointed, takes: isLookupId } : undefined;
}

/** Reads columns that somebody sets: unknown, computed and read-only ones and values of a wrong type are refused by name. */
export function readFields(list: ListRecord, fields: JsonObject): JsonObject {
  const read: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (name.includes('@') || value === undefined) continue;
    const found = columnFor(list, name);
    if (!found) throw badRequest('sites', `Field '${name}' is not recognized`);
    if (found.column['readOnly'] === true) throw badRequest('sites', `Field '${name}' is read-only`);
    if (value !== null && !found.takes(value)) throw badRequest('sites', `The value of field '${name}' does not fit its type`);
    // Several people or rows that were set by number are read as pointers, one to each.
    if (found.column.name === name || !Array.isArray(value)) read[name] = value;
    else read[found.column.name] = (value as readonly JsonValue[]).map((id) => ({ LookupId: Number(id), LookupValue: '' }));
  }
  return read;
}
