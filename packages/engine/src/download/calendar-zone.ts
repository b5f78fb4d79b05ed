/** Transitions are written out for these years; a series that goes on longer keeps the last offset. */
const FIRST_YEAR = 1970;
const LAST_YEAR = 2069;

interface Observance {
  readonly from: string;
  readonly to: string;
  readonly onsets: string[];
}

/** `20260329T020000`: a local time as calendars write it. */
export function localStamp(local: Temporal.PlainDateTime): string {
  return local.toString({ smallestUnit: 'second' }).replaceAll(/[-:]/gu, '');
}

function offset(nanoseconds: number): string {
  const seconds = Math.round(Math.abs(nanoseconds) / 1e9);
  const two = (value: number): string => String(value).padStart(2, '0');
  const rest = seconds % 60 === 0 ? '' : two(seconds % 60);
  return `${nanoseconds < 0 ? '-' : '+'}${two(Math.floor(seconds / 3_600))}${two(Math.floor(seconds / 60) % 60)}${rest}`;
}

/** The onset of an observance is told by the clock that was valid until then. */
function onsetOf(at: Temporal.ZonedDateTime, offsetBefore: number): string {
  const utc = at.withTimeZone('UTC').toPlainDateTime();
  return localStamp(utc.add({ nanoseconds: offsetBefore }));
}

function observances(timeZone: string): readonly Observance[] {
  const found = new Map<string, Observance>();
  const first = Temporal.ZonedDateTime.from({ timeZone, year: FIRST_YEAR, month: 1, day: 1 });
  const add = (at: Temporal.ZonedDateTime, offsetBefore: number): void => {
    const [from, to] = [offset(offsetBefore), offset(at.offsetNanoseconds)];
    const known = found.get(`${from} ${to}`) ?? { from, to, onsets: [] };
    known.onsets.push(onsetOf(at, offsetBefore));
    found.set(`${from} ${to}`, known);
  };
  add(first, first.offsetNanoseconds);
  let before = first.offsetNanoseconds;
  for (let at = first.getTimeZoneTransition('next'); at && at.year <= LAST_YEAR; at = at.getTimeZoneTransition('next')) {
    if (at.offsetNanoseconds !== before) add(at, before);
    before = at.offsetNanoseconds;
  }
  return [...found.values()];
}

const written = new Map<string, readonly string[]>();

/** A time zone as a calendar defines it (RFC 5545 3.6.5), with every change of its clock. */
export function timeZoneLines(timeZone: string): readonly string[] {
  let lines = written.get(timeZone);
  if (!lines) {
    const parts = observances(timeZone).flatMap(({ from, to, onsets: [first = '', ...others] }) => {
      const kind = offsetSeconds(to) > offsetSeconds(from) ? 'DAYLIGHT' : 'STANDARD';
      const repeated = others.length === 0 ? [] : [`RDATE:${others.join(',')}`];
      return [`BEGIN:${kind}`, `DTSTART:${first}`, `TZOFFSETFROM:${from}`, `TZOFFSETTO:${to}`, ...repeated, `END:${kind}`];
    });
    lines = ['BEGIN:VTIMEZONE', `TZID:${timeZone}`, ...parts, 'END:VTIMEZONE'];
    written.set(timeZone, lines);
  }
  return lines;
}

function offsetSeconds(text: string): number {
  const [, sign, hours, minutes, seconds = '0'] = /^([+-])(\d\d)(\d\d)(\d\d)?$/u.exec(text) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds));
}
