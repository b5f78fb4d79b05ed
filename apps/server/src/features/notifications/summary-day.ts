/** From this hour on a day is summed up. */
const FROM_HOUR = 7;
/** Later than this, after a downtime, it is yesterday's news. */
const UNTIL_HOUR = 12;

/** The local date whose summary is due at this moment; undefined outside of the morning. */
export function summaryDay(nowMs: number, timeZone: string): string | undefined {
  const local = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(timeZone);
  return local.hour >= FROM_HOUR && local.hour < UNTIL_HOUR ? local.toPlainDate().toString() : undefined;
}
