import { ianaName, inZone } from './time-zones.ts';

type Time = { readonly dateTime?: string; readonly timeZone?: string } | null | undefined;

interface StoredRange {
  readonly startDate?: string | null;
  readonly recurrenceTimeZone?: string | null;
  readonly [name: string]: unknown;
}

/** The part of a stored event that says when it takes place. */
export interface StoredTimes {
  readonly start?: Time;
  readonly end?: Time;
  readonly isAllDay?: boolean | null;
  readonly originalStartTimeZone?: string | null;
  readonly originalEndTimeZone?: string | null;
  readonly recurrence?: { readonly pattern?: unknown; readonly range?: StoredRange | null } | null;
}

type SentTimes = Pick<StoredTimes, 'start' | 'end' | 'recurrence'>;

/** Zones without clock changes. Whatever the zone of a series was, in one of them its first day falls on its own date. */
const STEADY = ['UTC', 'UTC+12', 'UTC+13', 'Line Islands Standard Time', 'Dateline Standard Time'];

function inOwnZone(time: Time, zone: string | null | undefined): Time {
  if (!zone || time?.timeZone !== 'UTC' || time.dateTime === undefined) return time;
  return inZone(time.dateTime, zone) ?? time;
}

function ownZones({ recurrence, originalStartTimeZone }: StoredTimes): readonly string[] {
  return [recurrence?.range?.recurrenceTimeZone, originalStartTimeZone].filter((zone): zone is string => Boolean(zone));
}

/** The zone in which a series starts on the date its range names: its own one, else one that keeps the instants. */
function seriesZone(event: StoredTimes): string {
  const startDate = event.recurrence?.range?.startDate?.slice(0, 10) ?? '';
  const at = event.start?.dateTime ?? '';
  const zone = [...ownZones(event), ...STEADY].find((name) => inZone(at, name)?.dateTime.startsWith(startDate));
  return zone ?? 'UTC';
}

function rangeFrom(start: Time): StoredRange {
  const startDate = start?.dateTime?.slice(0, 10);
  return { recurrenceTimeZone: start?.timeZone ?? 'UTC', ...(startDate === undefined ? {} : { startDate }) };
}

/** Start and range of a series must name one zone: the service moves or refuses a series whose two zones differ. */
function seriesTimes(event: StoredTimes): SentTimes {
  const { start, end, isAllDay, recurrence, originalEndTimeZone } = event;
  const isInUtc = isAllDay !== true && start?.timeZone === 'UTC';
  const zone = isInUtc ? seriesZone(event) : undefined;
  const isOwn = zone !== undefined && ownZones(event).includes(zone);
  const from = inOwnZone(start, zone);
  const range = { ...recurrence?.range, ...rangeFrom(from) };
  return { start: from, end: inOwnZone(end, isOwn ? (originalEndTimeZone ?? zone) : zone), recurrence: { ...recurrence, range } };
}

/** When an event takes place, as a POST takes it: in the zone it was made in, if the service knows that zone. */
export function eventTimes(event: StoredTimes): SentTimes {
  const { start, end, originalStartTimeZone, originalEndTimeZone } = event;
  if (event.recurrence) return seriesTimes(event);
  if (event.isAllDay === true) return { start, end };
  return { start: inOwnZone(start, originalStartTimeZone), end: inOwnZone(end, originalEndTimeZone ?? originalStartTimeZone) };
}

/** A series of whole days is made in the zone in which its days were told, which is UTC. */
function isMovedToUtc({ start, recurrence }: StoredTimes): boolean {
  const zone = recurrence?.range?.recurrenceTimeZone;
  return Boolean(zone) && start?.timeZone === 'UTC' && ianaName(zone ?? '') !== 'UTC';
}

/** True when the zone the event was made in can't be restored; a series then moves by the change of its clocks. */
export function losesTimeZone(event: StoredTimes): boolean {
  const { start } = event;
  if (event.isAllDay === true) return isMovedToUtc(event);
  if (start?.dateTime === undefined) return false;
  const zones = ownZones(event);
  return zones.length > 0 && !zones.some((zone) => inZone(start.dateTime ?? '', zone) !== undefined);
}
