import type { Json } from '../ports/item.ts';

/** A list of free JSON as its entries; anything else has none. */
export function listOf(value: Json | undefined): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value : [];
}
