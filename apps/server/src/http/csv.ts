function cellOf(value: string | number | boolean | null): string {
  const text = value === null ? '' : String(value);
  const safe = typeof value === 'string' && /^[=+\-@\t\r\0]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A line of comma-separated values. A text that a spreadsheet would take for a formula gets a quote in front of it. */
export function csvLine(values: readonly (string | number | boolean | null)[]): string {
  return `${values.map(cellOf).join(',')}\r\n`;
}
