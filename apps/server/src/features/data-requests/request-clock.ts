/** Days by the calendar: `2026-02-28`. */
type Day = string;

/**
 * The last day to answer a request: a month after it came in, three months after an extension (Article 12(3) GDPR). A month ends
 * on the day of the same number, or on its last day where it has no such day.
 */
export function lastDay(receivedOn: Day, isExtended: boolean): Day {
  return Temporal.PlainDate.from(receivedOn)
    .add({ months: isExtended ? 3 : 1 })
    .toString();
}

/** Negative when the day is over. */
export function daysUntil(day: Day, today: Day): number {
  return Temporal.PlainDate.from(today).until(Temporal.PlainDate.from(day), { largestUnit: 'days' }).days;
}

/** The day that a moment belongs to in a time zone. */
export function dayOf(at: Date, timeZone: string): Day {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone).toPlainDate().toString();
}
