import type { RestorePoint } from '@holdfast/contract/discovery';

/** A day of the calendar with what happened on it. */
export interface CalendarDay {
  readonly key: string;
  readonly date: Date;
  readonly points: readonly RestorePoint[];
  readonly isDefective: boolean;
}

const two = (value: number): string => String(value).padStart(2, '0');

/** The day of a moment in the reader's zone: `2026-11-21`. */
export function dayKey(date: Date): string {
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** Points by their day. */
export function pointsByDay(points: readonly RestorePoint[]): ReadonlyMap<string, readonly RestorePoint[]> {
  const days = new Map<string, RestorePoint[]>();
  for (const point of points) {
    const key = dayKey(new Date(point.at));
    days.set(key, [...(days.get(key) ?? []), point]);
  }
  return days;
}

/** The weeks of a month, from the given first day of the week (0 Sunday, 1 Monday); null fills the edges. */
export function weeksOf(
  month: Date,
  firstDay: 0 | 1,
  days: ReadonlyMap<string, readonly RestorePoint[]>,
): readonly (readonly (CalendarDay | null)[])[] {
  const year = month.getFullYear();
  const index = month.getMonth();
  const lead = (new Date(year, index, 1).getDay() - firstDay + 7) % 7;
  const count = new Date(year, index + 1, 0).getDate();
  const cells: (CalendarDay | null)[] = Array.from({ length: lead }, () => null);
  for (let day = 1; day <= count; day += 1) {
    const date = new Date(year, index, day);
    const points = days.get(dayKey(date)) ?? [];
    cells.push({ key: dayKey(date), date, points, isDefective: points.some((point) => point.status === 'defective') });
  }
  while (cells.length % 7 !== 0) cells.push(null);
  return Array.from({ length: cells.length / 7 }, (_empty, week) => cells.slice(week * 7, week * 7 + 7));
}

/** The newest point before a moment. */
export function lastBefore(points: readonly RestorePoint[], moment: Date): RestorePoint | null {
  const before = points.filter((point) => Date.parse(point.at) < moment.getTime());
  return before.toSorted((left, right) => Date.parse(right.at) - Date.parse(left.at))[0] ?? null;
}
