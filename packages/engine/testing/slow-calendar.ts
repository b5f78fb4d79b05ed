import type { RetentionPeriod } from '../src/retention/kept-until.ts';

/** Zones whose clocks are changed at midnight, by half an hour, twice, or across the date line. */
export const zonesWithTraps = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/St_Johns',
  'America/Sao_Paulo',
  'America/Havana',
  'Asia/Beirut',
  'Asia/Kathmandu',
  'Atlantic/Azores',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Chatham',
] as const;
type Zone = (typeof zonesWithTraps)[number];

const formats = new Map(
  zonesWithTraps.map((zone) => [
    zone,
    new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' }),
  ]),
);

/** The day that clocks of a zone show at a moment. */
export const dayShownAt = (atMs: number, zone: Zone): string => formats.get(zone)?.format(atMs) ?? '';

/** A slow calendar: one month after the other, and the length of each from a table. */
function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

interface Day {
  year: number;
  month: number;
  day: number;
}

const textOf = ({ year, month, day }: Day): string =>
  `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;

function dayOf(text: string): Day {
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number);
  return { year, month, day };
}

function nextMonth({ year, month, day }: Day): Day {
  return month === 12 ? { year: year + 1, month: 1, day } : { year, month: month + 1, day };
}

function nextDay({ year, month, day }: Day): Day {
  return day < daysIn(year, month) ? { year, month, day: day + 1 } : nextMonth({ year, month, day: 1 });
}

/** The last day of a period that counts from a day, found by walking there. */
export function slowLastDay({ length: { amount, unit }, start, fiscalYearEnd }: Omit<RetentionPeriod, 'anchor'>, from: string): string {
  let day = dayOf(from);
  const endMonth = start === 'calendarYear' ? 12 : fiscalYearEnd;
  if (start !== 'day') {
    while (day.month !== endMonth) day = nextMonth({ ...day, day: 1 });
    day.day = daysIn(day.year, day.month);
  }
  if (unit === 'days') {
    for (let passed = 0; passed < amount; passed += 1) day = nextDay(day);
    return textOf(day);
  }
  for (let passed = 0; passed < amount * (unit === 'years' ? 12 : 1); passed += 1) day = nextMonth(day);
  const last = daysIn(day.year, day.month);
  return textOf({ ...day, day: start === 'day' ? Math.min(day.day, last) : last });
}
