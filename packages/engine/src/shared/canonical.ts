import { sha256Hex } from '@holdfast/foundation/bytes';
import type { Json } from '../ports/item.ts';

/** JSON with sorted names: equal values give equal text whatever order a database returns them in. */
export function canonicalJson(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${value.map((entry: Json) => canonicalJson(entry)).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).filter(([, field]) => field !== undefined);
    fields.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`).join(',')}}`;
  }
  return JSON.stringify(value ?? null);
}

/** A short tag of some values; changes when one of them does. */
export function tagOf(...values: readonly (Json | undefined)[]): string {
  return sha256Hex(canonicalJson(values.map((value) => value ?? null))).slice(0, 32);
}
