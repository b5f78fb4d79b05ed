import type { Schedule } from '@holdfast/contract/jobs/schedule';

/**
 * When a job is due. `key` names the occurrence in the zone of the schedule: two schedulers, or one
 * whose clock steps, that find the same occurrence give it the same key, and a unique index lets it
 * through once.
 */
export interface Occurrence {
  readonly atMs: number;
  readonly key: string;
}

const MINUTE_MS = 60_000;

/**
 * The moment of a local time. A time that the clock skips is taken at the first moment after the
 * gap, one that comes twice at its first.
 */
function momentOf(local: Temporal.PlainDateTime, timeZone: string): Temporal.ZonedDateTime {
  const moment = local.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
  if (moment.toPlainDateTime().equals(local)) return moment;
  return moment.getTimeZoneTransition('next') ?? moment;
}

function occurrence(date: Temporal.PlainDate, time: string, timeZone: string): Occurrence {
  const local = date.toPlainDateTime(Temporal.PlainTime.from(time));
  return { atMs: momentOf(local, timeZone).epochMilliseconds, key: `${local.toString({ smallestUnit: 'minute' })} ${timeZone}` };
}

function dateAt(ms: number, timeZone: string): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone).toPlainDate();
}

/** The first of the days that `takes` accepts whose occurrence lies after `afterMs`; a week and a day always hold one. */
function nextDay(
  schedule: { readonly time: string; readonly timeZone: string },
  afterMs: number,
  takes: (date: Temporal.PlainDate) => boolean,
): Occurrence | undefined {
  const first = dateAt(afterMs, schedule.timeZone);
  for (let offset = 0; offset <= 8; offset += 1) {
    const date = first.add({ days: offset });
    if (!takes(date)) continue;
    const found = occurrence(date, schedule.time, schedule.timeZone);
    if (found.atMs > afterMs) return found;
  }
  return undefined;
}

/**
 * The next occurrence strictly after `afterMs`, or undefined when there is none. `anchorMs` is when
 * the schedule was set: intervals count elapsed time from it, whatever the clocks on the wall do.
 */
export function nextOccurrence(schedule: Schedule, afterMs: number, anchorMs: number): Occurrence | undefined {
  switch (schedule.mode) {
    case 'daily':
      return nextDay(schedule, afterMs, () => true);
    case 'weekly':
      return nextDay(schedule, afterMs, (date) => schedule.weekdays.includes(date.dayOfWeek));
    case 'date': {
      const only = occurrence(Temporal.PlainDate.from(schedule.date), schedule.time, schedule.timeZone);
      return only.atMs > afterMs ? only : undefined;
    }
    case 'interval': {
      const everyMs = schedule.everyMinutes * MINUTE_MS;
      const count = Math.floor((afterMs - anchorMs) / everyMs) + 1;
      const atMs = anchorMs + count * everyMs;
      return { atMs, key: `${new Date(atMs).toISOString()} interval` };
    }
    case 'afterCreation':
    case 'disabled':
      return undefined;
  }
}

/** The next `count` occurrences, for showing. */
export function nextOccurrences(schedule: Schedule, afterMs: number, anchorMs: number, count: number): Occurrence[] {
  const found: Occurrence[] = [];
  for (let from = afterMs; found.length < count;) {
    const next = nextOccurrence(schedule, from, anchorMs);
    if (!next) break;
    found.push(next);
    from = next.atMs;
  }
  return found;
}

/** Everything that was due in (afterMs, untilMs], oldest first; at most `limit`, the newest ones. */
export function dueOccurrences(
  schedule: Schedule,
  range: { readonly afterMs: number; readonly untilMs: number; readonly anchorMs: number },
  limit: number,
): Occurrence[] {
  const due: Occurrence[] = [];
  for (let from = range.afterMs; ;) {
    const next = nextOccurrence(schedule, from, range.anchorMs);
    if (!next || next.atMs > range.untilMs) return due;
    due.push(next);
    if (due.length > limit) due.shift();
    from = next.atMs;
  }
}

/** True for a zone of the IANA database that this machine knows. */
export function isTimeZone(name: string): boolean {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name);
    return true;
  } catch {
    return false;
  }
}
