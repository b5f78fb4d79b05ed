/** A span of time of a tenant: from a moment on, and before another one. */
export interface Period {
  readonly tenantId: string;
  readonly from: Date;
  readonly to: Date;
}

const dateOf = (zoned: Temporal.ZonedDateTime): Date => new Date(zoned.epochMilliseconds);

/** The last month that has ended by the clock of an organisation. */
function lastMonth(nowMs: number, timeZone: string): Pick<Period, 'from' | 'to'> {
  const today = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(timeZone);
  const first = today.toPlainDate().with({ day: 1 });
  return { from: dateOf(first.subtract({ months: 1 }).toZonedDateTime(timeZone)), to: dateOf(first.toZonedDateTime(timeZone)) };
}

/** A month is closed when what ran over its end has had time to be written down. */
const SETTLED_MS = 10 * 60_000;

/** The last month that is closed. */
export function settledMonth(nowMs: number, timeZone: string): Pick<Period, 'from' | 'to'> {
  return lastMonth(nowMs - SETTLED_MS, timeZone);
}

/** A month as its reports are numbered and its ids are made: 202610. */
export function monthNumber(at: Date, timeZone: string): number {
  const local = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone);
  return local.year * 100 + local.month;
}

/** Every day that a period touches, by the clock of the organisation, at most as many as a chart has room for. */
export function daysOf({ from, to }: Pick<Period, 'from' | 'to'>, timeZone: string): readonly string[] {
  const dayOf = (ms: number): Temporal.PlainDate => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone).toPlainDate();
  const last = dayOf(to.getTime() - 1);
  const days: string[] = [];
  for (let day = dayOf(from.getTime()); Temporal.PlainDate.compare(day, last) <= 0; day = day.add({ days: 1 })) days.push(day.toString());
  return days;
}
