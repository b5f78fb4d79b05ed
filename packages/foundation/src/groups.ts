/** Values in groups of at most so many, in their order: one statement takes so many and no more. */
export function* groupsOf<T>(values: readonly T[], size: number): Generator<readonly T[], void, undefined> {
  for (let at = 0; at < values.length; at += size) yield values.slice(at, at + size);
}
