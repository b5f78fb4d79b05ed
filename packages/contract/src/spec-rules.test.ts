import { expect, test } from 'vitest';
import { jobName } from './jobs/name.ts';
import * as limits from './shared/limits.ts';
import { specialCharacter, verificationCode } from './identity.ts';
import { timeOfDay } from './shared/values.ts';
import { workerIp } from './workers.ts';

test('every number of the specification is the number that was asked for', () => {
  expect(limits).toMatchObject({
    pdfMaxBytes: 3_145_728,
    passwordMinLength: 6,
    jobNameMinLength: 4,
    verificationCodeDigits: 6,
    cancelMaxMinutes: 2,
    dashboardDays: 30,
    topMailboxes: 10,
    requestTimeoutMs: 500_000,
    inactivityLogoutMs: 900_000,
    inactivityWarningMs: 870_000,
    toastAutoCloseMs: 5_000,
    toastDragPercent: 80,
    cookiePollMs: 300,
    exportSheetNameLength: 32,
    exportMaxWorksheets: 65_535,
    unusedFilters: { days30: { days: 30 }, weeks8: { weeks: 8 }, months6: { months: 6 } },
    basePaths: { main: '/apollo', staging: '/apollo-beta', legacy: '/api' },
  });
});

test.each([
  [
    'a worker IP looks like XXX.XXX.XXX.XXX',
    workerIp,
    ['10.0.0.1', '255.255.255.255'],
    ['10.0.0', '10.0.0.256', '10.0.0.1.1', 'worker', ''],
  ],
  ['a time is HH:MM', timeOfDay, ['00:00', '23:59'], ['24:00', '9:00', '09:60', '0900', '']],
  [
    'a job name has four characters and none of the special ones',
    jobName,
    ['Mail', 'Nächtlich 2', 'a.b_c-d'],
    ['Mai', '   a   ', 'Mail!', 'a/b/c', ''],
  ],
  ['a verification code has 6 digits', verificationCode, ['123456', ' 123456 '], ['12345', '1234567', 'abcdef', '']],
] as const)('%s', (_rule, schema, sound, unsound) => {
  for (const value of sound) expect(schema.safeParse(value).success, value).toBe(true);
  for (const value of unsound) expect(schema.safeParse(value).success, value).toBe(false);
});

test('letters and digits are not special, and neither is a space', () => {
  for (const value of ['abcdef', 'Geheim12', 'zwei Wörter']) expect(specialCharacter.test(value), value).toBe(false);
  for (const value of ['abcde!', 'a-b', 'a_b']) expect(specialCharacter.test(value), value).toBe(true);
});
