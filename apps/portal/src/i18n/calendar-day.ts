import { z } from 'zod';

/** A day as a date field gives it; null when it is empty. */
export const optionalDay = z.preprocess((value) => (value === '' || value === undefined ? null : value), z.iso.date().nullable());
export const requiredDay = z.iso.date({ error: 'validation.dateRequired' });

/** The first moment of a day of the reader's calendar, or of a day after it. */
function startOf(date: string, days = 0): Date {
  const [year = 0, month = 1, at = 1] = date.split('-').map(Number);
  return new Date(year, month - 1, at + days);
}

export function startOfDay(date: string): string {
  return startOf(date).toISOString();
}

export function endOfDay(date: string): string {
  return new Date(startOf(date, 1).getTime() - 1).toISOString();
}

/** The last moment of what ends at a moment: what is kept until midnight is kept on the day before it. */
export function lastMomentOf(end: string): string {
  return new Date(Date.parse(end) - 1).toISOString();
}

/** The day of the reader's calendar that a moment is in, as a date field takes it. */
export function dayOf(at: string | null): string {
  if (at === null) return '';
  const date = new Date(at);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
