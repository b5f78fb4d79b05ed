/** How long the messages of an archive are kept at least, counted from one of their times. */
export interface RetentionPeriod {
  readonly anchor: 'archived' | 'received' | 'event' | 'labelled';
  readonly length: { readonly amount: number; readonly unit: 'days' | 'months' | 'years' };
  /** Whether the period begins on the day of the anchor, or when its calendar or fiscal year has ended. */
  readonly start: 'day' | 'calendarYear' | 'fiscalYear';
  /** The month, 1 to 12, with whose last day the fiscal year ends. */
  readonly fiscalYearEnd: number;
}

/** When a message came, as local days (`2026-03-28`). The time that its sender claims is none of them. */
export interface MessageDays {
  readonly archived: string;
  readonly received: string;
  /** The day of the latest event that concerns the message; null before any. */
  readonly event: string | null;
  /** The day on which its label was set, or that of receipt if that is later; null while nobody knows its labels. */
  readonly labelled: string | null;
}

/** The day in a zone that a moment belongs to. */
export function localDay(atMs: number, timeZone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(timeZone).toPlainDate().toString();
}

/** An event starts the period of what was there. What came after it counts from its own arrival. */
function anchorOf({ anchor }: RetentionPeriod, { archived, received, event, labelled }: MessageDays): string | null {
  if (anchor === 'archived') return archived;
  if (anchor === 'received') return received;
  if (anchor === 'labelled') return labelled;
  return event === null || event > received ? event : received;
}

/** The first day after the year that a day is in; years end with the last day of a month. */
function afterYear(day: Temporal.PlainDate, endMonth: number): Temporal.PlainDate {
  const first = Temporal.PlainDate.from({ year: day.year, month: endMonth, day: 1 }).add({ months: 1 });
  return Temporal.PlainDate.compare(day, first) < 0 ? first : first.add({ years: 1 });
}

/** The last day on which a message is kept; null while its period waits for an event, or for its labels to be read. */
export function lastKeptDay(period: RetentionPeriod, days: MessageDays): string | null {
  const anchor = anchorOf(period, days);
  if (anchor === null) return null;
  const day = Temporal.PlainDate.from(anchor);
  const length = { [period.length.unit]: period.length.amount };
  if (period.start === 'day') return day.add(length).toString();
  const begins = afterYear(day, period.start === 'calendarYear' ? 12 : period.fiscalYearEnd);
  return begins.add(length).subtract({ days: 1 }).toString();
}

/** The first moment in a zone after which no clock there shows a day, or an earlier one, again. */
export function endOfDay(day: string, timeZone: string): number {
  const next = Temporal.PlainDate.from(day).add({ days: 1 });
  // A clock that is put back across midnight shows the end of the day twice: the second time counts.
  const later = next.toPlainDateTime().toZonedDateTime(timeZone, { disambiguation: 'later' });
  const isCrossing = Temporal.PlainDate.compare(later.subtract({ milliseconds: 1 }).toPlainDate(), next) < 0;
  return (isCrossing ? later : next.toZonedDateTime(timeZone)).epochMilliseconds;
}
