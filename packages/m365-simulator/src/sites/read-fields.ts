import { badRequest } from '../http/failure.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../values/json.ts';
import { type ColumnKind, isFilledByService, kindOf } from './columns.ts';
import type { ColumnRecord, ListRecord } from '../places/list-records.ts';

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
  // Graph gives these out and takes them in no form.
  hyperlinkOrPicture: () => false,
  geolocation: () => false,
  term: () => false,
  thumbnail: isText,
};

const isLookupId: Test = (value) => isNumber(value) || (typeof value === 'string' && /^\d*$/.test(value)) || Array.isArray(value);

/** What pointers may lead to. */
export interface PointerTargets {
  hasPerson(number: number): boolean;
  hasRow(listId: string, number: number): boolean;
}

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

/** The column that a value is for, when somebody may set it to that. */
function requireColumn(list: ListRecord, name: string, value: JsonValue): Found {
  const found = columnFor(list, name);
  if (!found) throw badRequest('sites', `Field '${name}' is not recognized`);
  if (found.column['readOnly'] === true || isFilledByService(found.column)) throw badRequest('sites', `Field '${name}' is read-only`);
  if (value !== null && !found.takes(value)) throw badRequest('sites', `The value of field '${name}' does not fit its type`);
  return found;
}

function requireTargets({ column }: Found, value: JsonValue, targets: PointerTargets): void {
  const numbers = (Array.isArray(value) ? (value as readonly JsonValue[]) : [value]).map(Number);
  const facet = column['lookup'];
  const listId = isJsonObject(facet) && typeof facet['listId'] === 'string' ? facet['listId'] : '';
  const isThere = (number: number): boolean =>
    kindOf(column) === 'personOrGroup' ? targets.hasPerson(number) : targets.hasRow(listId, number);
  // Nothing, written as zero or an empty text, is always there.
  if (!numbers.every((number) => number === 0 || isThere(number))) throw badRequest('sites', 'The request is malformed or incorrect.');
}

/** A single line holds so many signs. */
function requireLength({ column }: Found, value: JsonValue): void {
  const facet = column['text'];
  if (!isJsonObject(facet) || facet['allowMultipleLines'] === true || typeof value !== 'string') return;
  const longest = typeof facet['maxLength'] === 'number' ? facet['maxLength'] : 255;
  if (value.length > longest) throw badRequest('sites', 'The request is malformed or incorrect.');
}

/** Reads columns that somebody sets: what is unknown, computed, read-only, of a wrong type or leads nowhere is refused. */
export function readFields(list: ListRecord, fields: JsonObject, targets: PointerTargets): JsonObject {
  const read: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (name.includes('@') || value === undefined) continue;
    const found = requireColumn(list, name, value);
    const isPointer = found.column.name !== name;
    if (value !== null && isPointer) requireTargets(found, value, targets);
    else if (value !== null) requireLength(found, value);
    // Several people or rows that were set by number are read as pointers, one to each.
    if (!isPointer || !Array.isArray(value)) read[name] = value;
    else read[found.column.name] = (value as readonly JsonValue[]).map((id) => ({ LookupId: Number(id), LookupValue: '' }));
  }
  return read;
}
