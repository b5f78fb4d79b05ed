import { ianaZone } from '@holdfast/foundation/windows-zones';

/** A moment as Outlook says it: wall-clock time and the name of a zone. */
export interface ZonedTime {
  readonly dateTime: string;
  readonly timeZone: string;
}

/** Outlook's own spelling of UTC, which it writes and does not accept. */
const OUTLOOK_UTC = 'tzone://Microsoft/Utc';

/** The IANA name of a zone as Outlook writes it; `undefined` for a customised zone. */
export function ianaName(zone: string): string | undefined {
  return zone === OUTLOOK_UTC ? 'UTC' : ianaZone(zone);
}

/**
 * The wall-clock time of a UTC moment in a zone of Outlook, so that a series keeps its hour
 * when the clocks change; `undefined` for a customised zone.
 */
export function inZone(utc: string, zone: string): ZonedTime | undefined {
  const timeZone = ianaName(zone);
  const ms = Date.parse(utc.endsWith('Z') ? utc : `${utc}Z`);
  if (timeZone === undefined || Number.isNaN(ms)) return undefined;
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  });
  return { dateTime: format.format(new Date(ms)).replace(' ', 'T'), timeZone: zone === OUTLOOK_UTC ? 'UTC' : zone };
}
