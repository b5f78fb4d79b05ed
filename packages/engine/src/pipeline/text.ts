/** A value of free JSON as text: text as it is, numbers and truth values in words, anything else is `otherwise`. */
export function textOf(value: unknown, otherwise = ''): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : otherwise;
}
