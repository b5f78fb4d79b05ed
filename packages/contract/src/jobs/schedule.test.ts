import { expect, test } from 'vitest';
import { schedule } from './schedule.ts';

const messages = (given: object): string[] => schedule.safeParse(given).error?.issues.map(({ message }) => message) ?? [];

test('a date is a day of the calendar', () => {
  const on = (date: string) => messages({ mode: 'date', date, time: '09:00', timeZone: 'UTC' });
  for (const date of ['2028-02-29', '2027-12-31']) expect(on(date), date).toEqual([]);
  for (const date of ['2027-02-29', '2027-02-30', '2027-04-31', '2027-13-01', '2027-1-1', '', 'tomorrow'])
    expect(on(date), date).toEqual(['validation.dateRequired']);
});

test('minutes are a whole number from 1 to 1,440', () => {
  const every = (everyMinutes: unknown) => messages({ mode: 'interval', everyMinutes });
  for (const minutes of [1, 15, 1_440]) expect(every(minutes)).toEqual([]);
  for (const minutes of [0, 1_441, 1.5, -1, '5', null]) expect(every(minutes), String(minutes)).toEqual(['validation.everyMinutes']);
});

test('days of the week are named once each', () => {
  const on = (weekdays: number[]) => messages({ mode: 'weekly', time: '09:00', timeZone: 'UTC', weekdays });
  for (const days of [[1], [7, 1], [1, 2, 3, 4, 5, 6, 7]]) expect(on(days)).toEqual([]);
  expect(on([])).toEqual(['validation.weekdays']);
  for (const days of [
    [1, 1, 1],
    [5, 2, 5],
  ])
    expect(on(days)).toEqual(['validation.weekdaysTwice']);
});
