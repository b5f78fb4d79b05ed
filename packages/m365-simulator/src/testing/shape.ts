/**
 * The shape of an answer: names of properties, and for each the name of its JSON type, the shape of its object, or the
 * shape of the first element of its collection. `null` stands for a property that is null.
 */
export type Shape = string | null | readonly Shape[] | { readonly [name: string]: Shape };

/** The shape of any JSON value. */
export function shapeOf(value: unknown): Shape {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return value.length === 0 ? [] : [shapeOf(value[0])];
  if (typeof value !== 'object') return typeof value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, entry]) => entry !== undefined)
      .map(([name, entry]) => [name, shapeOf(entry)]),
  );
}
