/** Days as the date fields have them: `YYYY-MM-DD`, or empty. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

/** Midnight of a day by the reader's clock, so many days later. */
function midnight(day: string, later = 0): string {
  const start = new Date(`${day}T00:00`);
  start.setDate(start.getDate() + later);
  return start.toISOString();
}

/** From the start of the first day to the end of the last, both by the reader's clock. */
export function periodOf({ from, to }: DayRange): { readonly from?: string; readonly to?: string } {
  return { ...(from === '' ? {} : { from: midnight(from) }), ...(to === '' ? {} : { to: midnight(to, 1) }) };
}
